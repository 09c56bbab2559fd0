import { defineService } from '@hookline/shared/service';
import { scheduleFinished } from './consumers/schedule-finished.ts';
import { createDeps } from './deps.ts';
import { watchQuota } from './metrics.ts';
import { addAnalyticsRoutes } from './routes/analytics.ts';
import { addSourceRoutes } from './routes/sources.ts';
import { analyticsSettings } from './settings.ts';
import { defaultTimings, type Timings } from './timings.ts';
import { collectInstagramPosts } from './workers/collect-instagram.ts';
import { collectYoutubePosts } from './workers/collect-youtube.ts';
import { keepPartitions } from './workers/keep-partitions.ts';
import { refreshSources } from './workers/refresh-sources.ts';

/** The service with timings of its own. Tests shorten them. */
export function createAnalytics(timings: Partial<Timings> = {}) {
  return defineService({
    name: 'analytics',
    settings: analyticsSettings,
    deps: runtime => createDeps(runtime, { ...defaultTimings, ...timings }),
    routes: [addAnalyticsRoutes, addSourceRoutes],
    consumers: () => [scheduleFinished],
    workers: [collectYoutubePosts, collectInstagramPosts, refreshSources, keepPartitions],
    gauges: watchQuota,
  });
}

/** Published posts, their numbers on Instagram and YouTube, and how schedules ended. */
export const analytics = createAnalytics();
