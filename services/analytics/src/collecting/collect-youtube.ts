import { dayMs, minuteMs } from '@hookline/shared/kernel/durations';
import type { AnalyticsDeps } from '../deps.ts';
import type { VideoStats, YoutubeAnswer, YoutubeBucket } from '../platforms/youtube.ts';
import { youtubeBuckets, youtubeIdsMax } from '../platforms/youtube.ts';
import { nextPacificMidnight, pacificDay } from './pacific-day.rules.ts';
import { type Claim, claimYoutube, releaseClaims } from './queries.ts';
import {
  backOffBucket,
  clearFailures,
  type LimitState,
  listLimits,
  pauseBucket,
  takeUnit,
} from './queries-limits.ts';
import { type Outcome, settleClaims } from './settle.ts';

const busyMs = minuteMs;
const keyRefusedMs = 10 * minuteMs;
const unsupportedMs = dayMs;

type BatchAnswer =
  | Extract<YoutubeAnswer, { kind: 'ok' | 'refused' }>
  /** Every call has used up its quota or rests. */
  | { kind: 'closed' }
  /** The call was made, but no readable answer came. */
  | { kind: 'failed' };

/**
 * Collects up to 50 due YouTube posts with one call.
 * @returns true if there may be more, a date if every quota is used up or rests until then, false if nothing
 * is due.
 */
export async function collectYoutube(deps: AnalyticsDeps): Promise<boolean | Date> {
  const { db, now, timings } = deps;
  const openAt = await findOpening(deps);
  if (openAt) return openAt;
  const claims = await claimYoutube(db, { now: now(), leaseMs: timings.leaseMs, claimsMax: youtubeIdsMax });
  if (claims.length === 0) return false;
  const deadlineMs = performance.now() + timings.workMs;
  const outcomes = await collect(deps, claims, deadlineMs);
  await settleClaims(deps, outcomes);
  const settled = new Set(outcomes.map(outcome => outcome.claim));
  const left = claims.filter(claim => !settled.has(claim));
  if (left.length > 0) await releaseClaims(db, left);
  return true;
}

/** Outcomes of the claims. Claims that could not be read are left out. */
async function collect(
  deps: AnalyticsDeps,
  claims: readonly Claim[],
  deadlineMs: number,
): Promise<Outcome[]> {
  if (performance.now() > deadlineMs) return [];
  // Several accounts may have registered the same video.
  const ids = [...new Set(claims.map(claim => claim.platformPostId))];
  const answer = await askBatch(deps, ids);
  if (answer.kind === 'closed') return [];
  if (answer.kind === 'failed') return claims.map(claim => ({ claim, kind: 'failed' as const }));
  if (answer.kind === 'ok') return claims.map(claim => outcomeOf(claim, answer.found));
  if (ids.length === 1) {
    deps.log.warn({ platformPostId: ids[0], reason: answer.reason }, 'YouTube refuses a video id');
    return claims.map(claim => ({ claim, kind: 'missed' as const }));
  }
  // One bad id fails the whole call. Halving finds it in a few more calls, and the others get their numbers.
  const firstHalf = new Set(ids.slice(0, Math.ceil(ids.length / 2)));
  const isFirst = (claim: Claim): boolean => firstHalf.has(claim.platformPostId);
  const first = await collect(deps, claims.filter(isFirst), deadlineMs);
  return [
    ...first,
    ...(await collect(
      deps,
      claims.filter(claim => !isFirst(claim)),
      deadlineMs,
    )),
  ];
}

function outcomeOf(claim: Claim, found: ReadonlyMap<string, VideoStats>): Outcome {
  const stats = found.get(claim.platformPostId);
  if (!stats) return { claim, kind: 'missed' };
  return { claim, kind: 'measured', measured: { ...stats, sourceId: null, hasInsights: true } };
}

/** Uses the first call that has units left and does not rest: batchGetStats, then videos.list. */
async function askBatch(deps: AnalyticsDeps, ids: readonly string[]): Promise<BatchAnswer> {
  const { db, youtubeCredential: credential, youtubeDailyUnits: unitsMax } = deps;
  let isFailed = false;
  for (const bucket of youtubeBuckets) {
    const now = deps.now();
    if (!(await takeUnit(db, { credential, bucket, day: pacificDay(now), unitsMax, now }))) continue;
    const answer = await deps.youtube.readStats(bucket, ids);
    if (answer.kind === 'ok' || answer.kind === 'refused') {
      await clearFailures(db, { credential, bucket });
      return answer;
    }
    await rest(deps, bucket, answer);
    if (answer.kind === 'unavailable') isFailed = true;
  }
  return { kind: isFailed ? 'failed' : 'closed' };
}

async function rest(
  { db, log, now, youtubeCredential: credential }: AnalyticsDeps,
  bucket: YoutubeBucket,
  answer: Exclude<YoutubeAnswer, { kind: 'ok' | 'refused' }>,
): Promise<void> {
  const at = now();
  const limit = { credential, bucket };
  const after = (ms: number): Date => new Date(at.getTime() + ms);
  switch (answer.kind) {
    case 'quota':
      log.warn({ bucket }, "YouTube's quota of the day is used up");
      return pauseBucket(db, limit, nextPacificMidnight(at));
    case 'busy':
      return pauseBucket(db, limit, after(busyMs));
    case 'unsupported':
      log.warn({ bucket }, 'YouTube does not know the call; it is retried in a day');
      return pauseBucket(db, limit, after(unsupportedMs));
    case 'key_refused':
      log.error(
        { bucket, reason: answer.reason },
        'YouTube refuses YOUTUBE_API_KEY: no YouTube numbers are collected until it is fixed',
      );
      return pauseBucket(db, limit, after(keyRefusedMs));
    case 'unavailable':
      log.warn({ bucket, reason: answer.reason }, 'YouTube could not be reached');
      return backOffBucket(db, limit, at);
  }
}

/** The time when the first call is open again; null if one is open now. */
async function findOpening(deps: AnalyticsDeps): Promise<Date | null> {
  const { db, youtubeCredential, now } = deps;
  const at = now();
  const states = new Map((await listLimits(db, youtubeCredential)).map(state => [state.bucket, state]));
  const openings = youtubeBuckets.map(bucket => openingOf(deps, states.get(bucket), at));
  const first = new Date(Math.min(...openings.map(opening => opening.getTime())));
  if (first <= at) return null;
  // The worker sleeps by this machine's clock, which may differ from the service's.
  return new Date(Date.now() + first.getTime() - at.getTime());
}

function openingOf({ youtubeDailyUnits }: AnalyticsDeps, state: LimitState | undefined, at: Date): Date {
  if (!state) return at;
  const isSpent = state.day === pacificDay(at) && state.spent >= youtubeDailyUnits;
  const midnight = isSpent ? nextPacificMidnight(at) : at;
  return new Date(Math.max(midnight.getTime(), state.pausedUntil?.getTime() ?? 0));
}
