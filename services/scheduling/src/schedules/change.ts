/** Withdraw, move and retry. Each decides under the schedule's row lock, which the sender takes too. */

import { ApiError, notFound } from '@hookline/shared/contracts';
import { schedulesOfKeyMax } from '@hookline/shared/contracts/auth';
import type { Caller } from '@hookline/shared/http';
import {
  CommitUnknownError,
  type Database,
  isConnectionError,
  type Transaction,
} from '@hookline/shared/postgres';
import type { SchedulingDeps } from '../deps.ts';
import { readScheduledFor, requirePublishScope } from './input.rules.ts';
import { limitLockWait, lockSchedule, lockWaitingOfKey } from './queries.ts';
import type { ScheduleRow } from './record.ts';
import { requireOwnersChange } from './states.rules.ts';
import { postponeSchedule, resumeSchedule, withdrawSchedule } from './transition.ts';

/**
 * @throws ApiError `not_found`; `already_sending`, `already_sent`; `missing_scope` for one that publishes;
 * `invalid_request` for a failed one;
 * `queue_unavailable` if the row, which is the queue, could not be locked within 5 s.
 */
export async function deleteSchedule({ db, now }: SchedulingDeps, caller: Caller, id: string): Promise<void> {
  try {
    await inShortLock(db, async tx => {
      const row = await getLocked(tx, caller, id);
      requireOwnersChange('withdrawn', row);
      requirePublishScope('schedule', row.mode, caller);
      await withdrawSchedule(tx, row, now());
    });
  } catch (error) {
    // A commit with an unknown result may have withdrawn it, so it must not be reported as failed.
    if (error instanceof ApiError || error instanceof CommitUnknownError) throw error;
    if (isConnectionError(error)) throw new ApiError('queue_unavailable', undefined, { cause: error });
    throw error;
  }
}

/**
 * @throws ApiError as `deleteSchedule`, plus `invalid_request` for a time that D-8 does
 * not allow.
 */
export async function moveSchedule(
  { db, now }: SchedulingDeps,
  caller: Caller,
  id: string,
  time: string,
): Promise<ScheduleRow> {
  const scheduledFor = readScheduledFor(time, now());
  return await inShortLock(db, async tx => {
    const row = await getLocked(tx, caller, id);
    requireOwnersChange('moved', row);
    requirePublishScope('schedule', row.mode, caller);
    return await postponeSchedule(tx, row, { scheduledFor, keyId: caller.keyId }, now());
  });
}

export async function retrySchedule(
  { now }: SchedulingDeps,
  tx: Transaction,
  caller: Caller,
  id: string,
): Promise<ScheduleRow> {
  await limitLockWait(tx);
  const row = await getLocked(tx, caller, id);
  requirePublishScope('schedule', row.mode, caller);
  requireOwnersChange('retried', row);
  return await resumeSchedule(tx, row, caller.keyId, now());
}

function inShortLock<T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return db.transaction(async tx => {
    await limitLockWait(tx);
    return await work(tx);
  });
}

async function getLocked(tx: Transaction, caller: Caller, id: string): Promise<ScheduleRow> {
  const row = await lockSchedule(tx, caller.accountId, id);
  if (!row) throw notFound('schedule');
  return row;
}

/**
 * Withdraws the waiting schedules that a key made or changed, or whose automation it did, at most 100.
 * @returns their ids, and whether more wait
 */
export function withdrawSchedulesOfKey(
  { db, now }: Pick<SchedulingDeps, 'db' | 'now'>,
  accountId: string,
  keyId: string,
): Promise<{ scheduleIds: string[]; more: boolean }> {
  return db.transaction(async tx => {
    await limitLockWait(tx);
    const rows = await lockWaitingOfKey(tx, accountId, keyId, schedulesOfKeyMax + 1);
    const withdrawn = rows.slice(0, schedulesOfKeyMax);
    for (const row of withdrawn) await withdrawSchedule(tx, row, now());
    return { scheduleIds: withdrawn.map(({ id }) => id), more: rows.length > withdrawn.length };
  });
}
