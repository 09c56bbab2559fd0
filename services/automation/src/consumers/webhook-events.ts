/** The six public events enter the feed and become deliveries, in the transaction of the event's inbox row. */

import type { HooklineEvent } from '@hookline/shared/events';
import {
  contentApproved,
  contentRejected,
  jobCompleted,
  scheduleFailed,
  schedulePublished,
  scheduleSentToDrafts,
} from '@hookline/shared/events';
import type { Transaction } from '@hookline/shared/postgres';
import { type Consumer, on } from '@hookline/shared/service';
import { insertEventWithDeliveries } from '../queries/published-events.ts';

export function webhookEvents(now: () => Date): Consumer {
  async function publish(tx: Transaction, event: HooklineEvent, data: unknown): Promise<void> {
    const row = {
      id: event.id,
      type: event.type,
      resource: `${event.type.split('.')[0]}:${event.subject}`,
      sequence: event.sequence,
      data,
      createdAt: new Date(event.time),
    };
    await insertEventWithDeliveries(tx, { ...row, accountId: event.accountId }, now());
  }

  return {
    name: 'webhook-events',
    gathers: true,
    reactions: [
      on(jobCompleted, (tx, event) => publish(tx, event, event.data.job)),
      on(contentApproved, (tx, event) => publish(tx, event, event.data.content)),
      on(contentRejected, (tx, event) => publish(tx, event, event.data.content)),
      on(scheduleSentToDrafts, (tx, event) => publish(tx, event, event.data.schedule)),
      on(schedulePublished, (tx, event) => publish(tx, event, event.data.schedule)),
      on(scheduleFailed, (tx, event) => publish(tx, event, event.data.schedule)),
    ],
  };
}
