import { automationScheduleRequested } from '@hookline/shared/events';
import { type Consumer, on } from '@hookline/shared/service';
import type { SchedulingDeps } from '../deps.ts';
import { requestSchedule } from './request.ts';

/** A worker answers the request: its checks call other services and the platform. */
export function scheduleRequestedConsumer(deps: SchedulingDeps): Consumer {
  return {
    name: 'schedule-requested',
    reactions: [
      on(automationScheduleRequested, (tx, { data, accountId }) =>
        requestSchedule({ tx, now: deps.now() }, accountId, data),
      ),
    ],
  };
}
