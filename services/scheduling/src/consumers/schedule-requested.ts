import { automationScheduleRequested } from '@hookline/shared/events';
import { type Consumer, on } from '@hookline/shared/service';
import { requestSchedule } from '../actions/request-schedule.ts';
import type { SchedulingDeps } from '../deps.ts';

/** Stores what an automation asks for. A worker does it: its checks call other services and the platform. */
export function scheduleRequestedConsumer(deps: SchedulingDeps): Consumer {
  return {
    name: 'schedule-requested',
    reactions: [
      on(automationScheduleRequested, (tx, { data, accountId }) =>
        requestSchedule(deps, tx, accountId, data),
      ),
    ],
  };
}
