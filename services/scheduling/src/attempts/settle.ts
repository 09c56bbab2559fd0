import { doLaterWork } from '@hookline/shared/kernel';
import type { Transaction } from '@hookline/shared/postgres';
import { getPlatformAccount } from '../accounts/queries.ts';
import type { WriteContext } from '../context.ts';
import type { SchedulingDeps } from '../deps.ts';
import { schedulingMetrics } from '../metrics.ts';
import { readFromNow } from '../numbers/queries.ts';
import { carrierOf, type PlatformOutcome } from '../platform/carrier.rules.ts';
import { outcomeUnknown, ownFailure, platformFailure } from '../platform/failures.rules.ts';
import { lockScheduleById } from '../schedules/queries.ts';
import { type SentPost, setPostId } from '../schedules/queries-ends.ts';
import { addTimeline } from '../schedules/queries-timeline.ts';
import type { ScheduleRow } from '../schedules/record.ts';
import { awaitsOutcome, isGivenUp } from '../schedules/states.rules.ts';
import { failSchedule, finishSchedule, sendAgainLater } from '../schedules/transition.ts';
import { findAttempt, setAttemptState } from './queries.ts';
import type { AttemptRow } from './record.ts';
import { findResend } from './resend.rules.ts';
import { isOpenAttempt } from './states.rules.ts';

const publicIdFirstMs = 2_000;

/**
 * If the publish id was only attributed to the attempt, `isIdSure` is false, and a failure ends the schedule.
 */
type Report = { attemptId: string; outcome: PlatformOutcome; isIdSure: boolean };

/** The row of the schedule is locked. */
type Settling = WriteContext &
  Pick<SchedulingDeps, 'timings' | 'carriers'> & { schedule: ScheduleRow; attempt: AttemptRow };

/**
 * Outcomes are idempotent and may arrive in any order: only an open attempt can end its schedule, and an end
 * is final. The one exception is `outcome_unknown`, which is not an outcome: a report about the attempt's own
 * publish id replaces it.
 */
export function settleAttempt(
  deps: SchedulingDeps,
  attemptId: string,
  outcome: PlatformOutcome,
): Promise<void> {
  return deps.db.transaction(tx => settleInTransaction(tx, deps, { attemptId, outcome, isIdSure: true }));
}

export async function settleInTransaction(
  tx: Transaction,
  deps: SchedulingDeps,
  { attemptId, outcome, isIdSure }: Report,
): Promise<void> {
  if (outcome.kind === 'open') return;
  const settling = await lockAttempt(tx, deps, attemptId);
  if (settling) await inItsTrace(settling, () => settleLocked(settling, outcome, isIdSure));
}

/** @returns null if the schedule was withdrawn: there is nothing left to settle. */
async function lockAttempt(
  tx: Transaction,
  { now, timings, carriers }: SchedulingDeps,
  attemptId: string,
): Promise<Settling | null> {
  const found = await findAttempt(tx, attemptId);
  const schedule = found?.scheduleId ? await lockScheduleById(tx, found.scheduleId) : null;
  // The second look is under the schedule's lock, which orders all writes to its attempts except the pull.
  const attempt = await findAttempt(tx, attemptId);
  return schedule && attempt && { tx, now: now(), timings, carriers, schedule, attempt };
}

/** Reports belong to the trace of the request that created the schedule. */
function inItsTrace({ schedule, now }: Settling, work: () => Promise<void>): Promise<void> {
  const { requestId, traceparent, createdAt } = schedule;
  return doLaterWork(schedulingMetrics.spans.settle, { requestId, traceparent, at: createdAt }, now, work);
}

async function settleLocked(
  settling: Settling,
  outcome: Exclude<PlatformOutcome, { kind: 'open' }>,
  isIdSure: boolean,
): Promise<void> {
  const { schedule, attempt } = settling;
  const isOpen = isOpenAttempt(attempt) && awaitsOutcome(schedule);
  const isLate = isIdSure && attempt.state === 'unknown' && attempt.publishId !== null && isGivenUp(schedule);
  if (outcome.kind === 'failed') {
    if (isOpen) await endAsFailed(settling, outcome.reason, isIdSure);
    else if (isLate) await correctToFailed(settling, outcome.reason);
    return;
  }
  if (outcome.kind === 'hidden') {
    const url = outcome.postId && (await postUrlOf(settling, outcome.postId));
    if (attempt.state === 'delivered') await addTimeline(settling, schedule.id, 'no_longer_public', url);
    return;
  }
  const postId = outcome.kind === 'complete' ? outcome.postId : null;
  const postUrl = postId && (await postUrlOf(settling, postId));
  const isCreatorsPost = outcome.kind === 'complete' && postId === null && schedule.mode === 'draft';
  if (isLate)
    await addTimeline(settling, schedule.id, 'found', 'the platform told late what became of the post');
  if (isOpen || isLate) {
    // A post in an inbox is not published, whatever mode was requested.
    const isDraft = schedule.mode === 'draft' || outcome.kind === 'inbox';
    await endAsSent(settling, { outcome: isDraft ? 'sent_to_drafts' : 'published', postId, postUrl });
  } else if (attempt.state !== 'delivered') return;
  else if (postId) await recordPublicId(settling, { postId, postUrl });
  // The creator posted the draft. The schedule stays `sent_to_drafts`.
  if (isCreatorsPost) await addTimeline(settling, schedule.id, 'posted_by_creator');
}

/**
 * It is not sent again automatically: its owner was asked to check, and may have scheduled the content again.
 */
async function correctToFailed(settling: Settling, reason: string): Promise<void> {
  const { schedule, attempt } = settling;
  await setAttemptState(settling, attempt.id, 'failed');
  await addTimeline(settling, schedule.id, 'found', 'the platform told late that no post was made');
  const { carrier } = await accountOf(settling);
  await failSchedule(settling, schedule, platformFailure(carrier, schedule.mode, reason, null));
}

/** Without a name of the account the post has no address. */
type PublicPost = { postId: string; postUrl: string | null };

/** The record keeps the first public id; the timeline has all, because a draft may become several posts. */
async function recordPublicId(settling: Settling, post: PublicPost): Promise<void> {
  const { schedule, attempt } = settling;
  const isFirst = await setPostId(settling, schedule.id, post);
  if (isFirst || schedule.platformPostId !== post.postId)
    await addTimeline(settling, schedule.id, 'public', post.postUrl ?? post.postId);
  await setAttemptState(settling, attempt.id, 'delivered');
  if (isFirst) await readFromNow(settling.tx, schedule.id, settling.now);
}

async function endAsSent(settling: Settling, sent: SentPost): Promise<void> {
  const { schedule, attempt } = settling;
  const isPublic = schedule.mode === 'publish' && schedule.privacyLevel === 'PUBLIC_TO_EVERYONE';
  const awaitsId = (isPublic || schedule.mode === 'draft') && sent.postId === null;
  await setAttemptState(settling, attempt.id, 'delivered', awaitsId ? publicIdFirstMs : null);
  await finishSchedule(settling, schedule, sent);
  if (sent.postId) await readFromNow(settling.tx, schedule.id, settling.now);
}

/**
 * FAILED is final. If the id is certainly this attempt's and the trouble is temporary, another call follows.
 */
async function endAsFailed(settling: Settling, reason: string, isIdSure: boolean): Promise<void> {
  const { schedule, attempt, timings, now } = settling;
  await setAttemptState(settling, attempt.id, 'failed');
  if (reason === 'photo_pull_failed' && attempt.missingSlide !== null) {
    const message = `The file of slide ${attempt.missingSlide} is gone; edit the content to render it again, then schedule it anew.`;
    return await failSchedule(settling, schedule, ownFailure('slide_missing', 'content', message, false));
  }
  const { carrier } = await accountOf(settling);
  const resend = isIdSure ? findResend(carrier, reason, schedule, timings, now) : null;
  if (resend) return await sendAgainLater(settling, schedule, resend);
  await failSchedule(settling, schedule, platformFailure(carrier, schedule.mode, reason, null));
}

/**
 * The schedule ends without an outcome and is never sent again (step 5 of the protocol). If the publish id is
 * known the platform is still polled, and its answer replaces the end.
 */
export async function giveUpOnAttempt(deps: SchedulingDeps, attemptId: string): Promise<void> {
  await deps.db.transaction(async tx => {
    const settling = await lockAttempt(tx, deps, attemptId);
    if (!settling || !isOpenAttempt(settling.attempt)) return;
    const { schedule, attempt, timings } = settling;
    await inItsTrace(settling, async () => {
      await setAttemptState(settling, attempt.id, 'unknown', attempt.publishId ? timings.pollAgainMs : null);
      // An attempt that stays open would block its account, whatever became of its schedule.
      if (!awaitsOutcome(schedule)) return;
      const { carrier } = await accountOf(settling);
      await failSchedule(settling, schedule, outcomeUnknown(carrier));
    });
  });
}

async function postUrlOf(settling: Settling, postId: string): Promise<string | null> {
  const { username, carrier } = await accountOf(settling);
  return username && carrier.postUrl(username, postId);
}

/** Few outcomes need it. */
async function accountOf({ tx, carriers, schedule }: Settling) {
  const account = await getPlatformAccount(tx, schedule.platformAccountId);
  return { username: account.username, carrier: carrierOf({ carriers }, account) };
}
