import { makeOnce } from '@hookline/shared/kernel';
import { defineService, type ServiceDefinition } from '@hookline/shared/service';
import { defaultTimings, type Timings } from './options.ts';
import { type AnalyticsRuntime, createParts, settingNames } from './parts.ts';
import { addAnalyticsRoutes } from './routes/analytics.ts';
import { addSourceRoutes } from './routes/sources.ts';
import { startWorkers } from './workers/start-workers.ts';

/** The service with other times than those of production: for tests. */
export function createAnalytics(
  timings: Partial<Timings> = {},
): ServiceDefinition<(typeof settingNames)[number]> {
  const partsOf = makeOnce((runtime: AnalyticsRuntime) =>
    createParts(runtime, { ...defaultTimings, ...timings }),
  );
  return defineService({
    name: 'analytics',
    settings: settingNames,

    addRoutes(app, runtime) {
      const parts = partsOf(runtime);
      addAnalyticsRoutes(app, parts);
      addSourceRoutes(app, parts);
    },

    startWorkers: runtime => startWorkers(runtime, partsOf(runtime)),
  });
}

/** Published posts, their numbers on Instagram and YouTube, and how schedules ended. */
export const analytics = createAnalytics();
