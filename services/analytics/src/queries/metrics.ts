import type { Sql } from '@hookline/shared/db';
import type { DaySnapshot } from '../rules/history.ts';
import type { Platform } from './posts.ts';

export type PlatformTotals = {
  platform: Platform;
  posts: number;
  views: number;
  likes: number;
  comments: number;
};

/**
 * Newest numbers of the account's posts published since `from`, per platform (decision 33). A post whose
 * time of publication is not known yet counts from its registration.
 */
export function sumByPlatform(sql: Sql, accountId: string, from: Date): Promise<PlatformTotals[]> {
  return sql.query(
    `select p.platform, count(*) as posts, coalesce(sum(s.views), 0)::bigint as views,
            coalesce(sum(s.likes), 0)::bigint as likes, coalesce(sum(s.comments), 0)::bigint as comments
     from published_posts p
     left join lateral (
       select views, likes, comments from metric_snapshots where post_id = p.id order by day desc limit 1
     ) s on true
     where p.account_id = $1 and coalesce(p.published_at, p.created_at) >= $2
     group by p.platform`,
    [accountId, from],
  );
}

/** Every snapshot of the posts, oldest day first. */
export function listSnapshots(sql: Sql, postIds: readonly string[]): Promise<DaySnapshot[]> {
  return sql.query(
    `select post_id as "postId", to_char(day, 'YYYY-MM-DD') as day, views, likes, comments
     from metric_snapshots
     where post_id = any($1)
     order by metric_snapshots.day, post_id`,
    [postIds],
  );
}
