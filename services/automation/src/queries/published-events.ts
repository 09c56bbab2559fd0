/** A public event enters the feed and becomes deliveries: two statements, because every event takes this way. */
import type { Transaction } from '@hookline/shared/db';
import { deliveryChannel } from './deliveries.ts';
import type { NewFeedEvent } from './feed.ts';

/**
 * The enabled endpoints of an account that asked for this type. Under a shared lock: one that is being disabled or
 * deleted is waited for, so none gets a delivery afterwards.
 */
export async function lockSubscribers(tx: Transaction, accountId: string, type: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select id from webhooks
     where account_id = $1 and status = 'enabled' and deleted_at is null and $2 = any (events)
     order by id for share`,
    [accountId, type],
  );
  return rows.map(({ id }) => id);
}

/** Appends the event to its account's feed, in the order of commits, and writes its deliveries, due now. */
export async function insertEventWithDeliveries(
  tx: Transaction,
  event: NewFeedEvent,
  deliveries: readonly { id: string; webhookId: string }[],
  now: Date,
): Promise<void> {
  await tx.query(
    `with head as (
       insert into feed_heads as h (account_id, position) values ($2, 1)
       on conflict (account_id) do update set position = h.position + 1
       returning position
     ),
     appended as (
       insert into feed_events (id, account_id, position, type, resource, sequence, data, created_at)
       select $1, $2, position, $3, $4, $5, $6, $7 from head
     ),
     written as (
       insert into deliveries (id, webhook_id, event_id, event_type, resource, sequence, next_attempt_at, created_at,
         updated_at)
       select id, webhook_id, $1, $3, $4, $5, $8, $8, $8
       from unnest($9::text[], $10::text[]) as d (id, webhook_id)
       returning 1
     )
     select case when exists (select 1 from written) then pg_notify('${deliveryChannel}', '') end`,
    [
      event.id,
      event.accountId,
      event.type,
      event.resource,
      event.sequence,
      JSON.stringify(event.data),
      event.createdAt,
      now,
      deliveries.map(({ id }) => id),
      deliveries.map(({ webhookId }) => webhookId),
    ],
  );
}
