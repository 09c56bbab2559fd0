/** Changes of the daily rollups that follow from new numbers of posts. */
import type { Numbers } from '../platforms/numbers.rules.ts';

export type RollupKey = { accountId: string; platform: string /** `YYYY-MM-DD`, UTC. */; day: string };

export type RollupChange = RollupKey & { posts: number; views: number; likes: number; comments: number };

/** A post as counted in the rollups, before or after a change. */
export type CountedPost = { accountId: string; platform: string; day: string; numbers: Numbers };

/** The UTC day of publication, or of registration if that is not known. */
export function countedDay(publishedAt: Date | null, createdAt: Date): string {
  return (publishedAt ?? createdAt).toISOString().slice(0, 10);
}

/**
 * Amounts to add to each rollup so that the posts move from `before` to `after`. One change per key, ordered
 * by key, so that concurrent transactions cannot deadlock.
 * @param before null for a new post.
 */
export function rollupChanges(
  moves: readonly { before: CountedPost | null; after: CountedPost }[],
): RollupChange[] {
  const changes = new Map<string, RollupChange>();
  for (const { before, after } of moves) {
    if (before) add(changes, before, -1);
    add(changes, after, 1);
  }
  return [...changes.entries()]
    .filter(([, change]) => change.posts || change.views || change.likes || change.comments)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, change]) => change);
}

function add(changes: Map<string, RollupChange>, post: CountedPost, sign: 1 | -1): void {
  const { accountId, platform, day, numbers } = post;
  const key = `${accountId} ${day} ${platform}`;
  const sum = changes.get(key) ?? { accountId, platform, day, posts: 0, views: 0, likes: 0, comments: 0 };
  changes.set(key, {
    ...sum,
    posts: sum.posts + sign,
    views: sum.views + sign * (numbers.views ?? 0),
    likes: sum.likes + sign * (numbers.likes ?? 0),
    comments: sum.comments + sign * (numbers.comments ?? 0),
  });
}
