import { minuteMs } from '@hookline/shared/kernel/durations';
import { defineService } from '@hookline/shared/service';
import { contentDecidedConsumer } from './consumers/content-decided.ts';
import { scheduleRequestedConsumer } from './consumers/schedule-requested.ts';
import { createDeps } from './deps.ts';
import { watchGauges } from './metrics.ts';
import { addAccountRoutes } from './routes/accounts.ts';
import { addMediaRoutes, addPlatformEventRoutes } from './routes/attempts.ts';
import { addConnectRoutes } from './routes/connect.ts';
import { addCreateRoutes } from './routes/create-schedule.ts';
import { addUpkeepRoutes } from './routes/internal.ts';
import { addRequestRoutes } from './routes/requests.ts';
import { addScheduleRoutes } from './routes/schedules.ts';
import { schedulingSettings } from './settings.ts';
import { defaultTimings, type Timings } from './timings.ts';
import { answerRequestsWorker } from './workers/answer-requests.ts';
import { keepAccountsWorker } from './workers/keep-accounts.ts';
import { pollStatusWorker } from './workers/poll-status.ts';
import { sendDueWorker } from './workers/send-due.ts';
import { pruneOldWorker, reconcilePermitsWorker } from './workers/upkeep.ts';

/** The service with custom timings; tests shorten them. */
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
      addCreateRoutes,
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
      answerRequestsWorker,
      keepAccountsWorker,
      reconcilePermitsWorker,
      pruneOldWorker,
    ],
    gauges: watchGauges,
  });
}

/** TikTok accounts, schedules, and their posts: each at most once. */
export const scheduling = createScheduling();
