import type { Invariant } from '@hookline/shared/postgres';

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
