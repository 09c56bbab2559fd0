/** The ends of a schedule's run, each with its timeline row and its event, in the transaction that holds the row's lock. */

import { appendEvent } from '@hookline/shared/bus';
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
import type { Transaction } from '@hookline/shared/postgres';
import { noteEnd } from '../posting-metrics.ts';
import { wakeWorkers } from '../queries/due-schedules.ts';
import { requeueSchedule, setFailed, setSent } from '../queries/schedule-ends.ts';
import { removeSchedule, type ScheduleRow, toSchedule } from '../queries/schedules.ts';
import { addTimeline } from '../queries/timeline.ts';

async function tell(
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

export async function tellCreated(tx: Transaction, row: ScheduleRow, now: Date): Promise<void> {
  await addTimeline(tx, row.id, now, 'created', `for ${row.scheduledFor.toISOString()}, ${row.mode}`);
  await tell(tx, scheduleCreated, row, now);
  wakeWorkers(tx);
}

export async function failSchedule(
  tx: Transaction,
  row: ScheduleRow,
  failure: ScheduleFailure,
  now: Date,
): Promise<ScheduleRow> {
  const failed = await setFailed(tx, row.id, failure, now);
  noteEnd(row, 'failed', failure.category);
  await addTimeline(tx, row.id, now, 'failed', `${failure.code}: ${failure.message}`);
  await tell(tx, scheduleFailed, failed, now);
  wakeWorkers(tx);
  return failed;
}

/**
 * After a call that the platform ended without a post: waits `pauseMs` as `pending`, then runs as any other. Content's
 * permit goes back with the event, so that the approval can be withdrawn meanwhile.
 * @param why what the timeline says.
 */
export async function sendAgainLater(
  tx: Transaction,
  row: ScheduleRow,
  pauseMs: number,
  why: string,
  now: Date,
): Promise<void> {
  const waiting = await requeueSchedule(tx, row.id, pauseMs, now);
  await addTimeline(tx, row.id, now, 'requeued', why);
  await tell(tx, scheduleRequeued, waiting, now);
  wakeWorkers(tx);
}

/** Back to waiting without a call: content's permit goes back with the event. */
export async function tellRequeued(tx: Transaction, waiting: ScheduleRow, now: Date): Promise<void> {
  await tell(tx, scheduleRequeued, waiting, now);
}

export async function finishSchedule(
  tx: Transaction,
  row: ScheduleRow,
  sent: { outcome: 'sent_to_drafts' | 'published'; postId: string | null; postUrl: string | null; at: Date },
): Promise<void> {
  const done = await setSent(tx, row.id, sent);
  noteEnd(row, sent.outcome, null);
  await addTimeline(tx, row.id, sent.at, 'sent', sent.outcome);
  await tell(tx, sent.outcome === 'published' ? schedulePublished : scheduleSentToDrafts, done, sent.at);
  wakeWorkers(tx);
}

export async function withdrawSchedule(tx: Transaction, row: ScheduleRow, now: Date): Promise<void> {
  await tell(tx, scheduleDeleted, { ...row, updatedAt: now }, now);
  await removeSchedule(tx, row.id);
}
