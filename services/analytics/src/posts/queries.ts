import { type Page, pageValues } from '@hookline/shared/kernel';
import type { Sql, Transaction } from '@hookline/shared/postgres';
import { channels } from '../channels.ts';
import type { Platform } from '../platforms/numbers.rules.ts';
import type { ListedPostRow, MeasuredPostRow, PostRow } from './record.ts';

export type NewPost = Omit<PostRow, 'createdAt' | 'updatedAt'> & {
  accountId: string;
  countedDay: string;
  now: Date;
};

/**
 * Inserts the post, due to be collected at once.
 * @throws DatabaseError 23505 on `published_posts_one_per_platform_post` if the account has it already.
 */
export async function insertPost(tx: Transaction, post: NewPost): Promise<PostRow> {
  const { id, accountId, videoId, platform, platformPostId, publishedAt, countedDay, now } = post;
  await tx.query(
    `with post as (
       insert into published_posts (
         id, account_id, video_id, platform, platform_post_id, published_at, created_at, updated_at
       ) values ($1, $2, $3, $4, $5, $6, $8, $8)
     ), collection as (
       insert into collections (post_id, account_id, platform, counted_day, next_at)
       values ($1, $2, $4, $7, $8)
     )
     -- Updated even if unchanged: a concurrent update that lets the source rest must wait, or see this post.
     update metric_sources set look_at = '-infinity' where account_id = $2 and platform = $4`,
    [id, accountId, videoId, platform, platformPostId, publishedAt, countedDay, now],
  );
  tx.notifyAfterCommit(channels.work);
  return { id, videoId, platform, platformPostId, publishedAt, createdAt: now, updatedAt: now };
}

export function countPostsOfVideo(sql: Sql, accountId: string, videoId: string): Promise<number> {
  return sql.value<number>(
    'select count(*) as posts from published_posts where account_id = $1 and video_id = $2',
    [accountId, videoId],
  );
}

/** Number of posts of a platform that the account has registered, counted up to the limit. */
export function countPosts(
  sql: Sql,
  accountId: string,
  { platform, limit }: { platform: Platform; limit: number },
): Promise<number> {
  return sql.value<number>(
    `select count(*) as posts from (
     select from published_posts where account_id = $1 and platform = $2 limit $3) as counted`,
    [accountId, platform, limit],
  );
}

/** The account's posts of a video, oldest first, each with its newest numbers. */
export function listPostsOfVideo(sql: Sql, accountId: string, videoId: string): Promise<MeasuredPostRow[]> {
  return sql.query(
    `select p.id, p.platform, p.platform_post_id as "platformPostId", p.published_at as "publishedAt",
            c.views, c.likes, c.comments, c.collected_at as "collectedAt"
     from published_posts p
     join collections c on c.post_id = p.id
     where p.account_id = $1 and p.video_id = $2
     order by p.created_at, p.id`,
    [accountId, videoId],
  );
}

/** Newest registration first, one row more than the page holds. */
export function listPosts(
  sql: Sql,
  accountId: string,
  { platform, videoId, page }: { platform?: Platform | undefined; videoId?: string | undefined; page: Page },
): Promise<ListedPostRow[]> {
  return sql.query(
    `select p.id, p.video_id as "videoId", p.platform, p.platform_post_id as "platformPostId",
            p.published_at as "publishedAt", p.created_at as "createdAt", p.updated_at as "updatedAt",
            c.views, c.likes, c.comments, c.collected_at as "collectedAt"
     from published_posts p
     join collections c on c.post_id = p.id
     where p.account_id = $1
       and ($2::text is null or p.platform = $2)
       and ($3::text is null or p.video_id = $3)
       and ($4::timestamptz is null or (p.created_at, p.id) < ($4, $5))
     order by p.created_at desc, p.id desc
     limit $6`,
    [accountId, platform ?? null, videoId ?? null, ...pageValues(page)],
  );
}
