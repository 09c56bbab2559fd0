import { type DeletionStep, ofAccount, where } from '@hookline/shared/leaving';
import type { Invariant, Sql } from '@hookline/shared/postgres';

// Deletions of this size do not hold locks for long.
const batchMax = 500;

/** Keeps events with a delivery that is replayed and not over. @returns true if there may be more */
export async function pruneEvents(sql: Sql, before: Date): Promise<boolean> {
  const rows = await sql.query(
    `with old as (
       select id from feed_events e
       where created_at < $1
         and not exists (select 1 from deliveries d where d.event_id = e.id and d.status = 'pending')
       order by created_at limit ${batchMax}
     ),
     gone as (delete from deliveries where event_id in (select id from old))
     delete from feed_events where id in (select id from old) returning id`,
    [before],
  );
  return rows.length === batchMax;
}

/** Keeps firings that wait for approval. @returns true if there may be more */
export async function pruneFirings(sql: Sql, before: Date): Promise<boolean> {
  const rows = await sql.query(
    `delete from firings where id in (
       select id from firings
       where status in ('done', 'failed', 'skipped') and created_at < $1 order by created_at limit ${batchMax}
     ) returning id`,
    [before],
  );
  return rows.length === batchMax;
}

/** Rows that reference others come before those. */
export const deletionSteps: readonly DeletionStep[] = [
  where('firings', 'automation_id in (select id from automations where account_id = $1)'),
  ofAccount('automations'),
  where('deliveries', 'webhook_id in (select id from webhooks where account_id = $1)'),
  where('webhook_queue', 'webhook_id in (select id from webhooks where account_id = $1)'),
  ofAccount('webhooks'),
  ofAccount('feed_events'),
  ofAccount('feed_heads'),
  ofAccount('idempotency_keys'),
];

export const automationInvariants: readonly Invariant[] = [
  {
    name: 'automation: a slot has one firing',
    sql: `select automation_id as id, count(*) || ' firings at ' || slot as what from automation.firings
      group by automation_id, slot having count(*) > 1`,
  },
  {
    name: 'automation: slots are settled within 10 minutes',
    sql: `select id, 'due since ' || next_fire_at as what from automation.automations
      where next_fire_at < now() - interval '10 minutes'`,
  },
  {
    name: 'automation: an event goes to an endpoint as one delivery',
    sql: `select event_id as id, count(*) || ' deliveries to ' || webhook_id as what from automation.deliveries
      group by event_id, webhook_id having count(*) > 1`,
  },
  {
    name: 'automation: an enabled endpoint with pending deliveries is queued',
    sql: `select id, 'is not in webhook_queue' as what from automation.webhooks w
      where status = 'enabled' and deleted_at is null
        and exists (select from automation.deliveries d where d.webhook_id = w.id and d.status = 'pending')
        and not exists (select from automation.webhook_queue q where q.webhook_id = w.id)`,
  },
];
