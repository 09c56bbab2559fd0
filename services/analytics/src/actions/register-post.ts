import { invalidRequest } from '@hookline/shared/contracts';
import type * as contracts from '@hookline/shared/contracts/analytics';
import type { BodyOf } from '@hookline/shared/contracts/route';
import { newId } from '@hookline/shared/kernel';
import { isUniqueViolation, type Transaction } from '@hookline/shared/postgres';
import { countPosts, countPostsOfVideo, insertPost } from '../queries/posts.ts';
import { addToRollups } from '../queries/rollups.ts';
import { hasSource } from '../queries/sources.ts';
import type { PostRow } from '../records/post.ts';
import { countedDay, rollupChanges } from '../rules/rollup.ts';

// The caller's clock may be a little ahead; the same minute that schedules are given (D-8).
const skewMs = 60_000;

/** Most posts of one video: what one answer lists. */
const postsOfVideoMax = 100;

/** Most YouTube posts of an account: they share the day's quota of the whole installation, a unit for 50 posts a look. */
const youtubePostsMax = 10_000;

// Both go into the platform's address: what no id of it holds is refused before anything is asked.
const idForms = {
  youtube: { pattern: /^[\w-]{1,64}$/, says: 'letters, digits, _ and -' },
  instagram: { pattern: /^\d{1,32}$/, says: 'the digits of the media id' },
} as const;

/**
 * Registers a published post to be measured (API-18).
 * @throws ApiError `invalid_request` for an id that no post of the platform has, an Instagram post without a
 * source (its numbers need the owner's token: D-53), a time that is to come, a post that the account has
 * registered, the 101st post of a video, or the 10,001st of YouTube.
 */
export async function registerPost(
  tx: Transaction,
  accountId: string,
  body: BodyOf<typeof contracts.registerPost>,
  now: Date,
): Promise<PostRow> {
  const { videoId, platform, platformPostId } = body;
  const publishedAt = body.publishedAt === undefined ? null : new Date(body.publishedAt);
  const { pattern, says } = idForms[platform];
  if (!pattern.test(platformPostId)) {
    throw invalidRequest(`platformPostId must be an id of ${platform}: ${says}`);
  }
  if (publishedAt && publishedAt.getTime() > now.getTime() + skewMs) {
    throw invalidRequest('publishedAt must not be in the future');
  }
  if (platform === 'instagram' && !(await hasSource(tx, accountId))) {
    throw invalidRequest(
      'platform instagram needs a connected source first (POST /analytics/sources), and this account has none',
    );
  }
  if ((await countPostsOfVideo(tx, accountId, videoId)) >= postsOfVideoMax) {
    throw invalidRequest(`videoId has ${postsOfVideoMax} posts already, which is the most`);
  }
  if (
    platform === 'youtube' &&
    (await countPosts(tx, accountId, platform, youtubePostsMax)) >= youtubePostsMax
  ) {
    throw invalidRequest(
      `this account has registered ${youtubePostsMax} posts of youtube, which is the most`,
    );
  }
  const id = newId('post', now.getTime());
  const day = countedDay(publishedAt, now);
  const numbers = { views: null, likes: null, comments: null };
  try {
    const post = { id, accountId, videoId, platform, platformPostId, publishedAt, countedDay: day, now };
    const row = await insertPost(tx, post);
    await addToRollups(tx, rollupChanges([{ before: null, after: { accountId, platform, day, numbers } }]));
    return row;
  } catch (error) {
    if (!isUniqueViolation(error, 'published_posts_one_per_platform_post')) throw error;
    throw invalidRequest(`platformPostId is registered already: this account has that ${platform} post`);
  }
}
