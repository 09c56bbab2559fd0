import {
  createCountMetric,
  createDurationMetric,
  defineMetrics,
  named,
  sharedMetrics,
  watchGauge,
} from '@hookline/shared/kernel';
import type { Database } from '@hookline/shared/postgres';
import { openAttemptStates } from './attempts/states.rules.ts';
import { findOpenPause } from './pauses/queries.ts';
import type { DatabaseWatch } from './pauses/watch.ts';
import type { ScheduleRow } from './schedules/record.ts';
import { findOverdueSeconds, listUnsettled } from './upkeep/queries.ts';

export const schedulingMetrics = defineMetrics({
  attributes: {
    'hookline.posting.mode': '`draft`, `publish` or `phone`.',
    'hookline.posting.category': 'Category of a failure, such as `account`; absent where nothing failed.',
    'hookline.attempt.state': '`calling`, `unconfirmed` or `accepted`.',
  },
  metrics: {
    lateness: {
      ...named('histogram', 'hookline.posting.lateness', 's'),
      about:
        'From the time a schedule names to the first call to the platform. Waiting for an approval is left out, ' +
        "waiting for the account's pace is not.",
      attributes: ['hookline.posting.mode'],
    },
    outcomes: {
      ...named('counter', 'hookline.posting.outcomes', '{schedule}'),
      about: 'Schedules that ended.',
      attributes: ['hookline.posting.mode', 'hookline.posting.outcome', 'hookline.posting.category'],
    },
    overdue: {
      ...named('gauge', 'hookline.posting.overdue', 's'),
      about: 'How long the longest due schedule has been in no worker’s hands; 0 when none is due.',
      attributes: [],
    },
    paused: {
      ...named('gauge', 'hookline.posting.paused', '{boolean}'),
      about:
        '1 while no post may go out: an operator paused the sending, the database went back in time, or the bus has not ' +
        'yet been compared with the server that answers; otherwise 0.',
      attributes: [],
    },
    wentBack: {
      ...named('gauge', 'hookline.posting.went_back', '{boolean}'),
      about:
        '1 while nothing is sent because the database is younger than what was sent from it, otherwise 0. ' +
        '`npm run ops -- close-after` ends it.',
      attributes: [],
    },
    unsettled: {
      ...named('gauge', 'hookline.posting.unsettled', '{attempt}'),
      about: 'Calls to the platform whose outcome is open.',
      attributes: ['hookline.attempt.state'],
    },
    unsettledAge: {
      ...named('gauge', 'hookline.posting.unsettled.age', 's'),
      about: 'Age of the oldest of them.',
      attributes: ['hookline.attempt.state'],
    },
  },
  spans: {
    send: {
      name: 'send schedule',
      kind: 'internal',
      about:
        'A worker takes a due schedule as far as it goes. Its parent is the request that made the schedule; after ten minutes it is a trace of its own, linked to that request.',
      attributes: ['hookline.request_id'],
    },
    settle: {
      name: 'settle schedule',
      kind: 'internal',
      about:
        'What the platform said of a post is written down. Parent as above; linked to the request that brought the news.',
      attributes: ['hookline.request_id'],
    },
  },
});

const { metrics } = schedulingMetrics;

const lateness = createDurationMetric(metrics.lateness);
const outcomes = createCountMetric(metrics.outcomes);
const reconciled = createCountMetric(sharedMetrics.metrics.reconciled);

/** A permit that outlived its schedule was released. */
export function countReleasedPermits(permits: number): void {
  reconciled({ 'hookline.reconciled.kind': 'permit' }, permits);
}

/** Call it just before the first call to the platform. Later calls and held schedules do not count. */
export function measureLateness(row: ScheduleRow, now: Date): void {
  if (row.tries > 0 || row.resends > 0 || row.heldSince !== null) return;
  const dueMs = Math.max(row.scheduledFor.getTime(), row.createdAt.getTime());
  lateness(Math.max(0, now.getTime() - dueMs), { 'hookline.posting.mode': row.mode });
}

/** @param category of the failure; null if the post was made. */
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

// An alert watches for an increase of these failures, so they are reported as 0 before the first.
const watchedCategories = ['internal', 'platform_unavailable', 'outcome_unknown'] as const;

export function watchGauges({ db, watch }: { db: Database; watch: Pick<DatabaseWatch, 'isReady'> }): void {
  for (const mode of ['draft', 'publish'] as const) {
    for (const category of watchedCategories) {
      const series = { 'hookline.posting.mode': mode, 'hookline.posting.outcome': 'failed' };
      outcomes({ ...series, 'hookline.posting.category': category }, 0);
    }
  }
  countReleasedPermits(0);
  watchGauge(metrics.overdue, async () => [{ value: await findOverdueSeconds(db) }]);
  watchGauge(metrics.paused, async () => [{ value: !watch.isReady() || (await findOpenPause(db)) ? 1 : 0 }]);
  watchGauge(metrics.wentBack, async () => [
    { value: (await findOpenPause(db))?.cause === 'went_back' ? 1 : 0 },
  ]);
  watchGauge(metrics.unsettled, () => readUnsettled(db, state => state.count));
  watchGauge(metrics.unsettledAge, () => readUnsettled(db, state => state.ageSeconds));
}

async function readUnsettled(db: Database, read: (state: { count: number; ageSeconds: number }) => number) {
  const found = new Map((await listUnsettled(db)).map(row => [row.state, row]));
  return openAttemptStates.map(state => ({
    value: read(found.get(state) ?? { count: 0, ageSeconds: 0 }),
    attributes: { 'hookline.attempt.state': state },
  }));
}
