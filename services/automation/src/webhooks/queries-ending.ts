import type { Sql, Transaction } from '@hookline/shared/postgres';
import { channels } from '../channels.ts';

/**
 * A batch takes 0.1 to 0.2 s. A whole backlog would, from some hundred thousand on, exceed the limit of 10 s.
 */
export const endedMax = 5_000;
const endpointsMax = 100;

/**
 * Fails the pending deliveries of endpoints that this transaction disables or deletes. If there are more than
 * 5,000, the endpoints are marked: their deliveries are claimed no more, and the worker fails the rest.
 */
export async function endDeliveries(
  tx: Transaction,
  webhookIds: readonly string[],
  now: Date,
): Promise<void> {
  if (!(await failBatch(tx, webhookIds, now))) return;
  await tx.query(
    `with marked as (
       update webhooks w set ends_deliveries = true
       where id = any ($1)
         and exists (select 1 from deliveries d where d.webhook_id = w.id and d.status = 'pending')
       returning id
     )
     select pg_notify('${channels.webhooks}', id) from marked`,
    [webhookIds],
  );
}

/** Removes the mark after the last delivery. @returns true if there are more */
export async function endMoreDeliveries(tx: Transaction, webhookId: string, now: Date): Promise<boolean> {
  // Every transaction that locks both locks the endpoint before its deliveries.
  const values = [webhookId];
  const marked = await tx.query('select from webhooks where id = $1 and ends_deliveries for update', values);
  if (marked.length === 0) return false;
  if (await failBatch(tx, [webhookId], now)) return true;
  await tx.query('update webhooks set ends_deliveries = false where id = $1', [webhookId]);
  return false;
}

export function isEnding(tx: Transaction, webhookId: string): Promise<boolean> {
  return tx.exists('select from webhooks where id = $1 and ends_deliveries', [webhookId]);
}

export function listEndingWebhooks(sql: Sql): Promise<string[]> {
  return sql.column<string>(
    `select id from webhooks where ends_deliveries order by id limit ${endpointsMax}`,
  );
}

/** @returns true if there may be more. */
async function failBatch(tx: Transaction, webhookIds: readonly string[], now: Date): Promise<boolean> {
  const { count } = await tx.only<{ count: number }>(
    `with waiting as materialized (
       select d.id from unnest($1::text[]) as w (id)
       cross join lateral (
         select id from deliveries where webhook_id = w.id and status = 'pending'
         order by next_attempt_at, sequence limit ${endedMax}
       ) d
       limit ${endedMax}
     ),
     -- All statements that lock several deliveries lock them in the order of their ids.
     held as materialized (
       select id from deliveries where id = any (array(select id from waiting)) and status = 'pending'
       order by id for update
     ),
     failed as (
       update deliveries set status = 'failed', next_attempt_at = null, updated_at = $2
       where id = any (array(select id from held))
     )
     select count(*)::int as count from waiting`,
    [webhookIds, now],
  );
  return count === endedMax;
}
