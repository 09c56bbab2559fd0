import {
  contentApproved,
  contentRejected,
  jobCompleted,
  scheduleFailed,
  schedulePublished,
  scheduleSentToDrafts,
} from '@hookline/shared/events';
import { type Consumer, on } from '@hookline/shared/service';
import type { AutomationDeps } from '../deps.ts';
import { publishEvent } from './publish.ts';

/** Puts the six public events into the feed and makes their deliveries. */
export function webhookEventsConsumer(deps: Pick<AutomationDeps, 'now'>): Consumer {
  return {
    name: 'webhook-events',
    gathers: true,
    reactions: [
      on(jobCompleted, (tx, event) => publishEvent(tx, event, event.data.job, deps.now())),
      on(contentApproved, (tx, event) => publishEvent(tx, event, event.data.content, deps.now())),
      on(contentRejected, (tx, event) => publishEvent(tx, event, event.data.content, deps.now())),
      on(scheduleSentToDrafts, (tx, event) => publishEvent(tx, event, event.data.schedule, deps.now())),
      on(schedulePublished, (tx, event) => publishEvent(tx, event, event.data.schedule, deps.now())),
      on(scheduleFailed, (tx, event) => publishEvent(tx, event, event.data.schedule, deps.now())),
    ],
  };
}
