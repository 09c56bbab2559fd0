/**
 * Due collections, claimed under a lease. Leases follow the database's clock, which replicas share;
 * due times follow the service's.
 */
import { columnsOf, type Database, type Sql, type Transaction } from '@hookline/shared/postgres';
import type { Numbers, Platform } from '../platforms/numbers.rules.ts';

/** A claimed post. If its fence has changed or its lease is gone, another worker has taken it over. */
export type Claim = { postId: string; fence: number; platformPostId: string };

/** Claims the YouTube posts that have been due longest. */
export function claimYoutube(
  sql: Sql,
  { now, leaseMs, claimsMax }: { now: Date; leaseMs: number; claimsMax: number },
): Promise<Claim[]> {
  return sql.query(
    `with due as (
       select post_id from collections
       where platform = 'youtube' and next_at <= $1
         and (lease_until is null or lease_until < clock_timestamp())
       order by next_at
       limit $3
       for update skip locked
     )
     update collections c
     set fence = c.fence + 1, lease_until = clock_timestamp() + $2 * interval '1 ms'
     from due, published_posts p
     where c.post_id = due.post_id and p.id = due.post_id
     returning c.post_id as "postId", c.fence, p.platform_post_id as "platformPostId"`,
    [now, leaseMs, claimsMax],
  );
}

export type InstagramClaim = Claim & { accountId: string; sourceId: string; hasInsights: boolean };

/**
 * Claims a due Instagram post that a connected source may read within its own limit and the app's. Sources
 * take turns, least recently served first, so that a source with many due posts does not delay the others.
 */
export function claimInstagram(sql: Sql, now: Date, leaseMs: number): Promise<InstagramClaim | null> {
  return sql.row<InstagramClaim>(
    `with due as (
       select d.post_id, s.id as source_id
       from (
         select id, account_id from metric_sources
         where status = 'connected' and look_at <= $1
         order by look_at
         offset 0
       ) s
       cross join lateral (
         select post_id from collections c
         where c.account_id = s.account_id and c.platform = 'instagram' and c.next_at <= $1
           and (c.lease_until is null or c.lease_until < clock_timestamp())
           and (
             c.source_id is null or c.source_id = s.id
             or not exists (select 1 from metric_sources gone where gone.id = c.source_id)
           )
         order by c.next_at
         limit 1
         for update skip locked
       ) d
       where not exists (
         select 1 from api_limits l where l.credential in (s.id, 'instagram') and l.paused_until > $1
       )
       limit 1
     ), served as (
       update metric_sources s set look_at = $1 from due where s.id = due.source_id
     )
     update collections c
     set fence = c.fence + 1, lease_until = clock_timestamp() + $2 * interval '1 ms'
     from due, published_posts p
     where c.post_id = due.post_id and p.id = due.post_id
     returning c.post_id as "postId", c.fence, p.platform_post_id as "platformPostId",
               c.account_id as "accountId", due.source_id as "sourceId", c.has_insights as "hasInsights"`,
    [now, leaseMs],
  );
}

export type ClaimedPost = Numbers & {
  postId: string;
  accountId: string;
  platform: Platform;
  countedDay: string;
  publishedAt: Date | null;
  createdAt: Date;
  failures: number;
  misses: number;
};

/** Locks the rows whose claims still hold, in the order of ids. */
export function lockClaimed(tx: Transaction, claims: readonly Claim[]): Promise<ClaimedPost[]> {
  return tx.query(
    `select c.post_id as "postId", c.account_id as "accountId", c.platform,
            to_char(c.counted_day, 'YYYY-MM-DD') as "countedDay", c.views, c.likes, c.comments, c.failures,
            c.misses, p.published_at as "publishedAt", p.created_at as "createdAt"
     from unnest($1::text[], $2::integer[]) as held (post_id, fence)
     join collections c on c.post_id = held.post_id and c.fence = held.fence and c.lease_until is not null
     join published_posts p on p.id = c.post_id
     order by c.post_id
     for update of c`,
    columnsOf(claims, 'postId', 'fence'),
  );
}

export type Collected = Numbers & {
  postId: string;
  countedDay: string;
  /** As the platform reported it; used only if the post has none. */
  publishedAt: Date | null;
  nextAt: Date;
  sourceId: string | null;
  hasInsights: boolean;
};

/** Writes the newest numbers and releases the claims. The rows must be locked. */
export async function saveCollected(
  tx: Transaction,
  collected: readonly Collected[],
  collectedAt: Date,
): Promise<void> {
  await tx.query(
    `with given as (
       select * from unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::date[], $7::timestamptz[],
                            $8::timestamptz[], $9::text[], $10::boolean[])
         as g (post_id, views, likes, comments, counted_day, published_at, next_at, source_id, has_insights)
     ), published as (
       update published_posts p set published_at = g.published_at, updated_at = $1
       from given g
       where p.id = g.post_id and p.published_at is null and g.published_at is not null
     )
     update collections c
     set views = g.views, likes = g.likes, comments = g.comments, counted_day = g.counted_day,
       collected_at = $1, next_at = g.next_at, has_insights = g.has_insights,
       source_id = g.source_id, lease_until = null, failures = 0, misses = 0
     from given g
     where c.post_id = g.post_id`,
    [
      collectedAt,
      ...columnsOf(collected, 'postId', 'views', 'likes', 'comments', 'countedDay', 'publishedAt'),
      ...columnsOf(collected, 'nextAt', 'sourceId', 'hasInsights'),
    ],
  );
}

export type Postponed = { postId: string; nextAt: Date; failures: number; misses: number };

/** Releases claims without numbers; the posts keep their old ones. The rows must be locked. */
export async function savePostponed(tx: Transaction, postponed: readonly Postponed[]): Promise<void> {
  await tx.query(
    `update collections c
     set next_at = g.next_at, failures = g.failures, misses = g.misses, lease_until = null
     from unnest($1::text[], $2::timestamptz[], $3::integer[], $4::integer[])
       as g (post_id, next_at, failures, misses)
     where c.post_id = g.post_id`,
    columnsOf(postponed, 'postId', 'nextAt', 'failures', 'misses'),
  );
}

/** Releases claims as if they had never been taken: the posts stay due. */
export async function releaseClaims(sql: Sql, claims: readonly Claim[]): Promise<void> {
  await sql.query(
    `update collections c set lease_until = null
     from unnest($1::text[], $2::integer[]) as held (post_id, fence)
     where c.post_id = held.post_id and c.fence = held.fence`,
    columnsOf(claims, 'postId', 'fence'),
  );
}

const isIdle = `not exists (
  select 1 from collections c
  where c.account_id = s.account_id and c.platform = 'instagram' and c.next_at <= $1
)`;

/**
 * Skips sources of accounts without a due Instagram post until one is due, for a minute at most. Checks again
 * after locking the sources: a post registered in between is seen then, and one registered later waits for
 * the lock.
 */
export async function restIdleSources(db: Database, now: Date): Promise<void> {
  const found = await db.query<{ id: string }>(
    `select s.id from metric_sources s where s.status = 'connected' and s.look_at <= $1 and ${isIdle} limit 1000`,
    [now],
  );
  if (found.length === 0) return;
  await db.transaction(async tx => {
    // A locked source is being updated right now; waiting for it could deadlock.
    const held = await tx.query<{ id: string }>(
      'select id from metric_sources where id = any($1) for no key update skip locked',
      [found.map(({ id }) => id)],
    );
    await tx.query(
      `update metric_sources s set look_at = least(
         (select min(c.next_at) from collections c where c.account_id = s.account_id and c.platform = 'instagram'),
         $1::timestamptz + interval '1 minute')
       where s.id = any($2) and ${isIdle}`,
      [now, held.map(({ id }) => id)],
    );
  });
}
