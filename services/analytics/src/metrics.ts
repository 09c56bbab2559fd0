import { createCountMetric, defineMetrics, named, watchGauge } from '@hookline/shared/kernel';
import { nextPacificMidnight, pacificDay } from './collecting/pacific-day.rules.ts';
import { listLimits } from './collecting/queries-limits.ts';
import type { AnalyticsDeps } from './deps.ts';
import { youtubeBuckets } from './platforms/youtube.ts';

export const analyticsMetrics = defineMetrics({
  attributes: {
    'hookline.platform': '`youtube`, `instagram` or `tiktok`.',
    'hookline.collection.outcome': '`measured`, `missed` (no such post) or `failed`.',
    'hookline.quota.name': 'Call whose units are counted.',
  },
  metrics: {
    schedules: {
      ...named('counter', 'hookline.analytics.schedules', '{schedule}'),
      about:
        'Ends of schedules that analytics counted from the bus: over time the same as `hookline.posting.outcomes`.',
      attributes: ['hookline.posting.outcome'],
    },
    collections: {
      ...named('counter', 'hookline.analytics.collections', '{post}'),
      about: 'Posts whose numbers were asked for.',
      attributes: ['hookline.platform', 'hookline.collection.outcome'],
    },
    quota: {
      ...named('gauge', 'hookline.analytics.quota', '{unit}'),
      about: "Units left of the day's quota at YouTube.",
      attributes: ['hookline.quota.name'],
    },
  },
});

const { metrics } = analyticsMetrics;

const schedules = createCountMetric(metrics.schedules);
const collections = createCountMetric(metrics.collections);

export function countSchedule(outcome: string): void {
  schedules({ 'hookline.posting.outcome': outcome });
}

export function countCollection(platform: string, outcome: 'measured' | 'missed' | 'failed'): void {
  collections({ 'hookline.platform': platform, 'hookline.collection.outcome': outcome });
}

/**
 * Units that the day's quota still has; none where YouTube says that they are spent, and the
 * call rests until midnight.
 */
export function watchGauges(
  deps: Pick<AnalyticsDeps, 'db' | 'now' | 'youtubeCredential' | 'youtubeDailyUnits'>,
): void {
  const { db, now, youtubeCredential, youtubeDailyUnits } = deps;
  watchGauge(metrics.quota, async () => {
    const at = now();
    const today = pacificDay(at);
    const midnightMs = nextPacificMidnight(at).getTime();
    const spent = new Map(
      (await listLimits(db, youtubeCredential)).map(({ bucket, day, spent: units, pausedUntil }) => {
        if (pausedUntil?.getTime() === midnightMs) return [bucket, youtubeDailyUnits];
        return [bucket, day === today ? units : 0];
      }),
    );
    return youtubeBuckets.map(bucket => ({
      value: Math.max(0, youtubeDailyUnits - (spent.get(bucket) ?? 0)),
      attributes: { 'hookline.quota.name': bucket },
    }));
  });
}
