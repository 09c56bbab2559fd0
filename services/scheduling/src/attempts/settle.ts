import { doLaterWork } from '@hookline/shared/kernel';
import type { Transaction } from '@hookline/shared/postgres';
import { getPlatformAccount } from '../accounts/queries.ts';
import type { SchedulingDeps } from '../deps.ts';
import { schedulingMetrics } from '../metrics.ts';
import { outcomeUnknown, ownFailure, platformFailure } from '../platform/failures.rules.ts';
import { lockScheduleById } from '../schedules/queries.ts';
import { setPostId } from '../schedules/queries-ends.ts';
import { addTimeline } from '../schedules/queries-timeline.ts';
import type { ScheduleRow } from '../schedules/record.ts';
import { awaitsOutcome, isGivenUp } from '../schedules/states.rules.ts';
import { failSchedule, finishSchedule, sendAgainLater } from '../schedules/transition.ts';
import type { PlatformOutcome } from './outcomes.rules.ts';
import { findAttempt, setAttemptState } from './queries.ts';
import type { AttemptRow } from './record.ts';
import { findResend } from './resend.rules.ts';
import { isOpenAttempt } from './states.rules.ts';

// A public id may come minutes or hours after the post. Polled with pauses of up to 60 s for a day.
const publicIdFirstMs = 2_000;

/**
 * Applies an outcome to the attempt and its schedule. Idempotent and independent of the order in which
 * outcomes arrive: only an open attempt can end its schedule, and an end is final. The one exception is
 * `outcome_unknown`, which is not an outcome: a report about the attempt's own publish id replaces it.
 */
export function settleAttempt(
  deps: SchedulingDeps,
  attemptId: string,
  outcome: PlatformOutcome,
): Promise<void> {
  return deps.db.transaction(tx => settleInTransaction(tx, deps, attemptId, outcome));
}

/**
 * @param isIdSure false if the publish id was only attributed to the attempt: its failure then ends the
 * schedule.
 */
export async function settleInTransaction(
  tx: Transaction,
  deps: SchedulingDeps,
  attemptId: string,
  outcome: PlatformOutcome,
  isIdSure = true,
): Promise<void> {
  if (outcome.kind === 'open') return;
  const found = await findAttempt(tx, attemptId);
  // The schedule was withdrawn: there is nothing left to settle.
  if (!found?.scheduleId) return;
  const schedule = await lockScheduleById(tx, found.scheduleId);
  // Read again: the schedule's lock orders all writes to its attempts except the pull.
  const attempt = await findAttempt(tx, attemptId);
  if (!schedule || !attempt) return;
  await inItsTrace(deps, schedule, () => settleLocked(tx, deps, schedule, attempt, outcome, isIdSure));
}

/** Reports from webhooks and polls belong to the trace of the request that created the schedule. */
function inItsTrace(
  { now }: SchedulingDeps,
  { requestId, traceparent, createdAt }: ScheduleRow,
  work: () => Promise<void>,
): Promise<void> {
  return doLaterWork(schedulingMetrics.spans.settle, { requestId, traceparent, at: createdAt }, now(), work);
}

async function settleLocked(
  tx: Transaction,
  deps: SchedulingDeps,
  schedule: ScheduleRow,
  attempt: AttemptRow,
  outcome: Exclude<PlatformOutcome, { kind: 'open' }>,
  isIdSure: boolean,
): Promise<void> {
  const isOpen = isOpenAttempt(attempt) && awaitsOutcome(schedule);
  const isLate = isIdSure && attempt.state === 'unknown' && attempt.publishId !== null && isGivenUp(schedule);
  if (outcome.kind === 'failed') {
    if (isOpen) await endAsFailed(tx, deps, schedule, attempt, outcome.reason, isIdSure);
    else if (isLate) await correctToFailed(tx, deps, schedule, attempt, outcome.reason);
    return;
  }
  if (outcome.kind === 'hidden') {
    const url = outcome.postId && (await postUrlOf(tx, deps, schedule, outcome.postId));
    if (attempt.state === 'delivered')
      await addTimeline(tx, schedule.id, deps.now(), 'no_longer_public', url);
    return;
  }
  const postId = outcome.kind === 'complete' ? outcome.postId : null;
  const postUrl = postId && (await postUrlOf(tx, deps, schedule, postId));
  const isCreatorsPost = outcome.kind === 'complete' && postId === null && schedule.mode === 'draft';
  if (isLate)
    await addTimeline(tx, schedule.id, deps.now(), 'found', 'TikTok told late what became of the post');
  if (isOpen || isLate) await endAsSent(tx, deps, schedule, attempt, outcome.kind, postId, postUrl);
  else if (attempt.state !== 'delivered') return;
  else if (postId && postUrl) await recordPublicId(tx, deps, schedule, attempt, postId, postUrl);
  // The creator posted the draft: recorded on the timeline, and the schedule stays `sent_to_drafts`.
  if (isCreatorsPost) await addTimeline(tx, schedule.id, deps.now(), 'posted_by_creator');
}

/**
 * No post was made after all. It is not sent again automatically: its owner was asked to check the account,
 * and may have scheduled the content again.
 */
async function correctToFailed(
  tx: Transaction,
  { now }: SchedulingDeps,
  schedule: ScheduleRow,
  attempt: AttemptRow,
  reason: string,
): Promise<void> {
  await setAttemptState(tx, attempt.id, 'failed', now());
  await addTimeline(tx, schedule.id, now(), 'found', 'TikTok told late that no post was made');
  await failSchedule(tx, schedule, platformFailure(schedule.mode, reason, null), now());
}

/**
 * The first public id is kept in the record. Further ones (a draft may become several posts) are added to the
 * timeline.
 */
async function recordPublicId(
  tx: Transaction,
  { now }: SchedulingDeps,
  schedule: ScheduleRow,
  attempt: AttemptRow,
  postId: string,
  postUrl: string,
): Promise<void> {
  const isFirst = await setPostId(tx, schedule.id, postId, postUrl, now());
  if (isFirst || schedule.platformPostId !== postId)
    await addTimeline(tx, schedule.id, now(), 'public', postUrl);
  await setAttemptState(tx, attempt.id, 'delivered', now());
}

async function endAsSent(
  tx: Transaction,
  { now }: SchedulingDeps,
  schedule: ScheduleRow,
  attempt: AttemptRow,
  kind: PlatformOutcome['kind'],
  postId: string | null,
  postUrl: string | null,
): Promise<void> {
  const isPublic = schedule.mode === 'publish' && schedule.privacyLevel === 'PUBLIC_TO_EVERYONE';
  const awaitsId = isPublic && postId === null;
  await setAttemptState(tx, attempt.id, 'delivered', now(), awaitsId ? publicIdFirstMs : null);
  // Whatever mode was requested: a post in an inbox is not published.
  const isDraft = schedule.mode === 'draft' || kind === 'inbox';
  const outcome = isDraft ? 'sent_to_drafts' : 'published';
  await finishSchedule(tx, schedule, { outcome, postId, postUrl, at: now() });
}

/**
 * The platform's FAILED is final: that publish id never becomes a post. If the id is certainly this
 * attempt's and the trouble is temporary, another call follows later.
 */
async function endAsFailed(
  tx: Transaction,
  { now, timings }: SchedulingDeps,
  schedule: ScheduleRow,
  attempt: AttemptRow,
  reason: string,
  isIdSure: boolean,
): Promise<void> {
  await setAttemptState(tx, attempt.id, 'failed', now());
  if (reason === 'photo_pull_failed' && attempt.missingSlide !== null) {
    const message = `The file of slide ${attempt.missingSlide} is gone; edit the content to render it again, then schedule it anew.`;
    await failSchedule(tx, schedule, ownFailure('slide_missing', 'content', message, false), now());
    return;
  }
  const resend = isIdSure ? findResend(reason, schedule, timings, now()) : null;
  if (resend) return await sendAgainLater(tx, schedule, resend.pauseMs, resend.why, now());
  await failSchedule(tx, schedule, platformFailure(schedule.mode, reason, null), now());
}

/**
 * No outcome arrived in time: the schedule ends and is never sent again (step 5 of the protocol).
 * If the publish id is known the platform is still polled, and its answer replaces the end.
 */
export async function giveUpOnAttempt(deps: SchedulingDeps, attemptId: string): Promise<void> {
  const { db, now, timings } = deps;
  await db.transaction(async tx => {
    const found = await findAttempt(tx, attemptId);
    const schedule = found?.scheduleId ? await lockScheduleById(tx, found.scheduleId) : null;
    const attempt = await findAttempt(tx, attemptId);
    if (!schedule || !attempt || !isOpenAttempt(attempt)) return;
    await inItsTrace(deps, schedule, async () => {
      await setAttemptState(tx, attempt.id, 'unknown', now(), attempt.publishId ? timings.pollAgainMs : null);
      // An attempt must not stay open, whatever became of its schedule: it would block its account.
      if (awaitsOutcome(schedule)) await failSchedule(tx, schedule, outcomeUnknown(), now());
    });
  });
}

async function postUrlOf(
  tx: Transaction,
  deps: SchedulingDeps,
  schedule: ScheduleRow,
  postId: string,
): Promise<string | null> {
  const { username } = await getPlatformAccount(tx, schedule.platformAccountId);
  return username && deps.postUrl(username, postId);
}
