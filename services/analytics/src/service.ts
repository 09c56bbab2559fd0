import { defineService } from '@hookline/shared/service';
import { scheduleFinishedConsumer } from './consumers/schedule-finished.ts';
import { createDeps } from './deps.ts';
import { watchGauges } from './metrics.ts';
import { addAnalyticsRoutes } from './routes/analytics.ts';
import { addInternalRoutes } from './routes/internal.ts';
import { addSourceRoutes } from './routes/sources.ts';
import { analyticsSettings } from './settings.ts';
import { defaultTimings, type Timings } from './timings.ts';
import { collectInstagramWorker } from './workers/collect-instagram.ts';
import { collectYoutubeWorker } from './workers/collect-youtube.ts';
import { keepPartitionsWorker } from './workers/keep-partitions.ts';
import { refreshSourcesWorker } from './workers/refresh-sources.ts';

/** The service with custom timings; tests shorten them. */
export function createAnalytics(timings: Partial<Timings> = {}) {
  return defineService({
    name: 'analytics',
    settings: analyticsSettings,
    deps: runtime => createDeps(runtime, { ...defaultTimings, ...timings }),
    routes: [addAnalyticsRoutes, addSourceRoutes, addInternalRoutes],
    consumers: () => [scheduleFinishedConsumer],
    workers: [collectYoutubeWorker, collectInstagramWorker, refreshSourcesWorker, keepPartitionsWorker],
    gauges: watchGauges,
  });
}

/** Published posts and their numbers on Instagram and YouTube. */
export const analytics = createAnalytics();
