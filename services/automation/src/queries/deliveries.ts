import type { Delivery, DeliveryAttempt } from '@hookline/shared/contracts/webhooks';
import { oneRow, type Sql, type Transaction } from '@hookline/shared/db';
import { notFound } from '@hookline/shared/errors';
import { newId } from '@hookline/shared/ids';
import type { Page } from '@hookline/shared/paging';
import type { FeedEventRow } from './feed.ts';
import type { SealedSecret } from './webhooks.ts';

/** The channel that wakes the delivery worker: some delivery is due. */
export const deliveryChannel = 'automation_deliveries';

export type DeliveryRow = {
  id: string;
  webhookId: string;
  eventId: string;
  eventType: string;
  status: 'pending' | 'delivered' | 'failed';
  attempts: DeliveryAttempt[];
  attemptsMade: number;
  nextAttemptAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

const columns = `id, webhook_id as "webhookId", event_id as "eventId", event_type as "eventType", status, attempts,
  attempts_made as "attemptsMade", next_attempt_at as "nextAttemptAt", created_at as "createdAt",
  updated_at as "updatedAt"`;

export function toDelivery(row: DeliveryRow): Delivery {
  const { attemptsMade: _made, ...fields } = row;
  return {
    ...fields,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** One delivery per enabled endpoint of the account that asked for this type, in the event's own transaction. */
export async function insertDeliveries(
  tx: Transaction,
  accountId: string,
  event: Omit<FeedEventRow, 'position'>,
  now: Date,
): Promise<void> {
  // Shared lock: an endpoint that is being disabled or deleted is waited for, so none gets a row afterwards.
  const webhooks = await tx.query<{ id: string }>(
    `select id from webhooks
     where account_id = $1 and status = 'enabled' and deleted_at is null and $2 = any (events)
     order by id for share`,
    [accountId, event.type],
  );
  if (webhooks.length === 0) return;
  await tx.query(
    `with written as (
       insert into deliveries (id, webhook_id, event_id, event_type, resource, sequence, next_attempt_at, created_at,
         updated_at)
       select id, webhook_id, $3, $4, $5, $6, $7, $7, $7 from unnest($1::text[], $2::text[]) as d (id, webhook_id)
     )
     select pg_notify('${deliveryChannel}', '')`,
    [
      webhooks.map(() => newId('delivery', now.getTime())),
      webhooks.map(webhook => webhook.id),
      event.id,
      event.type,
      event.resource,
      event.sequence,
      now,
    ],
  );
}

export type ClaimedDelivery = DeliveryRow & { url: string; secrets: SealedSecret[]; event: FeedEventRow };

export type ClaimOptions = {
  now: Date;
  leaseUntil: Date;
  token: string;
  /** Deliveries in hand of this process, per endpoint. */
  inHand: ReadonlyMap<string, number>;
  perEndpointMax: number;
  limit: number;
};

/**
 * Takes due deliveries, the longest waiting first and no more than `perEndpointMax` of one endpoint in hand. A first
 * attempt waits for those of the resource's earlier events, so that first deliveries come in order.
 */
export async function claimDeliveries(sql: Sql, options: ClaimOptions): Promise<ClaimedDelivery[]> {
  const { now, leaseUntil, token, inHand, perEndpointMax, limit } = options;
  const rows = await sql.query<ClaimedDelivery>(
    // The recursion reads one index entry per endpoint: a backlog of one costs the others nothing.
    `with recursive endpoints as (
       (select webhook_id from deliveries where status = 'pending' order by webhook_id limit 1)
       union all
       select (select d.webhook_id from deliveries d where d.status = 'pending' and d.webhook_id > e.webhook_id
               order by d.webhook_id limit 1)
       from endpoints e where e.webhook_id is not null
     ),
     free as (
       select e.webhook_id, $5 - coalesce(h.in_hand, 0) as slots
       from endpoints e
       left join unnest($6::text[], $7::int[]) as h (webhook_id, in_hand) on h.webhook_id = e.webhook_id
       where e.webhook_id is not null
     ),
     picked as (
       select due.id, due.next_attempt_at
       from free
       cross join lateral (
         select d.id, d.next_attempt_at from deliveries d
         where d.webhook_id = free.webhook_id and d.status = 'pending' and d.next_attempt_at <= $1
           and (d.attempted_at is not null or not exists (
             select 1 from deliveries earlier
             where earlier.webhook_id = d.webhook_id and earlier.resource = d.resource
               and earlier.sequence < d.sequence and earlier.status = 'pending' and earlier.attempted_at is null
           ))
         order by d.next_attempt_at, d.sequence limit greatest(free.slots, 0)
         for update of d skip locked
       ) due
       order by due.next_attempt_at limit $4
     ),
     claimed as (
       update deliveries d set next_attempt_at = $2, lease_token = $3
       from picked where d.id = picked.id
       returning d.*
     )
     select c.id, c.webhook_id as "webhookId", c.event_id as "eventId", c.event_type as "eventType", c.status,
       c.attempts, c.attempts_made as "attemptsMade", c.next_attempt_at as "nextAttemptAt",
       c.created_at as "createdAt", c.updated_at as "updatedAt", w.url, w.secrets,
       json_build_object('id', e.id, 'position', e.position, 'type', e.type, 'resource', e.resource,
         'sequence', e.sequence, 'data', e.data, 'createdAt', e.created_at) as event
     from claimed c
     join webhooks w on w.id = c.webhook_id
     join feed_events e on e.id = c.event_id`,
    [now, leaseUntil, token, limit, perEndpointMax, [...inHand.keys()], [...inHand.values()]],
  );
  // JSON has no time of its own.
  return rows.map(row => ({ ...row, event: { ...row.event, createdAt: new Date(row.event.createdAt) } }));
}

/** Lengthens the leases of deliveries in hand; those that were taken over meanwhile are left alone. */
export async function renewLeases(
  sql: Sql,
  held: readonly { id: string; token: string }[],
  leaseUntil: Date,
): Promise<void> {
  await sql.query(
    `update deliveries d set next_attempt_at = $3
     from unnest($1::text[], $2::text[]) as h (id, token)
     where d.id = h.id and d.lease_token = h.token and d.status = 'pending'`,
    [held.map(({ id }) => id), held.map(({ token }) => token), leaseUntil],
  );
}

/** When the next delivery becomes due, or null. */
export async function findNextAttemptAt(sql: Sql, after: Date): Promise<Date | null> {
  const row = oneRow(
    await sql.query<{ at: Date | null }>(
      `select min(next_attempt_at) as at from deliveries where status = 'pending' and next_attempt_at > $1`,
      [after],
    ),
  );
  return row.at;
}

export type AttemptRecord = {
  id: string;
  token: string;
  attempt: DeliveryAttempt;
  status: 'pending' | 'delivered' | 'failed';
  nextAttemptAt: Date | null;
  now: Date;
};

/**
 * Writes an attempt's outcome; nothing when another worker took the delivery over. One that ended meanwhile
 * because its endpoint was disabled stays ended, unless it arrived after all.
 */
export async function recordAttempt(sql: Sql, record: AttemptRecord): Promise<void> {
  await sql.query(
    `update deliveries d set
       attempts = case when jsonb_array_length(d.attempts) >= 50 then d.attempts - 0 else d.attempts end || $3::jsonb,
       attempts_made = d.attempts_made + 1,
       attempted_at = $6,
       status = case when d.status = 'pending' or $4 = 'delivered' then $4 else d.status end,
       next_attempt_at = case when d.status = 'pending' then $5::timestamptz end,
       lease_token = null,
       updated_at = $6
     where d.id = $1 and d.lease_token = $2`,
    [
      record.id,
      record.token,
      JSON.stringify([record.attempt]),
      record.status,
      record.nextAttemptAt,
      record.now,
    ],
  );
}

/** Nothing is delivered to an endpoint that is disabled or gone: what waits for it ends as failed. */
export async function failPendingDeliveries(tx: Transaction, webhookId: string, now: Date): Promise<void> {
  await tx.query(
    `update deliveries set status = 'failed', next_attempt_at = null, updated_at = $2
     where webhook_id = $1 and status = 'pending'`,
    [webhookId, now],
  );
}

export function listDeliveries(
  sql: Sql,
  webhookId: string,
  status: string | undefined,
  page: Page,
): Promise<DeliveryRow[]> {
  return sql.query<DeliveryRow>(
    `select ${columns} from deliveries
     where webhook_id = $1 and ($2::text is null or status = $2)
       and ($3::timestamptz is null or (created_at, id) < ($3, $4))
     order by created_at desc, id desc limit $5`,
    [webhookId, status ?? null, page.after?.createdAt ?? null, page.after?.id ?? null, page.limit + 1],
  );
}

/** Starts a new series of attempts, now. One that is in a worker's hand is left to it. @throws ApiError `not_found` */
export async function replayDelivery(
  tx: Transaction,
  webhookId: string,
  id: string,
  now: Date,
): Promise<DeliveryRow> {
  await tx.query(
    `with due as (
       update deliveries set status = 'pending', attempts_made = 0, next_attempt_at = $3, lease_token = null,
         updated_at = $3
       where webhook_id = $1 and id = $2 and not (status = 'pending' and lease_token is not null and next_attempt_at > $3)
     )
     select pg_notify('${deliveryChannel}', '')`,
    [webhookId, id, now],
  );
  const [row] = await tx.query<DeliveryRow>(
    `select ${columns} from deliveries where webhook_id = $1 and id = $2`,
    [webhookId, id],
  );
  if (!row) throw notFound('delivery');
  return row;
}
