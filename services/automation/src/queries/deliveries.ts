import type { Delivery, DeliveryAttempt } from '@hookline/shared/contracts/webhooks';
import { oneRow, type Sql, type Transaction } from '@hookline/shared/db';
import { notFound } from '@hookline/shared/errors';
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

export type ClaimedDelivery = DeliveryRow & { url: string; secrets: SealedSecret[]; event: TracedEvent };

/** With the request and span in which it reached the feed; null in rows that were written before they were kept. */
export type TracedEvent = FeedEventRow & { requestId: string | null; traceparent: string | null };

export type ClaimOptions = {
  now: Date;
  leaseUntil: Date;
  token: string;
  /** How many more of an endpoint may be taken; one that is not named: `roomElse`. */
  room: ReadonlyMap<string, number>;
  roomElse: number;
  limit: number;
};

// Due rows of one endpoint that a claim looks through: a long queue behind one slow resource must not be read again and again.
const lookAheadMax = 200;

/**
 * Takes due deliveries, the longest waiting first and no more of one endpoint than there is room for. A first
 * attempt waits until that of the resource's earlier events is over, so that first deliveries come in order.
 */
export async function claimDeliveries(sql: Sql, options: ClaimOptions): Promise<ClaimedDelivery[]> {
  const { now, leaseUntil, token, room, roomElse, limit } = options;
  const rows = await sql.query<ClaimedDelivery>(
    // The recursion reads one index entry per endpoint: a backlog of one costs the others nothing. Conditions are
    // written so that the planner has one way only: statistics from before a backlog made it choose one that took
    // 80 ms a claim, and 500 ms on a new table.
    `with recursive endpoints as (
       (select webhook_id from deliveries where status = 'pending' order by webhook_id limit 1)
       union all
       select (select d.webhook_id from deliveries d where d.status = 'pending' and d.webhook_id > e.webhook_id
               order by d.webhook_id limit 1)
       from endpoints e where e.webhook_id is not null
     ),
     free as (
       select e.webhook_id, coalesce(r.slots, $5) as slots
       from endpoints e
       left join unnest($6::text[], $7::int[]) as r (webhook_id, slots) on r.webhook_id = e.webhook_id
       where e.webhook_id is not null and coalesce(r.slots, $5) > 0
     ),
     picked as (
       select due.id, due.next_attempt_at
       from free
       cross join lateral (
         select d.id, d.next_attempt_at from deliveries d
         join (
           select near.id from deliveries near
           where near.webhook_id = free.webhook_id and near.status = 'pending' and near.next_attempt_at <= $1
           order by near.next_attempt_at, near.sequence limit ${lookAheadMax}
         ) front on front.id = d.id
         -- Once more for the row as it is when it is locked; said so that only its id leads to it.
         where d.status = 'pending' and coalesce(d.next_attempt_at, 'infinity') <= $1
           and (d.attempted_at is not null or not exists (
             -- "is not distinct from": an index on the endpoint would read its whole backlog for each of its rows.
             select 1 from deliveries earlier
             where earlier.resource = d.resource and earlier.webhook_id is not distinct from d.webhook_id
               and earlier.sequence < d.sequence and earlier.status = 'pending' and earlier.attempted_at is null
           ))
         order by d.next_attempt_at, d.sequence limit free.slots
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
         'sequence', e.sequence, 'data', e.data, 'createdAt', e.created_at, 'requestId', e.request_id, 'traceparent', e.traceparent) as event
     from claimed c
     join webhooks w on w.id = c.webhook_id
     join feed_events e on e.id = c.event_id
     order by c.created_at, e.sequence`,
    [now, leaseUntil, token, limit, roomElse, [...room.keys()], [...room.values()]],
  );
  // JSON has no time of its own.
  return rows.map(row => ({ ...row, event: { ...row.event, createdAt: new Date(row.event.createdAt) } }));
}

/** Lengthens the leases of deliveries in hand; those that were taken over meanwhile are left alone. */
export async function renewLeases(
  sql: Sql,
  ids: readonly string[],
  token: string,
  leaseUntil: Date,
): Promise<void> {
  await sql.query(
    `update deliveries set next_attempt_at = $3
     where id = any ($1) and lease_token = $2 and status = 'pending'`,
    [ids, token, leaseUntil],
  );
}

/** Gives claimed deliveries back that were not begun: any process may take them at once. */
export async function releaseDeliveries(
  sql: Sql,
  ids: readonly string[],
  token: string,
  now: Date,
): Promise<void> {
  await sql.query(
    `with released as (
       update deliveries set next_attempt_at = $3, lease_token = null
       where id = any ($1) and lease_token = $2 and status = 'pending'
     )
     select pg_notify('${deliveryChannel}', '')`,
    [ids, token, now],
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

export type AttemptRecord = { id: string; token: string; attempt: DeliveryAttempt; now: Date };

// The oldest of very many attempts (a delivery replayed again and again) makes room for the newest.
const attemptsKept = `case when jsonb_array_length(d.attempts) >= 50 then d.attempts - 0 else d.attempts end`;

/**
 * Writes attempts that succeeded; nothing where another worker took the delivery over. One that ended meanwhile
 * because its endpoint was disabled has arrived after all.
 * @returns true when a later event of a resource waited for one of them.
 */
export async function recordDelivered(sql: Sql, records: readonly AttemptRecord[]): Promise<boolean> {
  const rows = await sql.query<{ frees: boolean }>(
    `update deliveries d set
       attempts = ${attemptsKept} || jsonb_build_array(r.attempt),
       attempts_made = d.attempts_made + 1,
       attempted_at = r.at,
       status = 'delivered',
       next_attempt_at = null,
       lease_token = null,
       updated_at = r.at
     from unnest($1::text[], $2::text[], $3::jsonb[], $4::timestamptz[]) as r (id, token, attempt, at)
     where d.id = r.id and d.lease_token = r.token
     returning exists (
       select 1 from deliveries later
       where later.webhook_id = d.webhook_id and later.resource = d.resource and later.sequence > d.sequence
         and later.status = 'pending' and later.attempted_at is null
     ) as frees`,
    [
      records.map(({ id }) => id),
      records.map(({ token }) => token),
      records.map(({ attempt }) => JSON.stringify(attempt)),
      records.map(({ now }) => now),
    ],
  );
  return rows.some(({ frees }) => frees);
}

/**
 * Writes an attempt that failed; nothing when another worker took the delivery over. One that ended meanwhile
 * because its endpoint was disabled stays ended.
 * @param nextAttemptAt null when there is none any more.
 */
export async function recordFailed(
  tx: Transaction,
  { id, token, attempt, now }: AttemptRecord,
  nextAttemptAt: Date | null,
): Promise<void> {
  await tx.query(
    `update deliveries d set
       attempts = ${attemptsKept} || $3::jsonb,
       attempts_made = d.attempts_made + 1,
       attempted_at = $5,
       status = case when d.status = 'pending' and $4::timestamptz is null then 'failed' else d.status end,
       next_attempt_at = case when d.status = 'pending' then $4::timestamptz end,
       lease_token = null,
       updated_at = $5
     where d.id = $1 and d.lease_token = $2`,
    [id, token, JSON.stringify([attempt]), nextAttemptAt, now],
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
