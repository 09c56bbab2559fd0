import { createCountMetric, watchGauge } from '@hookline/shared/kernel';
import { youtubeBuckets } from './adapters/youtube.ts';
import type { AnalyticsDeps } from './deps.ts';
import { listLimits } from './queries/api-limits.ts';
import { nextPacificMidnight, pacificDay } from './rules/pacific-day.ts';

const schedules = createCountMetric('hookline.analytics.schedules');
const collections = createCountMetric('hookline.analytics.collections');

export function countSchedule(outcome: string): void {
  schedules({ 'hookline.posting.outcome': outcome });
}

export function countCollection(platform: string, outcome: 'measured' | 'missed' | 'failed'): void {
  collections({ 'hookline.platform': platform, 'hookline.collection.outcome': outcome });
}

/** Units that the day's quota still has; none where YouTube says that they are spent, and the call rests until midnight. */
export function watchGauges(
  deps: Pick<AnalyticsDeps, 'db' | 'now' | 'youtubeCredential' | 'youtubeDailyUnits'>,
): void {
  const { db, now, youtubeCredential, youtubeDailyUnits } = deps;
  watchGauge('hookline.analytics.quota', async () => {
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
