import type { HooklineEvent } from '@hookline/shared/events';
import type { Transaction } from '@hookline/shared/postgres';
import { insertEventWithDeliveries } from './queries.ts';

/**
 * Appends a public event to its account's feed and creates its deliveries.
 * @param data the object that callers see.
 */
export async function publishEvent(
  tx: Transaction,
  event: HooklineEvent,
  data: unknown,
  now: Date,
): Promise<void> {
  const row = {
    id: event.id,
    accountId: event.accountId,
    type: event.type,
    resource: `${event.type.split('.')[0]}:${event.subject}`,
    sequence: event.sequence,
    data,
    createdAt: new Date(event.time),
  };
  await insertEventWithDeliveries(tx, row, now);
}
