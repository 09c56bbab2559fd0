import { type Page, pageValues } from '@hookline/shared/kernel';
import { columnsOf, type Sql, type Transaction } from '@hookline/shared/postgres';
import { channels } from '../channels.ts';
import { insertFeedEvent } from '../feed/queries.ts';
import type { NewFeedEvent } from '../feed/record.ts';
import { makeDue, makesDue } from './queries-queue.ts';
import type { AttemptRecord, ShownDelivery, SuccessRecord } from './record.ts';

const columns = `d.id, d.webhook_id as "webhookId", d.event_id as "eventId", d.event_type as "eventType", d.status,
  d.attempts, d.attempts_made as "attemptsMade", d.next_attempt_at as "nextAttemptAt",
  d.attempted_at as "attemptedAt", d.response,
  d.created_at as "createdAt", d.updated_at as "updatedAt", (
    select json_build_object('id', e.id, 'position', e.position, 'type', e.type, 'resource', e.resource,
      'sequence', e.sequence, 'data', e.data, 'createdAt', e.created_at)
    from feed_events e where e.id = d.event_id
  ) as event`;

/** JSON has no type for times. */
function withTimes(row: ShownDelivery): ShownDelivery {
  return row.event ? { ...row, event: { ...row.event, createdAt: new Date(row.event.createdAt) } } : row;
}

// A delivery that is replayed again and again keeps only its newest attempts.
const attemptsKept = `case when jsonb_array_length(d.attempts) >= 50 then d.attempts - 0 else d.attempts end`;

/**
 * Skips deliveries that another worker has taken over. One that has since failed because its endpoint was
 * disabled becomes delivered; so does one whose claim was lost in a crash of Postgres, if its row is
 * unchanged from before the claim.
 * @returns true if a later event of a resource waited for one of them
 */
export async function recordDelivered(sql: Sql, successes: readonly SuccessRecord[]): Promise<boolean> {
  // Concurrent statements lock the same rows in the same order.
  const records = successes.toSorted((left, right) => (left.id < right.id ? -1 : 1));
  const settled = await sql.query<{ webhookId: string; frees: boolean }>(
    `update deliveries d set
       attempts = ${attemptsKept} || jsonb_build_array(r.attempt),
       attempts_made = d.attempts_made + 1,
       attempted_at = r.at,
       status = 'delivered',
       next_attempt_at = null,
       lease_token = null,
       response = r.response,
       updated_at = r.at
     from unnest($1::text[], $2::text[], $3::jsonb[], $4::timestamptz[], $5::timestamptz[], $6::text[])
       as r (id, token, attempt, at, updated_at, response)
     where d.id = r.id and (d.lease_token = r.token or (d.lease_token is null and d.status = 'pending'
       -- Dates have milliseconds.
       and date_trunc('milliseconds', d.updated_at) = r.updated_at))
     returning d.webhook_id as "webhookId", exists (
       select 1 from deliveries later
       where later.webhook_id is not distinct from d.webhook_id and later.resource = d.resource
         and later.sequence > d.sequence and later.status = 'pending' and later.attempted_at is null
     ) as frees`,
    [
      ...columnsOf(records, 'id', 'token'),
      records.map(({ attempt }) => JSON.stringify(attempt)),
      ...columnsOf(records, 'now', 'updatedAt', 'response'),
    ],
  );
  const freed = settled.filter(({ frees }) => frees).map(({ webhookId }) => webhookId);
  if (freed.length === 0) return false;
  await makeDue(sql, freed, records[0]!.now);
  return true;
}

/**
 * A delivery that has since failed because its endpoint was disabled stays failed.
 * @param nextAttemptAt null after the last attempt
 * @returns false if another worker has the delivery, or this attempt is written already
 */
export function recordFailed(
  tx: Transaction,
  { id, token, attempt, response, now }: AttemptRecord,
  nextAttemptAt: Date | null,
): Promise<boolean> {
  return tx.exists(
    `update deliveries d set
       attempts = ${attemptsKept} || $3::jsonb,
       attempts_made = d.attempts_made + 1,
       attempted_at = $5,
       status = case when d.status = 'pending' and $4::timestamptz is null then 'failed' else d.status end,
       next_attempt_at = case when d.status = 'pending' then $4::timestamptz end,
       lease_token = null,
       response = $6,
       updated_at = $5
     where d.id = $1 and d.lease_token = $2
     returning 1`,
    [id, token, JSON.stringify([attempt]), nextAttemptAt, now, response],
  );
}

/** Attempts of the present series; null if the delivery is gone. */
export function findAttemptsMade(sql: Sql, id: string): Promise<number | null> {
  return sql.value<number | null>('select attempts_made as made from deliveries where id = $1', [id]);
}

export function hasDeliveredSince(sql: Sql, webhookId: string, since: Date): Promise<boolean> {
  return sql.exists(
    `select from deliveries where webhook_id = $1 and status = 'delivered' and attempted_at >= $2 limit 1`,
    [webhookId, since],
  );
}

export async function listDeliveries(
  sql: Sql,
  webhookId: string,
  { status, page }: { status: string | undefined; page: Page },
): Promise<ShownDelivery[]> {
  const rows = await sql.query<ShownDelivery>(
    `select ${columns} from deliveries d
     where webhook_id = $1 and ($2::text is null or status = $2)
       and ($3::timestamptz is null or (created_at, id) < ($3, $4))
     order by created_at desc, id desc limit $5`,
    [webhookId, status ?? null, ...pageValues(page)],
  );
  return rows.map(withTimes);
}

const isLeased = `status = 'pending' and lease_token is not null and next_attempt_at > $3`;

/** The attempt of a live lease is the first of the new series. @returns null if there is no such delivery */
export async function replayDelivery(
  tx: Transaction,
  { webhookId, id, now }: { webhookId: string; id: string; now: Date },
): Promise<ShownDelivery | null> {
  await tx.query(
    `with replayed as (
       update deliveries set status = 'pending', attempts_made = 0, updated_at = $3,
         next_attempt_at = case when ${isLeased} then next_attempt_at else $3 end,
         lease_token = case when ${isLeased} then lease_token end
       where webhook_id = $1 and id = $2 returning webhook_id
     ), due as (${makesDue('replayed', '$3')})
     select pg_notify('${channels.deliveries}', '')`,
    [webhookId, id, now],
  );
  const [row] = await tx.query<ShownDelivery>(
    `select ${columns} from deliveries d where webhook_id = $1 and id = $2`,
    [webhookId, id],
  );
  return row ? withTimes(row) : null;
}

/**
 * Starts a new series of attempts for all that ended in one of the states and were made at `since` or later.
 * @returns their number; `max + 1` when there are more: then nothing is changed
 */
export function replayDeliveries(
  tx: Transaction,
  webhookId: string,
  chosen: { since: Date; statuses: readonly ('delivered' | 'failed')[]; max: number; now: Date },
): Promise<number> {
  return tx.value<number>(
    `with ended as materialized (
       select id from deliveries
       where webhook_id = $1 and status <> 'pending' and status = any ($2) and created_at >= $3
       order by id limit $4 for update
     ), replayed as (
       update deliveries set status = 'pending', attempts_made = 0, next_attempt_at = $5, lease_token = null,
         updated_at = $5
       where id = any (array(select id from ended)) and (select count(*) from ended) < $4
       returning webhook_id
     ), due as (${makesDue('replayed', '$5')})
     select count(*)::int as count, pg_notify('${channels.deliveries}', '') from ended`,
    [webhookId, chosen.statuses, chosen.since, chosen.max + 1, chosen.now],
  );
}

/**
 * Writes the event and a delivery, due now, for each enabled endpoint that subscribes to it. Endpoints are
 * read under the lock on the feed's head, which disabling and deleting take too, so an endpoint gets no
 * delivery afterwards. Every event takes this path, so both statements share a round trip.
 */
export async function insertEventWithDeliveries(
  tx: Transaction,
  event: NewFeedEvent,
  now: Date,
): Promise<void> {
  // The second reads the endpoints after the first has taken the lock.
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
