/**
 * Changes of a schedule's state, each with its timeline row and, where another service needs it, its event,
 * in the transaction that holds the row's lock. Claims by a sender have neither. The changes allowed from
 * each state: `states.rules.ts`.
 */
import { appendEvent } from '@hookline/shared/bus';
import { ApiError } from '@hookline/shared/contracts';
import type { ScheduleFailure } from '@hookline/shared/contracts/schedules';
import type { EventDefinition } from '@hookline/shared/events';
import {
  scheduleCreated,
  scheduleDeleted,
  scheduleFailed,
  schedulePublished,
  scheduleRequeued,
  scheduleSentToDrafts,
} from '@hookline/shared/events';
import { isUniqueViolation, type Transaction } from '@hookline/shared/postgres';
import { wakeSenders } from '../channels.ts';
import { countEnd } from '../metrics.ts';
import { insertSchedule, removeSchedule, reopenSchedule, setScheduledFor, wasSent } from './queries.ts';
import { requeueSchedule, setFailed, setSent } from './queries-ends.ts';
import { addTimeline } from './queries-timeline.ts';
import { type NewSchedule, type ScheduleRow, toSchedule } from './record.ts';
import { requireTransition } from './states.rules.ts';

async function publish(
  tx: Transaction,
  definition: EventDefinition<typeof scheduleCreated.data>,
  row: ScheduleRow,
  at: Date,
): Promise<void> {
  await appendEvent(tx, definition, {
    accountId: row.accountId,
    subject: row.id,
    source: 'scheduling',
    at,
    data: { schedule: toSchedule(row), firingId: row.firingId },
  });
}

/**
 * Inserts a checked schedule. Call it as the last step of a transaction.
 * @throws ApiError `already_scheduled`; `already_sent` for the request of an automation
 */
export async function addSchedule(tx: Transaction, row: NewSchedule): Promise<ScheduleRow> {
  const now = row.createdAt;
  const written = await oneWaiting(async () => {
    const inserted = await insertSchedule(tx, row);
    // A person may ask for a second post; a request that comes late may not make one. From here on nobody
    // else can insert a schedule of this content and account, so none can be sent after this look.
    if (row.firingId !== null && (await wasSent(tx, row))) throw new ApiError('already_sent');
    const detail = `for ${inserted.scheduledFor.toISOString()}, ${inserted.mode}`;
    await addTimeline(tx, inserted.id, now, 'created', detail);
    await publish(tx, scheduleCreated, inserted, now);
    return inserted;
  });
  wakeSenders(tx);
  return written;
}

/** A content can wait for an account only once. @throws ApiError `already_scheduled` */
async function oneWaiting<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isUniqueViolation(error, 'schedules_one_waiting')) {
      throw new ApiError('already_scheduled', undefined, { cause: error });
    }
    throw error;
  }
}

export async function failSchedule(
  tx: Transaction,
  row: ScheduleRow,
  failure: ScheduleFailure,
  now: Date,
): Promise<ScheduleRow> {
  requireTransition('failed', row);
  const failed = await setFailed(tx, row.id, failure, now);
  countEnd(row, 'failed', failure.category);
  await addTimeline(tx, row.id, now, 'failed', `${failure.code}: ${failure.message}`);
  await publish(tx, scheduleFailed, failed, now);
  wakeSenders(tx);
  return failed;
}

/**
 * After a call that the platform ended without a post: waits `pauseMs` as `pending` and is then sent like any
 * other. Content's permit is released with the event, so that the approval can be withdrawn while it waits.
 * @param why detail of the timeline.
 */
export async function sendAgainLater(
  tx: Transaction,
  row: ScheduleRow,
  pauseMs: number,
  why: string,
  now: Date,
): Promise<void> {
  requireTransition('requeued', row);
  const waiting = await requeueSchedule(tx, row.id, pauseMs, now);
  await addTimeline(tx, row.id, now, 'requeued', why);
  await publish(tx, scheduleRequeued, waiting, now);
  wakeSenders(tx);
}

/** Returns to waiting without a call. Content's permit is released with the event. */
export async function publishRequeued(tx: Transaction, waiting: ScheduleRow, now: Date): Promise<void> {
  await publish(tx, scheduleRequeued, waiting, now);
}

export async function finishSchedule(
  tx: Transaction,
  row: ScheduleRow,
  sent: { outcome: 'sent_to_drafts' | 'published'; postId: string | null; postUrl: string | null; at: Date },
): Promise<void> {
  requireTransition('sent', row);
  const done = await setSent(tx, row.id, sent);
  countEnd(row, sent.outcome, null);
  await addTimeline(tx, row.id, sent.at, 'sent', sent.outcome);
  await publish(tx, sent.outcome === 'published' ? schedulePublished : scheduleSentToDrafts, done, sent.at);
  wakeSenders(tx);
}

/** Other services do not depend on the time: there is no event. */
export async function postponeSchedule(
  tx: Transaction,
  row: ScheduleRow,
  to: { scheduledFor: Date; keyId: string | null },
  now: Date,
): Promise<ScheduleRow> {
  requireTransition('moved', row);
  const moved = await setScheduledFor(tx, row.id, to, now);
  await addTimeline(tx, row.id, now, 'moved', `to ${to.scheduledFor.toISOString()}`);
  wakeSenders(tx);
  return moved;
}

/**
 * Returns a failed schedule to waiting, due at once. Its end has the next event.
 * @throws ApiError `already_scheduled`
 */
export async function resumeSchedule(
  tx: Transaction,
  row: ScheduleRow,
  keyId: string | null,
  now: Date,
): Promise<ScheduleRow> {
  requireTransition('retried', row);
  const reopened = await oneWaiting(() => reopenSchedule(tx, row.id, keyId, now));
  await addTimeline(tx, row.id, now, 'retried');
  wakeSenders(tx);
  return reopened;
}

export async function withdrawSchedule(tx: Transaction, row: ScheduleRow, now: Date): Promise<void> {
  requireTransition('withdrawn', row);
  await publish(tx, scheduleDeleted, { ...row, updatedAt: now }, now);
  await removeSchedule(tx, row.id);
}
