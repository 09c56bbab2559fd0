import { createCountMetric, createDurationMetric, watchGauge } from '@hookline/shared/kernel';
import type { Database } from '@hookline/shared/postgres';
import { findOverdueSeconds, listUnsettled } from './queries/gauges.ts';
import { findOpenPause } from './queries/sending-pauses.ts';
import type { ScheduleRow } from './records/schedule.ts';
import { openAttemptStates } from './rules/attempt-states.ts';

const lateness = createDurationMetric('hookline.posting.lateness');
const outcomes = createCountMetric('hookline.posting.outcomes');
const reconciled = createCountMetric('hookline.reconciled');

/** Permits that outlived their schedules and were released. */
export function countReleasedPermits(permits: number): void {
  reconciled({ 'hookline.reconciled.kind': 'permit' }, permits);
}

/**
 * Measures how late the first call to the platform is; call it just before. Later calls of the schedule, and
 * one that was held, are left out.
 */
export function measureLateness(row: ScheduleRow, now: Date): void {
  if (row.tries > 0 || row.resends > 0 || row.heldSince !== null) return;
  const dueMs = Math.max(row.scheduledFor.getTime(), row.createdAt.getTime());
  lateness(Math.max(0, now.getTime() - dueMs), { 'hookline.posting.mode': row.mode });
}

/** @param category of a failure, null where the post was made. */
export function countEnd(
  row: ScheduleRow,
  outcome: 'sent_to_drafts' | 'published' | 'failed',
  category: string | null,
): void {
  outcomes({
    'hookline.posting.mode': row.mode,
    'hookline.posting.outcome': outcome,
    'hookline.posting.category': category ?? undefined,
  });
}

// An alert looks for an increase of these failures, so they are reported as 0 before the first.
const watchedCategories = ['internal', 'platform_unavailable', 'outcome_unknown'] as const;

/** Due schedules that no worker has claimed, pauses, and calls whose outcome is open. */
export function watchGauges({ db }: { db: Database }): void {
  for (const mode of ['draft', 'publish'] as const) {
    for (const category of watchedCategories) {
      const series = { 'hookline.posting.mode': mode, 'hookline.posting.outcome': 'failed' };
      outcomes({ ...series, 'hookline.posting.category': category }, 0);
    }
  }
  countReleasedPermits(0);
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
  return openAttemptStates.map(state => ({
    value: read(found.get(state) ?? { count: 0, ageSeconds: 0 }),
    attributes: { 'hookline.attempt.state': state },
  }));
}
