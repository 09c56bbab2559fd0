import {
  accountConnected,
  accountNeedsReauth,
  automationSkipped,
  contentApproved,
  contentChangesRequested,
  contentRejected,
  creditsLow,
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
      on(accountConnected, (tx, event) => publishEvent({ tx, now: now() }, event, event.data.account)),
      on(accountNeedsReauth, (tx, event) => publishEvent({ tx, now: now() }, event, event.data.account)),
      // The balance stays with those who may read credits.
      on(creditsLow, (tx, event) => publishEvent({ tx, now: now() }, event, { level: event.data.level })),
      on(scheduleFailed, (tx, event) => publishEvent({ tx, now: now() }, event, event.data.schedule)),
    ],
  };
}
