import { appendEvent } from '@hookline/shared/bus';
import { accountMeasured } from '@hookline/shared/events';
import { dayMs, minuteMs } from '@hookline/shared/kernel/durations';
import { nextCheckAt, nextCollectionAt, retryAt } from '@hookline/shared/kernel/reading-plan';
import { askAsAccount } from '../accounts/ask.ts';
import { getPlatformAccount } from '../accounts/queries.ts';
import type { SchedulingDeps } from '../deps.ts';
import { type PostNumbers, postsPerCallMax } from '../platform/carrier.rules.ts';
import { claimPosts, type NextReading, type PostToRead, restUntil, saveNextReadings } from './queries.ts';

// A claim outlives a token refresh and a call.
const claimedForMs = minuteMs;
const restMs = 10 * minuteMs;

/**
 * Reads the numbers of up to 20 posts of one account from its platform, and publishes them as they came.
 * @returns false if none is due
 */
export async function readNumbers(deps: SchedulingDeps): Promise<boolean> {
  const { db, log } = deps;
  const now = deps.now();
  const after = (ms: number) => new Date(now.getTime() + ms);
  const posts = await claimPosts(db, { now, until: after(claimedForMs), countMax: postsPerCallMax });
  const [first] = posts;
  if (!first) return false;
  const { platformAccountId: id } = first;
  const { scopes } = await getPlatformAccount(db, id);
  // A connection that grants it again makes the posts due at once.
  if (!scopes.includes('video.list')) {
    await restUntil(db, id, after(dayMs));
    return true;
  }
  const ids = posts.map(({ postId }) => postId);
  const answer = await askAsAccount(deps, id, (carrier, token) => carrier.readNumbers(token, ids));
  if (answer.kind === 'ok') {
    await save(deps, posts, answer.value);
  } else if (answer.kind === 'refused' && answer.code !== 'rate_limit_exceeded') {
    log.warn({ account: id, code: answer.code, logId: answer.logId }, 'the platform refused to tell numbers');
    await saveNextReadings(
      db,
      posts.map(post => afterFailure(post, now)),
    );
  } else {
    const isOver = answer.kind === 'account' || answer.kind === 'not_renewed';
    log.info({ account: id, answer: answer.kind }, 'the numbers of an account could not be read');
    await restUntil(db, id, after(isOver ? dayMs : restMs));
  }
  return true;
}

function afterFailure({ scheduleId, failures, misses }: PostToRead, now: Date): NextReading {
  return { scheduleId, nextAt: retryAt(scheduleId, failures + 1, now), failures: failures + 1, misses };
}

async function save(
  { db, now: clock }: SchedulingDeps,
  posts: readonly PostToRead[],
  found: ReadonlyMap<string, PostNumbers>,
): Promise<void> {
  const now = clock();
  const next = posts.map(({ scheduleId, postId, sentAt, misses: missed }): NextReading => {
    const video = found.get(postId);
    const publishedAt = video?.publishedAt ?? sentAt;
    const misses = video ? 0 : missed + 1;
    const nextAt = video ? nextCollectionAt(publishedAt, now) : nextCheckAt(publishedAt, misses, now);
    return { scheduleId, nextAt, failures: 0, misses };
  });
  const measured = posts.flatMap(({ contentId, postedBy, sentAt, postId }) => {
    const video = found.get(postId);
    if (!video) return [];
    const { publishedAt, ...numbers } = video;
    const times = { sentAt: sentAt.toISOString(), publishedAt: publishedAt?.toISOString() ?? null };
    return [{ postedBy, post: { contentId, ...times, ...numbers } }];
  });
  const [{ accountId }] = posts as [PostToRead];
  await db.transaction(async tx => {
    await saveNextReadings(tx, next);
    for (const [subject, ofAccount] of Map.groupBy(measured, ({ postedBy }) => postedBy)) {
      const data = { posts: ofAccount.map(({ post }) => post) };
      await appendEvent(tx, accountMeasured, { accountId, subject, source: 'scheduling', at: now, data });
    }
  });
}
