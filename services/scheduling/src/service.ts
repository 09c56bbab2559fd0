import { defineService } from '@hookline/shared/service';
import { contentDecided } from './consumers/content-decided.ts';
import { ownEvents } from './consumers/own-events.ts';
import { scheduleRequested } from './consumers/schedule-requested.ts';
import { createDeps } from './deps.ts';
import { watchPosting } from './metrics.ts';
import { addAccountRoutes } from './routes/accounts.ts';
import { addInternalRoutes } from './routes/internal.ts';
import { addMediaRoutes } from './routes/media.ts';
import { addPlatformEventRoutes } from './routes/platform-events.ts';
import { addScheduleRoutes } from './routes/schedules.ts';
import { schedulingSettings } from './settings.ts';
import { defaultTimings, type Timings } from './timings.ts';
import { answerRequests } from './workers/answer-requests.ts';
import { keepAccounts } from './workers/keep-accounts.ts';
import { pollStatus } from './workers/poll-status.ts';
import { reconcilePermits } from './workers/reconcile-permits.ts';
import { sendDue } from './workers/send-due.ts';
import { tidy } from './workers/tidy.ts';

/** The service with timings of its own. Tests shorten them. */
export function createScheduling(timings: Partial<Timings> = {}) {
  return defineService({
    name: 'scheduling',
    settings: schedulingSettings,
    deps: runtime => createDeps(runtime, { ...defaultTimings, ...timings }),
    routes: [addAccountRoutes, addScheduleRoutes, addInternalRoutes, addMediaRoutes, addPlatformEventRoutes],
    consumers: deps => [ownEvents(deps), contentDecided(deps), scheduleRequested(deps)],
    workers: [sendDue, pollStatus, answerRequests, keepAccounts, reconcilePermits, tidy],
    gauges: watchPosting,
  });
}

/** TikTok accounts, schedules, and their posts: each at most once. */
export const scheduling = createScheduling();
