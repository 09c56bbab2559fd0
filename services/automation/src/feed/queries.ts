import { currentContext, currentTraceparent } from '@hookline/shared/kernel';
import { columnsOf, type Sql, type Transaction } from '@hookline/shared/postgres';
import type { FeedEventRow, NewFeedEvent } from './record.ts';

export async function insertFeedEvent(tx: Transaction, event: NewFeedEvent): Promise<void> {
  await tx.query(
    `with head as (
       insert into feed_heads as h (account_id, position) values ($2, 1)
       on conflict (account_id) do update set position = h.position + 1
       returning position
     )
     insert into feed_events (id, account_id, position, type, resource, sequence, data, created_at, request_id,
       traceparent)
     select $1, $2, position, $3, $4, $5, $6, $7, $8, $9 from head`,
    [
      ...[event.id, event.accountId, event.type, event.resource, event.sequence],
      ...[JSON.stringify(event.data), event.createdAt, currentContext()?.requestId ?? null],
      currentTraceparent(),
    ],
  );
}

/** Blocks the account's next event until the transaction ends: see `insertEventWithDeliveries`. */
export async function lockFeedHead(tx: Transaction, accountId: string): Promise<void> {
  await tx.query(
    `insert into feed_heads as h (account_id, position) values ($1, 0)
     on conflict (account_id) do update set position = h.position`,
    [accountId],
  );
}

export function listFeedEvents(
  sql: Sql,
  accountId: string,
  { after, limit, since }: { after: number; limit: number; since: Date },
): Promise<FeedEventRow[]> {
  return sql.query<FeedEventRow>(
    `select id, position, type, resource, sequence, data, created_at as "createdAt" from feed_events
     where account_id = $1 and position > $2 and created_at >= $4 order by position limit $3`,
    [accountId, after, limit, since],
  );
}

export function listNewestFeedEvents(
  sql: Sql,
  accountId: string,
  { before, limit }: { before: number; limit: number },
): Promise<FeedEventRow[]> {
  return sql.query<FeedEventRow>(
    `select id, position, type, resource, sequence, data, created_at as "createdAt" from feed_events
     where account_id = $1 and position < $2 order by position desc limit $3`,
    [accountId, before, limit],
  );
}

export type FeedBounds = {
  /** The position of the oldest event since a time, or the one that the account's next event will get. */
  firstKept: number;
  /** The newest position, 0 before the first. */
  head: number;
};

export function findFeedBounds(sql: Sql, accountId: string, since: Date): Promise<FeedBounds> {
  // One statement, one snapshot: an event that arrived between two statements would look like a gap.
  return sql.only<FeedBounds>(
    `select coalesce((
         select min(position) from feed_events where account_id = $1 and created_at >= $2
       ), head + 1) as "firstKept", head
     from (select coalesce((select position from feed_heads where account_id = $1), 0) as head) newest`,
    [accountId, since],
  );
}

type FeedPosition = { accountId: string; after: number | null };

export type FeedNews = {
  head: number;
  events: { position: number; type: string; resourceId: string; automationId: string | null }[];
};

/**
 * Reads what was appended to each feed after a position, at most 100 events of each, in one snapshot. Without a
 * position, its head is the newest event until `start`.
 */
export function listFeedNews(sql: Sql, feeds: readonly FeedPosition[], start: Date): Promise<FeedNews[]> {
  return sql.query<FeedNews>(
    `select case when a.after is not null then coalesce(h.position, 0) else coalesce((
         select position from feed_events where account_id = a.account_id and created_at <= $3
         order by position desc limit 1
       ), (select min(position) - 1 from feed_events where account_id = a.account_id), h.position, 0) end as head,
       coalesce(news.events, '[]'::json) as events
     from unnest($1::text[], $2::bigint[]) with ordinality as a (account_id, after, nth)
       left join feed_heads h on h.account_id = a.account_id
       left join lateral (
         select json_agg(json_build_object(
             'position', e.position,
             'type', e.type,
             'resourceId', coalesce(e.data ->> 'resourceId', split_part(e.resource, ':', 2)),
             'automationId', e.data #>> '{origin,automationId}'
           ) order by e.position) as events
         from (
           select position, type, resource, data from feed_events
           where account_id = a.account_id and position > a.after
           order by position limit 100
         ) e
       ) news on true
     order by a.nth`,
    [...columnsOf(feeds, 'accountId', 'after'), start],
  );
}
