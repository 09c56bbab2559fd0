import type { AnalyticsDeps } from '../deps.ts';
import type { GraphAnswer } from '../platforms/instagram.ts';
import { listReaders, markNeedsReauth, type StoredToken } from '../sources/queries.ts';
import { claimInstagram, type InstagramClaim, releaseClaims, restIdleSources } from './queries.ts';
import { backOffBucket, clearFailures, isResting, pauseBucket } from './queries-limits.ts';
import { type Reading, readMedia } from './read-media.ts';
import { type Outcome, settleClaims } from './settle.ts';

/** Maximum number of sources tried for a post whose owner is not known. */
const readersMax = 10;
// A source rests from this share of its limit on, so that the platform never has to refuse.
const restPercent = 85;
const restMs = 15 * 60_000;

const appLimit = { credential: 'instagram', bucket: 'app' };

/** Outcome of a read with one source. `released`: the post stays due, and the source or the app rests. */
type Read = { kind: 'ok'; reading: Reading } | { kind: 'missed' | 'failed' | 'released' };

/**
 * Collects one due Instagram post.
 * @returns true if there may be more, false if no due post can be read by a source now.
 */
export async function collectInstagram(deps: AnalyticsDeps): Promise<boolean> {
  const { db, now, timings } = deps;
  const at = now();
  const claim = await claimInstagram(db, at, timings.leaseMs);
  if (!claim) {
    await restIdleSources(db, at);
    return false;
  }
  const outcome = await collect(deps, claim);
  if (outcome) await settleClaims(deps, [outcome]);
  else await releaseClaims(db, [claim]);
  return true;
}

async function collect(deps: AnalyticsDeps, claim: InstagramClaim): Promise<Outcome | null> {
  const deadlineMs = performance.now() + deps.timings.workMs;
  const readers = await listReaders(deps.db, claim, readersMax);
  for (const reader of readers) {
    const rests = reader.id !== claim.sourceId && (await isResting(deps.db, [reader.id], deps.now()));
    // Whether the post is there is not known before all were asked.
    if (rests || performance.now() > deadlineMs) return { claim, kind: 'failed' };
    const read = await readAs(deps, reader, claim);
    if (read.kind === 'ok') {
      return { claim, kind: 'measured', measured: { ...read.reading, sourceId: reader.id } };
    }
    if (read.kind === 'released') return null;
    if (read.kind === 'failed') return { claim, kind: 'failed' };
  }
  return { claim, kind: 'missed' };
}

async function readAs(deps: AnalyticsDeps, reader: StoredToken, claim: InstagramClaim): Promise<Read> {
  const { instagram, secretBox, db, log, now } = deps;
  const { platformPostId: mediaId, hasInsights } = claim;
  const token = secretBox.tryOpen(reader.tokenSealed, reader.id);
  if (token === null) {
    log.error({ sourceId: reader.id }, 'no key opens the token of a source');
    return { kind: 'failed' };
  }
  const answer = await readMedia(instagram, { token, mediaId, hasInsights }, one =>
    storeLimits(deps, reader.id, one),
  );
  if (answer.kind === 'ok') return answer;
  if (answer.kind === 'unavailable') {
    log.warn({ reason: answer.reason }, 'Instagram could not be reached');
    return { kind: 'failed' };
  }
  const { problem, code } = answer;
  if (problem === 'missing') return { kind: 'missed' };
  if (problem === 'limited' || problem === 'app_limited') return { kind: 'released' };
  if (problem === 'token') {
    const isMarked = await markNeedsReauth(db, reader, now());
    if (isMarked) log.warn({ sourceId: reader.id, code }, 'a source needs a new token from its owner');
    return { kind: 'released' };
  }
  log.warn({ code, platformPostId: mediaId }, 'Instagram refuses a post');
  return { kind: 'failed' };
}

/** Stores the limits that an answer reports, where all replicas see them. */
export async function storeLimits(
  { db, now }: AnalyticsDeps,
  sourceId: string,
  answer: GraphAnswer<unknown>,
): Promise<void> {
  const at = now();
  const until = (ms: number): Date => new Date(at.getTime() + ms);
  if (answer.kind === 'unavailable') return backOffBucket(db, appLimit, at);
  await clearFailures(db, appLimit);
  const { percent, appPercent, regainMinutes } = answer.usage;
  const problem = answer.kind === 'refused' ? answer.problem : null;
  if (problem === 'app_limited' || appPercent >= restPercent) {
    await pauseBucket(db, appLimit, until(restMs));
  }
  if (problem === 'limited' || percent >= restPercent || regainMinutes > 0) {
    await pauseBucket(
      db,
      { credential: sourceId, bucket: 'calls' },
      until(Math.max(regainMinutes * 60_000, restMs)),
    );
  }
}
