import type { Transaction } from '@hookline/shared/postgres';
import { channels } from '../channels.ts';
import type { NewFeedEvent } from '../records/feed-event.ts';
import { insertFeedEvent } from './feed.ts';
import { makesDue } from './webhook-queue.ts';

/**
 * Appends the event to its account's feed, in the order of commits, and writes a delivery, due now, for each
 * enabled endpoint that subscribes to its type. Endpoints are read under the lock on the feed's head, which
 * disabling and deleting take too, so an endpoint gets no delivery afterwards. Two statements in one round
 * trip, because every event takes this path.
 */
export async function insertEventWithDeliveries(
  tx: Transaction,
  event: NewFeedEvent,
  now: Date,
): Promise<void> {
  // In this order: the second reads the endpoints after the first has taken the lock.
  const appended = insertFeedEvent(tx, event);
  const written = tx.query(
    // The id is the event's time and a digest of both, so it is as unique as the pair and set in bulk here.
    `with written as (
     insert into deliveries (id, webhook_id, event_id, event_type, resource, sequence, next_attempt_at, created_at,
       updated_at)
     select 'delivery_' || substr($1, length('event_') + 1, 10) || substr(md5($1 || w.id), 1, 16),
       w.id, $1, $3, $4, $5, $6, $6, $6
     from webhooks w
     where w.account_id = $2 and w.status = 'enabled' and w.deleted_at is null and $3 = any (w.events)
     returning webhook_id
     ), due as (${makesDue('written', '$6')})
     select from written`,
    [event.id, event.accountId, event.type, event.resource, event.sequence, now],
  );
  const [, rows] = await Promise.all([appended, written]);
  if (rows.length > 0) tx.notifyAfterCommit(channels.deliveries);
}
