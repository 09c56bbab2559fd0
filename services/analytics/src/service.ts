import { defineService } from '@hookline/shared/service';
import { collectInstagramWorker, collectYoutubeWorker } from './collecting/worker.ts';
import { decksConsumer } from './decks/consumer.ts';
import { addDeckRoutes } from './decks/routes.ts';
import { teachAppsWorker } from './decks/worker.ts';
import { createDeps } from './deps.ts';
import { keepVerdicts } from './experiments/judge.ts';
import { addExperimentRoutes } from './experiments/routes.ts';
import { watchGauges } from './metrics.ts';
import { addPostRoutes } from './posts/routes.ts';
import { analyticsSettings } from './settings.ts';
import { addSourceRoutes } from './sources/routes.ts';
import { refreshSourcesWorker } from './sources/worker.ts';
import { addSummaryRoutes } from './summary/routes.ts';
import { defaultTimings, type Timings } from './timings.ts';
import { scheduleFinishedConsumer } from './upkeep/consumer.ts';
import { addUpkeepRoutes } from './upkeep/routes.ts';
import { keepPartitionsWorker } from './upkeep/worker.ts';

/** The service with custom timings; tests shorten them. */
export function createAnalytics(timings: Partial<Timings> = {}) {
  return defineService({
    name: 'analytics',
    settings: analyticsSettings,
    deps: runtime => createDeps(runtime, { ...defaultTimings, ...timings }),
    routes: [
      addSummaryRoutes,
      addPostRoutes,
      addSourceRoutes,
      addDeckRoutes,
      addExperimentRoutes,
      addUpkeepRoutes,
    ],
    consumers: () => [decksConsumer, scheduleFinishedConsumer],
    workers: [
      collectYoutubeWorker,
      collectInstagramWorker,
      refreshSourcesWorker,
      deps => teachAppsWorker(deps, keepVerdicts),
      keepPartitionsWorker,
    ],
    gauges: watchGauges,
  });
}

/** Published posts and their numbers on Instagram and YouTube. */
export const analytics = createAnalytics();
