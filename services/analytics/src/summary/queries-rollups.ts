import type { Sql, Transaction } from '@hookline/shared/postgres';
import type { Platform } from '../platforms/numbers.rules.ts';
import type { RollupChange } from './rollup.rules.ts';

export type PlatformTotals = {
  platform: Platform;
  posts: number;
  views: number;
  likes: number;
  comments: number;
};

// A platform's count may be any integer that JSON represents exactly; a sum is capped at that limit too.
const sumOf = (column: 'views' | 'likes' | 'comments'): string =>
  `least(sum(${column}), ${Number.MAX_SAFE_INTEGER})::bigint as ${column}`;

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
