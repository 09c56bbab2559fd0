import type { Schedule } from '@hookline/shared/contracts/schedules';
import type { HooklineEvent } from '@hookline/shared/events';
import type { Transaction } from '@hookline/shared/postgres';
import { setScheduled, unsetScheduled } from '../contents/queries.ts';
import { addMoment, type NewMoment } from '../contents/queries-timeline.ts';
import type { ContentDeps } from '../deps.ts';
import { markReleased, type PermitEnd } from './queries.ts';
import { endSchedule, recordSchedule } from './queries-schedules.ts';

type ScheduleEvent = Pick<HooklineEvent, 'subject' | 'sequence' | 'time'> & {
  data: {
    schedule: Pick<
      Schedule,
      'contentId' | 'contentVersion' | 'scheduledFor' | 'mode' | 'outcome' | 'failure'
    >;
  };
};

export async function recordWaiting(
  { now }: Pick<ContentDeps, 'now'>,
  tx: Transaction,
  event: ScheduleEvent,
): Promise<void> {
  const { contentId } = event.data.schedule;
  await setScheduled(tx, contentId);
  await recordSchedule(
    tx,
    { scheduleId: event.subject, contentId, isWaiting: true, sequence: event.sequence },
    now(),
  );
  await addScheduleMoment(tx, event, 'scheduled');
}

/** `what` is recorded in the timeline; `isWaiting`, whether the schedule waits again. */
export type PermitNews = { outcome: PermitEnd['outcome']; isWaiting?: boolean; what: NewMoment['what'] };

/** Releases the permit of a schedule that ended or waits again, unless the permit is newer than the event. */
export async function releasePermit(
  { now }: Pick<ContentDeps, 'now'>,
  tx: Transaction,
  event: ScheduleEvent,
  { outcome, isWaiting = false, what }: PermitNews,
): Promise<void> {
  const { subject: scheduleId, sequence, data } = event;
  const { contentId } = data.schedule;
  if (what === 'withdrawn') await unsetScheduled(tx, contentId, scheduleId);
  // A grant locks this row: it is then refused, or committed and released.
  await recordSchedule(tx, { scheduleId, contentId, isWaiting, sequence }, now());
  await markReleased(tx, { scheduleId, outcome, sequence }, now());
  await addScheduleMoment(tx, event, what);
}

async function addScheduleMoment(
  tx: Transaction,
  { subject: scheduleId, time, data: { schedule } }: ScheduleEvent,
  what: NewMoment['what'],
): Promise<void> {
  const { contentId, contentVersion: version, scheduledFor, mode, outcome, failure } = schedule;
  const detail = what === 'scheduled' ? `for ${scheduledFor}, ${mode}` : (failure?.message ?? outcome);
  await addMoment(tx, { contentId, at: new Date(time), what, version, scheduleId, detail });
}

/** A healthy schedule takes less to send, except one whose outcome TikTok has not reported. */
export const permitAgeMs = 30 * 60_000;

/** Releases permits whose schedule has ended according to scheduling, although no event has arrived. */
export async function releasePermits(
  { db, log, now }: Pick<ContentDeps, 'db' | 'log' | 'now'>,
  ends: readonly PermitEnd[],
): Promise<string[]> {
  const at = now();
  const released = await db.transaction(tx => releaseInOrder(tx, ends, at));
  for (const scheduleId of released) log.warn({ scheduleId }, 'a permit had outlived its schedule');
  return released;
}

/** Scheduling reports this sequence for a schedule that was withdrawn. */
const withdrawn = Number.MAX_SAFE_INTEGER;

/** The order by id keeps two calls from deadlocking. */
async function releaseInOrder(tx: Transaction, ends: readonly PermitEnd[], at: Date): Promise<string[]> {
  const released: string[] = [];
  const deadBefore = new Date(at.getTime() - permitAgeMs);
  for (const end of ends.toSorted((a, b) => (a.scheduleId < b.scheduleId ? -1 : 1))) {
    // Otherwise its app could never be deleted. One that failed may be waiting again.
    const isOver = end.outcome === 'sent' || end.sequence === withdrawn;
    // Events lock the two rows in this order too.
    if (isOver) await endSchedule(tx, end, at);
    if (await markReleased(tx, end, at, deadBefore)) released.push(end.scheduleId);
  }
  return released;
}
