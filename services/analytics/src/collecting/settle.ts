import { nextCheckAt, nextCollectionAt, retryAt } from '@hookline/shared/kernel/reading-plan';
import type { Transaction } from '@hookline/shared/postgres';
import { isolateFaults } from '@hookline/shared/postgres';
import type { AnalyticsDeps } from '../deps.ts';
import { countCollection } from '../metrics.ts';
import type { Numbers, Platform } from '../platforms/numbers.rules.ts';
import { addToRollups } from '../summary/queries.ts';
import { countedDay, rollupChanges } from '../summary/rollup.rules.ts';
import {
  type Claim,
  type ClaimedPost,
  type Collected,
  lockClaimed,
  type Postponed,
  saveCollected,
  savePostponed,
} from './queries.ts';
import { ensureSnapshotPartition, insertSnapshots } from './queries-snapshots.ts';

export type Measured = Numbers & {
  publishedAt: Date | null;
  sourceId: string | null;
  hasInsights: boolean;
};

/** Outcome of a claim: numbers, an answer without the post, or a call that failed for this post alone. */
export type Outcome = { claim: Claim } & (
  | { kind: 'measured'; measured: Measured }
  | { kind: 'missed' }
  | { kind: 'failed' }
);

/**
 * Writes the outcomes of claims in one transaction: snapshots, the day's last numbers, the newest numbers,
 * rollups and the next collection time. Skips claims that another worker has taken over. A crash leaves
 * either all of it or nothing. A post whose numbers the database refuses is postponed like one whose call
 * failed; the others are written without it.
 */
export async function settleClaims(
  deps: Pick<AnalyticsDeps, 'db' | 'now' | 'log'>,
  outcomes: readonly Outcome[],
): Promise<void> {
  if (outcomes.length === 0) return;
  const at = deps.now();
  if (outcomes.some(outcome => outcome.kind === 'measured')) await ensureSnapshotPartition(deps.db, at);
  const { results, faults } = await isolateFaults(outcomes, part => settleAll(deps, part, at));
  for (const { item, error } of faults) {
    const { claim } = item;
    deps.log.error({ err: error, postId: claim.postId }, 'the numbers of a post could not be written');
    results.push(await settleAll(deps, [{ claim, kind: 'failed' }], at));
  }
  for (const { platform, kind } of results.flat()) countCollection(platform, kind);
}

async function settleAll(
  { db }: Pick<AnalyticsDeps, 'db'>,
  outcomes: readonly Outcome[],
  at: Date,
): Promise<{ platform: Platform; kind: Outcome['kind'] }[]> {
  const byPost = new Map(outcomes.map(outcome => [outcome.claim.postId, outcome]));
  return await db.transaction(async tx => {
    const measured: { post: ClaimedPost; measured: Measured }[] = [];
    const postponed: Postponed[] = [];
    const settled: { platform: Platform; kind: Outcome['kind'] }[] = [];
    const claims = outcomes.map(outcome => outcome.claim);
    for (const post of await lockClaimed(tx, claims)) {
      const outcome = byPost.get(post.postId) as Outcome;
      settled.push({ platform: post.platform, kind: outcome.kind });
      if (outcome.kind === 'measured') measured.push({ post, measured: outcome.measured });
      else postponed.push(postpone(post, outcome.kind, at));
    }
    if (measured.length > 0) await save(tx, measured, at);
    if (postponed.length > 0) await savePostponed(tx, postponed);
    return settled;
  });
}

function postpone(post: ClaimedPost, kind: 'missed' | 'failed', at: Date): Postponed {
  const { postId, failures, misses } = post;
  if (kind === 'failed') {
    return { postId, failures: failures + 1, misses, nextAt: retryAt(postId, failures + 1, at) };
  }
  const age = post.publishedAt ?? post.createdAt;
  return { postId, failures: 0, misses: misses + 1, nextAt: nextCheckAt(age, misses + 1, at) };
}

async function save(
  tx: Transaction,
  pairs: readonly { post: ClaimedPost; measured: Measured }[],
  at: Date,
): Promise<void> {
  const collected = pairs.map(({ post, measured }): Collected => {
    const publishedAt = post.publishedAt ?? measured.publishedAt;
    return {
      ...measured,
      postId: post.postId,
      countedDay: countedDay(publishedAt, post.createdAt),
      nextAt: nextCollectionAt(publishedAt ?? post.createdAt, at),
    };
  });
  const moves = pairs.map(({ post }, index) => {
    const { accountId, platform } = post;
    const { countedDay: day, ...numbers } = collected[index] as Collected;
    return {
      before: { accountId, platform, day: post.countedDay, numbers: post },
      after: { accountId, platform, day, numbers },
    };
  });
  await insertSnapshots(tx, collected, at);
  await saveCollected(tx, collected, at);
  await addToRollups(tx, rollupChanges(moves));
}
