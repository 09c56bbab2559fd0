import { minuteMs } from '@hookline/shared/kernel/durations';
import { defineService } from '@hookline/shared/service';
import { addAccountRoutes } from './accounts/routes.ts';
import { keepAccountsWorker } from './accounts/worker.ts';
import { addMediaRoutes, addPlatformEventRoutes } from './attempts/routes.ts';
import { pollStatusWorker } from './attempts/worker.ts';
import { addConnectRoutes } from './connecting/routes.ts';
import { addCreateRoutes } from './creating/routes.ts';
import { contentDecidedConsumer } from './decisions/consumer.ts';
import { createDeps } from './deps.ts';
import { watchGauges } from './metrics.ts';
import { readNumbersWorker } from './numbers/worker.ts';
import { addPauseRoutes } from './pauses/routes.ts';
import { addPhoneRoutes } from './phone/routes.ts';
import { scheduleRequestedConsumer } from './requests/consumer.ts';
import { addRequestRoutes } from './requests/routes.ts';
import { answerRequestsWorker } from './requests/worker.ts';
import { addScheduleRoutes } from './schedules/routes.ts';
import { sendDueWorker } from './sending/worker.ts';
import { schedulingSettings } from './settings.ts';
import { addSlotRoutes } from './slots/routes.ts';
import { defaultTimings, type Timings } from './timings.ts';
import { addUpkeepRoutes } from './upkeep/routes.ts';
import { pruneOldWorker, reconcilePermitsWorker } from './upkeep/worker.ts';

/** Tests shorten the timings. */
export function createScheduling(timings: Partial<Timings> = {}) {
  return defineService({
    name: 'scheduling',
    settings: schedulingSettings,
    deps: runtime => {
      const lateMaxMs = runtime.settings.POST_LATE_MAX_MINUTES * minuteMs;
      return createDeps(runtime, { ...defaultTimings, lateMaxMs, ...timings });
    },
    routes: [
      addAccountRoutes,
      addConnectRoutes,
      addScheduleRoutes,
      addSlotRoutes,
      addPauseRoutes,
      addCreateRoutes,
      addPhoneRoutes,
      addMediaRoutes,
      addPlatformEventRoutes,
      addRequestRoutes,
      addUpkeepRoutes,
    ],
    consumers: deps => [contentDecidedConsumer(deps), scheduleRequestedConsumer(deps)],
    beforePublishing: ({ watch }, bus) => watch.compareWith(bus),
    workers: [
      sendDueWorker,
      pollStatusWorker,
      readNumbersWorker,
      answerRequestsWorker,
      keepAccountsWorker,
      reconcilePermitsWorker,
      pruneOldWorker,
    ],
    gauges: watchGauges,
  });
}

export const scheduling = createScheduling();
