import {
  automationSkipped,
  contentApproved,
  contentChangesRequested,
  contentRejected,
  jobCompleted,
  scheduleDue,
  scheduleFailed,
  schedulePublished,
  scheduleSentToDrafts,
} from '@hookline/shared/events';
import { type Consumer, on } from '@hookline/shared/service';
import type { AutomationDeps } from '../deps.ts';
import { publishEvent } from './publish.ts';

export function webhookEventsConsumer({ now }: Pick<AutomationDeps, 'now'>): Consumer {
  return {
    name: 'webhook-events',
    gathers: true,
    reactions: [
      on(jobCompleted, (tx, event) => publishEvent({ tx, now: now() }, event, event.data.job)),
      on(contentApproved, (tx, event) => publishEvent({ tx, now: now() }, event, event.data.content)),
      on(contentRejected, (tx, event) => publishEvent({ tx, now: now() }, event, event.data.content)),
      on(contentChangesRequested, (tx, event) => publishEvent({ tx, now: now() }, event, event.data.content)),
      on(scheduleDue, (tx, event) => publishEvent({ tx, now: now() }, event, event.data.schedule)),
      on(scheduleSentToDrafts, (tx, event) => publishEvent({ tx, now: now() }, event, event.data.schedule)),
      on(schedulePublished, (tx, event) => publishEvent({ tx, now: now() }, event, event.data.schedule)),
      on(automationSkipped, (tx, event) => publishEvent({ tx, now: now() }, event, event.data.firing)),
      on(scheduleFailed, (tx, event) => publishEvent({ tx, now: now() }, event, event.data.schedule)),
    ],
  };
}
