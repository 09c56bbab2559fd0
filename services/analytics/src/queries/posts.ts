import type { Sql } from '@hookline/shared/db';

export type Platform = 'instagram' | 'youtube';

export type PostRow = {
  id: string;
  videoId: string;
  platform: Platform;
  platformPostId: string;
  publishedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

export type NewPost = Omit<PostRow, 'createdAt' | 'updatedAt'> & { accountId: string; now: Date };

/** @throws DatabaseError 23505 on `published_posts_one_per_platform_post` when the account has it already. */
export async function insertPost(sql: Sql, post: NewPost): Promise<PostRow> {
  const { id, accountId, videoId, platform, platformPostId, publishedAt, now } = post;
  await sql.query(
    `insert into published_posts (
       id, account_id, video_id, platform, platform_post_id, published_at, created_at, updated_at
     ) values ($1, $2, $3, $4, $5, $6, $7, $7)`,
    [id, accountId, videoId, platform, platformPostId, publishedAt, now],
  );
  return { id, videoId, platform, platformPostId, publishedAt, createdAt: now, updatedAt: now };
}

export type MeasuredPostRow = {
  id: string;
  platform: Platform;
  platformPostId: string;
  publishedAt: Date | null;
  views: number | null;
  likes: number | null;
  comments: number | null;
  /** Null before anything was collected. */
  collectedAt: Date | null;
};

/** The account's posts of a video, oldest first, each with its newest numbers. */
export function listPostsOfVideo(sql: Sql, accountId: string, videoId: string): Promise<MeasuredPostRow[]> {
  return sql.query(
    `select p.id, p.platform, p.platform_post_id as "platformPostId", p.published_at as "publishedAt",
            s.views, s.likes, s.comments, s.collected_at as "collectedAt"
     from published_posts p
     left join lateral (
       select * from metric_snapshots where post_id = p.id order by day desc limit 1
     ) s on true
     where p.account_id = $1 and p.video_id = $2
     order by p.created_at, p.id`,
    [accountId, videoId],
  );
}
