import { ApiError } from '@hookline/shared/contracts';
import type { Sql, Transaction } from '@hookline/shared/postgres';
import { findPlatformAccount } from '../accounts/queries.ts';
import type { SchedulingDeps } from '../deps.ts';
import { lockAccount } from '../schedules/queries.ts';
import type { NewSchedule } from '../schedules/record.ts';
import { freeSlots, slotDistanceMs } from './free-slots.rules.ts';
import { listWaitingTimes } from './queries.ts';

/** `id`: the schedule that takes a slot; its own time is free for it. */
type OwnAccount = Pick<NewSchedule, 'accountId' | 'platformAccountId'> & Partial<Pick<NewSchedule, 'id'>>;
type Now = Pick<SchedulingDeps, 'now'>;

/** @throws ApiError `account_not_found` */
export async function findFreeSlots(
  { now }: Now,
  sql: Sql,
  { id, accountId, platformAccountId }: OwnAccount,
  count: number,
): Promise<Date[]> {
  const account = await findPlatformAccount(sql, accountId, platformAccountId);
  if (!account) throw new ApiError('account_not_found');
  const from = now();
  const taken = await listWaitingTimes(sql, account, new Date(from.getTime() - slotDistanceMs), id);
  return freeSlots(account, taken, from, count);
}

/** A dry run shows it; another may take it. @throws ApiError `account_not_found`, `no_free_slot` */
export async function findNextSlot(deps: Now, sql: Sql, account: OwnAccount): Promise<Date> {
  const [slot] = await findFreeSlots(deps, sql, account, 1);
  if (!slot) throw new ApiError('no_free_slot');
  return slot;
}

/** Nobody else takes it before the transaction ends. @throws ApiError as `findNextSlot` */
export async function takeNextSlot(deps: Now, tx: Transaction, account: OwnAccount): Promise<Date> {
  await lockAccount(tx, account.platformAccountId);
  return await findNextSlot(deps, tx, account);
}
