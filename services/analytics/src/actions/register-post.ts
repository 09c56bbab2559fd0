import type { registerPost as contract } from '@hookline/shared/contracts/analytics';
import type { BodyOf } from '@hookline/shared/contracts/route';
import { type Database, isUniqueViolation } from '@hookline/shared/db';
import { invalidRequest } from '@hookline/shared/errors';
import { newId } from '@hookline/shared/ids';
import { insertPost, type PostRow } from '../queries/posts.ts';

// The caller's clock may be a little ahead; the same minute that schedules are given (decision 8).
const skewMs = 60_000;

/**
 * Registers a published post to be measured (additions section 9).
 * @throws ApiError `invalid_request` for an Instagram post (no source can be connected yet, and its numbers
 * need the owner's token: decision 53), a time that is to come, or a post that the account has registered.
 */
export async function registerPost(
  db: Database,
  accountId: string,
  body: BodyOf<typeof contract>,
  now: Date,
): Promise<PostRow> {
  const { videoId, platform, platformPostId } = body;
  const publishedAt = body.publishedAt === undefined ? null : new Date(body.publishedAt);
  if (platform === 'instagram') {
    throw invalidRequest(
      'platform instagram needs a connected source first (POST /analytics/sources), and this account has none',
    );
  }
  if (publishedAt && publishedAt.getTime() > now.getTime() + skewMs) {
    throw invalidRequest('publishedAt must not be in the future');
  }
  try {
    const id = newId('post', now.getTime());
    return await insertPost(db, { id, accountId, videoId, platform, platformPostId, publishedAt, now });
  } catch (error) {
    if (!isUniqueViolation(error, 'published_posts_one_per_platform_post')) throw error;
    throw invalidRequest(`platformPostId is registered already: this account has that ${platform} post`);
  }
}
