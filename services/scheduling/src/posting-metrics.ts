import { createCountMetric, createDurationMetric, watchGauge } from '@hookline/shared/kernel';
import type { Database } from '@hookline/shared/postgres';
import type { ScheduleRow } from './queries/schedules.ts';
import { findOpenPause } from './queries/sending-pauses.ts';
import { findOverdueSeconds, listUnsettled } from './queries/watched.ts';

const recordLateness = createDurationMetric('hookline.posting.lateness');
const countOutcome = createCountMetric('hookline.posting.outcomes');
const countReconciled = createCountMetric('hookline.reconciled');

const states = ['calling', 'unconfirmed', 'accepted'] as const;

/** Permits that had outlived their schedules. */
export function noteReleased(permits: number): void {
  countReconciled({ 'hookline.reconciled.kind': 'permit' }, permits);
}

/** Call it before the first call to the platform; later ones of the schedule, and one that was held, are left out. */
export function noteCall(row: ScheduleRow, now: Date): void {
  if (row.tries > 0 || row.resends > 0 || row.heldSince !== null) return;
  const dueMs = Math.max(row.scheduledFor.getTime(), row.createdAt.getTime());
  recordLateness(Math.max(0, now.getTime() - dueMs), { 'hookline.posting.mode': row.mode });
}

/** @param category of a failure, null where the post was made. */
export function noteEnd(
  row: ScheduleRow,
  outcome: 'sent_to_drafts' | 'published' | 'failed',
  category: string | null,
): void {
  countOutcome({
    'hookline.posting.mode': row.mode,
    'hookline.posting.outcome': outcome,
    'hookline.posting.category': category ?? undefined,
  });
}

// Failures that an alert looks for: known at 0, so that the first is an increase.
const watchedCategories = ['internal', 'platform_unavailable', 'outcome_unknown'] as const;

/** What waits: due schedules in nobody's hands, and calls whose outcome is open. */
export function watchPosting(db: Database): void {
  for (const mode of ['draft', 'publish'] as const) {
    for (const category of watchedCategories) {
      const series = { 'hookline.posting.mode': mode, 'hookline.posting.outcome': 'failed' };
      countOutcome({ ...series, 'hookline.posting.category': category }, 0);
    }
  }
  noteReleased(0);
  watchGauge('hookline.posting.overdue', async () => [{ value: await findOverdueSeconds(db) }]);
  watchGauge('hookline.posting.paused', async () => [{ value: (await findOpenPause(db)) ? 1 : 0 }]);
  watchGauge('hookline.posting.went_back', async () => [
    { value: (await findOpenPause(db))?.cause === 'went_back' ? 1 : 0 },
  ]);
  watchGauge('hookline.posting.unsettled', () => readUnsettled(db, one => one.count));
  watchGauge('hookline.posting.unsettled.age', () => readUnsettled(db, one => one.ageSeconds));
}

async function readUnsettled(db: Database, read: (one: { count: number; ageSeconds: number }) => number) {
  const found = new Map((await listUnsettled(db)).map(one => [one.state, one]));
  return states.map(state => ({
    value: read(found.get(state) ?? { count: 0, ageSeconds: 0 }),
    attributes: { 'hookline.attempt.state': state },
  }));
}
