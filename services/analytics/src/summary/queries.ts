import { type AnalyticsSummary, bestMax } from '@hookline/shared/contracts/analytics';
import type { Sql, Transaction } from '@hookline/shared/postgres';
import type { Platform } from '../platforms/numbers.rules.ts';
import type { Counts, DaySnapshot } from './history.rules.ts';
import type { RollupChange } from './rollup.rules.ts';

/** Days are `YYYY-MM-DD`, UTC, both included. */
export type SeriesRange = { from: string; to: string; platform: Platform | null };

const total = (column: keyof Counts): string =>
  `greatest(0, least(sum(sum(${column})) over (order by day), ${Number.MAX_SAFE_INTEGER}))::bigint as ${column}`;

/**
 * Running totals of an account's posts at the end of each day on which one was measured, oldest first. The
 * day before the range, if it is there, has the totals of everything before.
 *
 * Reads the days of every post of the account: 10,000 posts measured on ten days of the range take
 * 0.4 s on two busy cores, a hundred posts some milliseconds.
 */
export function listTotals(
  sql: Sql,
  accountId: string,
  { from, to, platform }: SeriesRange,
): Promise<(Counts & { day: string })[]> {
  return sql.query(
    `with mine as (
       select id from published_posts where account_id = $1 and ($2::text is null or platform = $2)
     ), measured as (
       select d.post_id, d.day, d.views, d.likes, d.comments
       from mine join post_days d on d.post_id = mine.id where d.day between $3::date and $4::date
       union all
       select mine.id, $3::date - 1, before.views, before.likes, before.comments
       from mine cross join lateral (
         select views, likes, comments from post_days d
         where d.post_id = mine.id and d.day < $3::date order by d.day desc limit 1
       ) before
     ), gained as (
       select day, coalesce(views, 0) - coalesce(lag(views) over days, 0) as views,
         coalesce(likes, 0) - coalesce(lag(likes) over days, 0) as likes,
         coalesce(comments, 0) - coalesce(lag(comments) over days, 0) as comments
       from measured window days as (partition by post_id order by day)
     )
     select to_char(day, 'YYYY-MM-DD') as day, ${total('views')}, ${total('likes')}, ${total('comments')}
     from gained group by day order by gained.day`,
    [accountId, platform, from, to],
  );
}

/** Posts by the day of their publication, oldest first; all of before the range under the day before it. */
export function listPublished(
  sql: Sql,
  accountId: string,
  { from, to, platform }: SeriesRange,
): Promise<{ day: string; posts: number }[]> {
  return sql.query(
    `select to_char(greatest(day, $3::date - 1), 'YYYY-MM-DD') as day, sum(posts)::bigint as posts
     from daily_rollups
     where account_id = $1 and ($2::text is null or platform = $2) and day <= $4::date
     group by 1 order by 1`,
    [accountId, platform, from, to],
  );
}

/** The last numbers of each day of the posts, oldest day first. */
export function listPostDays(sql: Sql, postIds: readonly string[]): Promise<DaySnapshot[]> {
  return sql.query(
    `select post_id as "postId", to_char(day, 'YYYY-MM-DD') as day, views, likes, comments
     from post_days
     where post_id = any($1)
     order by post_days.day, post_id`,
    [postIds],
  );
}

export type PlatformTotals = {
  platform: Platform;
  posts: number;
  views: number;
  likes: number;
  comments: number;
};

const isoTime = (time: string): string =>
  `to_char((${time}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

// A platform's count may be any integer that JSON represents exactly; a sum is capped at that limit too.
const capped = (sum: string): string => `least(${sum}, ${Number.MAX_SAFE_INTEGER})::bigint`;

const sumOf = (column: 'views' | 'likes' | 'comments'): string => `${capped(`sum(${column})`)} as ${column}`;

/** Newest numbers of the account's posts published since the day, per platform (D-33). */
export function sumByPlatform(sql: Sql, accountId: string, fromDay: Date): Promise<PlatformTotals[]> {
  return sql.query(
    `select platform, sum(posts)::bigint as posts, ${sumOf('views')}, ${sumOf('likes')}, ${sumOf('comments')}
     from daily_rollups
     where account_id = $1 and day >= ($2::timestamptz at time zone 'UTC')::date
     group by platform`,
    [accountId, fromDay],
  );
}

const knownSumOf = (number: string): string =>
  `case when bool_or(number = '${number}') then ${capped(`sum(total) filter (where number = '${number}')`)} end as ${number}`;

/**
 * What decks brought that were posted since the day. As in `listSettled`, the planner must not see the limit of
 * the best; it then expects thousands of them, for which a join would read the whole table.
 */
export function sumDecks(sql: Sql, accountId: string, fromDay: Date): Promise<AnalyticsSummary['decks']> {
  return sql.only<AnalyticsSummary['decks']>(
    `with best as (
       select content_id from decks where account_id = $1 and views is not null and counted_at >= $2
       order by views desc, content_id limit (select $3::integer)
     ), days as (
       select * from deck_days
       where account_id = $1 and day >= ($2::timestamptz at time zone 'UTC')::date and decks > 0
     )
     select coalesce(sum(decks) filter (where number = 'views'), 0)::int as posts,
       ${capped("coalesce(sum(total) filter (where number = 'views'), 0)")} as views,
       ${['likes', 'comments', 'shares', 'saves'].map(knownSumOf).join()},
       coalesce(jsonb_agg(jsonb_build_object('day', day, 'posts', decks, 'views', ${capped('total')}) order by day)
         filter (where number = 'views'), '[]') as days,
       (select coalesce(jsonb_agg(jsonb_build_object('contentId', d.content_id, 'hook', coalesce(d.hook, ''),
          'views', d.views, 'likes', d.likes, 'comments', d.comments, 'shares', d.shares, 'saves', d.saves, 'postedAt', ${isoTime('d.counted_at')},
          'comparedFrom', case when d.is_settled then null else ${isoTime("d.counted_at + interval '24 hours'")} end)
          order by d.views desc, d.content_id), '[]')
          from best cross join lateral (select * from decks where content_id = best.content_id limit 1) d) as best
     from days`,
    [accountId, fromDay, bestMax],
  );
}

/** @param changes one per key, ordered by key. */
export async function addToRollups(tx: Transaction, changes: readonly RollupChange[]): Promise<void> {
  if (changes.length === 0) return;
  const column = <K extends keyof RollupChange>(name: K): RollupChange[K][] =>
    changes.map(change => change[name]);
  await tx.query(
    `insert into daily_rollups as r (account_id, day, platform, posts, views, likes, comments)
     select * from unnest($1::text[], $2::date[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
     on conflict (account_id, day, platform) do update set
       posts = r.posts + excluded.posts, views = r.views + excluded.views, likes = r.likes + excluded.likes,
       comments = r.comments + excluded.comments`,
    [
      column('accountId'),
      column('day'),
      column('platform'),
      column('posts'),
      column('views'),
      column('likes'),
      column('comments'),
    ],
  );
}
