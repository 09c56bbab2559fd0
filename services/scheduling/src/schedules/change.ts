/** Each change decides under the schedule's row lock, which the sender takes too. */

import { ApiError, notFound } from '@hookline/shared/contracts';
import { schedulesOfKeyMax } from '@hookline/shared/contracts/auth';
import type { Caller } from '@hookline/shared/http';
import { CommitUnknownError, isConnectionError, type Transaction } from '@hookline/shared/postgres';
import type { SchedulingDeps } from '../deps.ts';
import { requirePublishScope } from './input.rules.ts';
import { limitLockWait, lockSchedule, lockWaitingOfKey, type WorkspaceKey } from './queries.ts';
import type { ScheduleRow } from './record.ts';
import { requireOwnersChange } from './states.rules.ts';
import { resumeSchedule, withdrawSchedule } from './transition.ts';

type OwnSchedule = { caller: Caller; id: string };

/**
 * @throws ApiError `not_found`, `already_sending`, `already_sent`, `missing_scope`; `invalid_request` for a
 * failed one; `queue_unavailable` if the row, which is the queue, could not be locked within 5 s.
 */
export async function deleteSchedule(
  { db, now }: SchedulingDeps,
  { caller, id }: OwnSchedule,
): Promise<void> {
  try {
    await db.transaction(async tx => {
      const row = await lockOwn(tx, { caller, id });
      requireOwnersChange('withdrawn', row);
      requirePublishScope('schedule', row.mode, caller);
      await withdrawSchedule({ tx, now: now() }, row);
    });
  } catch (error) {
    // A commit with an unknown result may have withdrawn it, so it must not be reported as failed.
    if (error instanceof ApiError || error instanceof CommitUnknownError) throw error;
    if (isConnectionError(error)) throw new ApiError('queue_unavailable', undefined, { cause: error });
    throw error;
  }
}

/** @throws ApiError as `deleteSchedule` */
export async function lockChangeable(tx: Transaction, own: OwnSchedule): Promise<ScheduleRow> {
  const row = await lockOwn(tx, own);
  requireOwnersChange('moved', row);
  requirePublishScope('schedule', row.mode, own.caller);
  return row;
}

export async function retrySchedule(
  { now }: SchedulingDeps,
  tx: Transaction,
  { caller, id }: OwnSchedule,
): Promise<ScheduleRow> {
  const row = await lockOwn(tx, { caller, id });
  requirePublishScope('schedule', row.mode, caller);
  requireOwnersChange('retried', row);
  return await resumeSchedule({ tx, now: now() }, row, caller.keyId);
}

async function lockOwn(tx: Transaction, { caller, id }: OwnSchedule): Promise<ScheduleRow> {
  await limitLockWait(tx);
  const row = await lockSchedule(tx, caller.accountId, id);
  if (!row) throw notFound('schedule');
  return row;
}

/** Withdraws at most 100 schedules that a key made or changed, or whose automation it did. */
export function withdrawSchedulesOfKey(
  { db, now }: Pick<SchedulingDeps, 'db' | 'now'>,
  key: WorkspaceKey,
): Promise<{ scheduleIds: string[]; more: boolean }> {
  return db.transaction(async tx => {
    await limitLockWait(tx);
    const rows = await lockWaitingOfKey(tx, key, schedulesOfKeyMax + 1);
    const withdrawn = rows.slice(0, schedulesOfKeyMax);
    for (const row of withdrawn) await withdrawSchedule({ tx, now: now() }, row);
    return { scheduleIds: withdrawn.map(({ id }) => id), more: rows.length > withdrawn.length };
  });
}
