/** Withdraw, move and retry: each decides under the schedule's row lock, which the sender takes as well. */

import { ApiError, invalidRequest, notFound } from '@hookline/shared/contracts';
import type { Caller } from '@hookline/shared/http';
import {
  CommitUnknownError,
  type Database,
  isConnectionError,
  isUniqueViolation,
  type Transaction,
} from '@hookline/shared/postgres';
import type { Parts } from '../parts.ts';
import { wakeWorkers } from '../queries/due-schedules.ts';
import {
  limitLockWait,
  lockSchedule,
  moveSchedule,
  reopenSchedule,
  type ScheduleRow,
} from '../queries/schedules.ts';
import { addTimeline } from '../queries/timeline.ts';
import { withdrawSchedule } from './end-schedule.ts';

/**
 * @throws ApiError `not_found`; `already_sending`, `already_sent`; `invalid_request` for a failed one;
 * `queue_unavailable` when the row, which is the queue, could not be taken within 5 s.
 */
export async function deleteSchedule({ db, now }: Parts, caller: Caller, id: string): Promise<void> {
  try {
    await inShortLock(db, async tx => {
      const row = await getLocked(tx, caller, id);
      requirePending(row, 'withdrawn');
      await withdrawSchedule(tx, row, now());
    });
  } catch (error) {
    // A lost commit may have withdrawn it, so that is not said to have failed.
    if (error instanceof ApiError || error instanceof CommitUnknownError) throw error;
    if (isConnectionError(error)) throw new ApiError('queue_unavailable', undefined, { cause: error });
    throw error;
  }
}

export async function reschedule(
  { db, now }: Parts,
  caller: Caller,
  id: string,
  scheduledFor: Date,
): Promise<ScheduleRow> {
  return await inShortLock(db, async tx => {
    const row = await getLocked(tx, caller, id);
    requirePending(row, 'moved');
    requirePublishScope(caller, row);
    const moved = await moveSchedule(tx, id, scheduledFor, now());
    await addTimeline(tx, id, now(), 'moved', `to ${scheduledFor.toISOString()}`);
    wakeWorkers(tx);
    return moved;
  });
}

export async function retrySchedule(
  { now }: Parts,
  tx: Transaction,
  caller: Caller,
  id: string,
): Promise<ScheduleRow> {
  await limitLockWait(tx);
  const row = await getLocked(tx, caller, id);
  requirePublishScope(caller, row);
  if (row.status === 'pending') throw new ApiError('already_scheduled');
  if (row.status === 'sending') throw new ApiError('already_sending');
  if (row.status === 'sent') throw new ApiError('already_sent');
  if (!row.failure?.retryable) {
    throw new ApiError('not_postable', 'This failure is final; its message says what to change first.');
  }
  const reopened = await reopen(tx, id, now());
  await addTimeline(tx, id, now(), 'retried');
  wakeWorkers(tx);
  return reopened;
}

async function reopen(tx: Transaction, id: string, now: Date): Promise<ScheduleRow> {
  try {
    return await reopenSchedule(tx, id, now);
  } catch (error) {
    if (isUniqueViolation(error, 'schedules_one_waiting')) {
      throw new ApiError('already_scheduled', undefined, { cause: error });
    }
    throw error;
  }
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

function requirePending(row: ScheduleRow, what: string): void {
  if (row.status === 'sending') throw new ApiError('already_sending');
  if (row.status === 'sent') throw new ApiError('already_sent');
  if (row.status === 'failed') {
    throw invalidRequest(`id must be the id of a pending schedule; this one failed and cannot be ${what}`);
  }
}

function requirePublishScope(caller: Caller, row: ScheduleRow): void {
  if (row.mode === 'publish' && !caller.scopes.includes('schedules:publish')) {
    throw new ApiError(
      'missing_scope',
      'This schedule publishes: a key with the scope schedules:publish is needed.',
    );
  }
}
