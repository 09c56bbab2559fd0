import { columnsOf, type Sql, type Transaction } from '@hookline/shared/postgres';
import { channels } from '../channels.ts';
import { findNextDueAt, makeDue } from '../deliveries/queries-queue.ts';
import type { ClaimedDelivery } from '../deliveries/record.ts';

export type ClaimOptions = {
  now: Date;
  leaseUntil: Date;
  token: string;
  /** Endpoints not listed have `roomElse`. */
  room: ReadonlyMap<string, number>;
  roomElse: number;
  limit: number;
};

export type Claim = {
  deliveries: ClaimedDelivery[];
  webhookIds: string[];
  /** More may be due for endpoints with room. */
  hasMore: boolean;
};

// A claim does not read a long queue behind one slow resource again and again.
const readAheadMax = 100;

/** A first attempt waits for those of the earlier events of its resource, so that they come in order. */
function claimable(endpoint: string, now: string): string {
  return `select * from (
      select id, webhook_id, resource, sequence, attempted_at, next_attempt_at from deliveries
      where webhook_id = ${endpoint} and status = 'pending' and next_attempt_at <= ${now}
      order by next_attempt_at, sequence limit ${readAheadMax}
    ) near
    where attempted_at is not null or not exists (
      -- "is not distinct from": with statistics from before a backlog, an index on the endpoint looks as good
      -- as that on the resource, and would read the whole backlog for each of its rows.
      select 1 from deliveries earlier
      where earlier.resource = near.resource and earlier.webhook_id is not distinct from near.webhook_id
        and earlier.sequence < near.sequence and earlier.status = 'pending' and earlier.attempted_at is null
    )`;
}

/**
 * Takes deliveries of the endpoint that has been due for longest first. Endpoints stay due until
 * `queueAgain`.
 * @param sql outside a transaction, so that the call is planned for the table as it is: a plan from before
 * the first burst would read it whole
 */
export async function claimDeliveries(sql: Sql, options: ClaimOptions): Promise<Claim> {
  const due = await listDueEndpoints(sql, options);
  const deliveries = due.length === 0 ? [] : await takeDeliveries(sql, due, options);
  const isFull = deliveries.length === options.limit;
  const taken = new Set(deliveries.map(({ webhookId }) => webhookId));
  const lastTaken = due.findLastIndex(({ webhookId }) => taken.has(webhookId));
  return {
    deliveries,
    webhookIds: due.slice(0, isFull ? lastTaken + 1 : due.length).map(({ webhookId }) => webhookId),
    hasMore: isFull || due.length === options.limit,
  };
}

type DueEndpoint = { webhookId: string; slots: number };

/** Endpoints that are disabled or deleted have no slots: they only leave the queue. */
function listDueEndpoints(sql: Sql, { now, limit, room, roomElse }: ClaimOptions): Promise<DueEndpoint[]> {
  return sql.query<DueEndpoint>(
    `select q.webhook_id as "webhookId",
       case when w.status = 'enabled' and w.deleted_at is null then coalesce(r.slots, $2) else 0 end as slots
     from webhook_queue q
       left join webhooks w on w.id = q.webhook_id
       left join unnest($3::text[], $4::int[]) as r (webhook_id, slots) on r.webhook_id = q.webhook_id
     where q.next_due_at <= $1 and coalesce(r.slots, $2) > 0
     order by q.next_due_at limit $5`,
    [now, roomElse, [...room.keys()], [...room.values()], limit],
  );
}

async function takeDeliveries(
  sql: Sql,
  due: readonly DueEndpoint[],
  { now, leaseUntil, token, limit }: ClaimOptions,
): Promise<ClaimedDelivery[]> {
  const rows = await sql.query<ClaimedDelivery>(
    `with picked as (
       select held.id
       from unnest($4::text[], $5::int[]) with ordinality as due (webhook_id, slots, nth)
       cross join lateral (
         select d.id from (${claimable('due.webhook_id', '$1')}) near
         -- Other processes claim at the same time. Only the id leads to the row, because next_attempt_at, which
         -- pending ones alone have, is in no index of its own.
         cross join lateral (
           select id from deliveries where id = near.id and next_attempt_at <= $1 for update skip locked
         ) d
         order by near.next_attempt_at, near.sequence limit due.slots
       ) held
       order by due.nth limit $6
     ),
     claimed as (
       update deliveries d set next_attempt_at = $2, lease_token = $3
       where d.id = any (array(select id from picked))
       returning d.*
     )
     select c.id, c.webhook_id as "webhookId", c.event_id as "eventId", c.event_type as "eventType", c.status,
       c.lease_token as token, c.attempts, c.attempts_made as "attemptsMade", c.next_attempt_at as "nextAttemptAt",
       c.created_at as "createdAt", c.updated_at as "updatedAt", w.url, w.secrets, w.reads_content as "readsContent",
       w.reads_schedules as "readsSchedules",
       json_build_object('id', e.id, 'position', e.position, 'type', e.type, 'resource', e.resource,
         'sequence', e.sequence, 'data', e.data, 'createdAt', e.created_at, 'requestId', e.request_id, 'traceparent', e.traceparent) as event
     from claimed c
       join webhooks w on w.id = c.webhook_id
       join feed_events e on e.id = c.event_id
       -- A claim lost in a crash of Postgres is made again, so its commit does not wait for the disk.
       cross join (select set_config('synchronous_commit', 'off', true)) commit
     order by c.created_at, e.sequence`,
    [now, leaseUntil, token, ...columnsOf(due, 'webhookId', 'slots'), limit],
  );
  // JSON has no type for times.
  return rows.map(row => ({ ...row, event: { ...row.event, createdAt: new Date(row.event.createdAt) } }));
}

/**
 * Writes when to look at endpoints again after a claim. One with more due deliveries queues behind the
 * others. Where all that is due waits for earlier events, the outcomes of those make the endpoint due; the
 * second is for an event that was written at the same time. Endpoints that are being written stay due.
 * @returns when the next endpoint becomes due, or null
 */
export async function queueAgain(
  tx: Transaction,
  webhookIds: readonly string[],
  now: Date,
): Promise<Date | null> {
  const [locked] = await Promise.all([
    tx.query<{ id: string }>(
      `select webhook_id as id from webhook_queue where webhook_id = any ($1)
       order by webhook_id for update skip locked`,
      [webhookIds],
    ),
    tx.query(`select set_config('plan_cache_mode', 'force_custom_plan', true),
      set_config('synchronous_commit', 'off', true)`),
  ]);
  // After the locks, so that it sees the deliveries of everybody who had them before.
  const [, next] = await Promise.all([
    tx.query(
      `with again as (
       select w.id, case
           when exists (${claimable('w.id', '$2')}) then $2
           when first.at > $2 then first.at
           else $2::timestamptz + interval '1 s'
         end as at
       from webhooks w
       cross join lateral (
         select next_attempt_at as at from deliveries where webhook_id = w.id and status = 'pending'
         order by next_attempt_at, sequence limit 1
       ) first
       where w.id = any ($1) and w.status = 'enabled' and w.deleted_at is null
     ),
     emptied as (
       delete from webhook_queue where webhook_id = any ($1) and webhook_id not in (select id from again)
     )
     update webhook_queue q set next_due_at = again.at from again where q.webhook_id = again.id`,
      [locked.map(({ id }) => id), now],
    ),
    findNextDueAt(tx, now),
  ]);
  return next;
}

/** @returns the ids of leases that no other process has taken over */
export function renewLeases(
  sql: Sql,
  ids: readonly string[],
  { token, leaseUntil }: { token: string; leaseUntil: Date },
): Promise<string[]> {
  return sql.column<string>(
    `update deliveries set next_attempt_at = $3
     where id = any ($1) and lease_token = $2 and status = 'pending' returning id`,
    [ids.toSorted(), token, leaseUntil],
  );
}

export async function releaseDeliveries(
  sql: Sql,
  ids: readonly string[],
  { token, now }: { token: string; now: Date },
): Promise<void> {
  const released = await sql.query<{ webhookId: string }>(
    `update deliveries set next_attempt_at = $3, lease_token = null
     where id = any ($1) and lease_token = $2 and status = 'pending' returning webhook_id as "webhookId"`,
    [ids.toSorted(), token, now],
  );
  await makeDue(
    sql,
    released.map(({ webhookId }) => webhookId),
    now,
  );
  await sql.query(`select pg_notify('${channels.deliveries}', '')`);
}
