import type { HooklineEvent } from '@hookline/shared/events';
import type { Transaction } from '@hookline/shared/postgres';
import { insertEventWithDeliveries } from './queries.ts';

/** @param data the object that callers see */
export async function publishEvent(
  { tx, now }: { tx: Transaction; now: Date },
  event: HooklineEvent,
  data: unknown,
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
