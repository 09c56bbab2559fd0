import { invalidRequest } from '@hookline/shared/contracts';
import type * as contracts from '@hookline/shared/contracts/analytics';
import type { BodyOf } from '@hookline/shared/contracts/route';
import { newId } from '@hookline/shared/kernel';
import { isUniqueViolation, lockForCount } from '@hookline/shared/postgres';
import type { WriteContext } from '../deps.ts';
import { hasSource } from '../sources/queries.ts';
import { addToRollups } from '../summary/queries.ts';
import { countedDay, rollupChanges } from '../summary/rollup.rules.ts';
import { countPosts, countPostsOfVideo, insertPost } from './queries.ts';
import type { PostRow } from './record.ts';

// Tolerance for a caller's clock that is ahead; schedules use the same minute (D-8).
const skewMs = 60_000;

/** Maximum posts of one video: the number that one answer lists. */
const postsOfVideoMax = 100;

/**
 * Maximum YouTube posts of an account. All share the installation's daily quota, at one unit per 50 posts.
 */
const youtubePostsMax = 10_000;

// Ids become part of the platform's URL: anything that cannot be an id is refused before a call.
const idForms = {
  youtube: { pattern: /^[\w-]{1,64}$/, says: 'letters, digits, _ and -' },
  instagram: { pattern: /^\d{1,32}$/, says: 'the digits of the media id' },
} as const;

/**
 * Registers a published post to be measured (API-18).
 * @throws ApiError `invalid_request` for an id that cannot exist on the platform, an Instagram post without a
 * source (its numbers need the owner's token: D-53), a time in the future, a post that the account has
 * registered, the 101st post of a video, or the 10,001st of YouTube.
 */
export async function registerPost(
  { tx, accountId, now }: WriteContext,
  body: BodyOf<typeof contracts.registerPost>,
  field: 'platformPostId' | 'url' = 'platformPostId',
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
  await lockForCount(tx, 'posts', accountId);
  if ((await countPostsOfVideo(tx, accountId, videoId)) >= postsOfVideoMax) {
    throw invalidRequest(`videoId has ${postsOfVideoMax} posts already, which is the most`);
  }
  if (
    platform === 'youtube' &&
    (await countPosts(tx, accountId, { platform, limit: youtubePostsMax })) >= youtubePostsMax
  ) {
    throw invalidRequest(
      `platform youtube has ${youtubePostsMax} posts of this account already, which is the most`,
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
    throw invalidRequest(`${field} is registered already: this account has that ${platform} post`);
  }
}
