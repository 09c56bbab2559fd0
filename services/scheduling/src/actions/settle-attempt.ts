import { doLaterWork } from '@hookline/shared/kernel';
import type { Transaction } from '@hookline/shared/postgres';
import type { Parts } from '../parts.ts';
import { type AttemptRow, findAttempt, setAttemptState } from '../queries/attempts.ts';
import { getPlatformAccount } from '../queries/platform-accounts.ts';
import { setPostId } from '../queries/schedule-ends.ts';
import { lockScheduleById, type ScheduleRow } from '../queries/schedules.ts';
import { addTimeline } from '../queries/timeline.ts';
import { outcomeUnknown, ownFailure, platformFailure } from '../rules/failures.ts';
import type { PlatformOutcome } from '../rules/outcomes.ts';
import { findResend } from '../rules/resend.ts';
import { failSchedule, finishSchedule, sendAgainLater } from './end-schedule.ts';

const openStates = ['calling', 'unconfirmed', 'accepted'];
// A public id may come minutes or hours after the post; asked for with pauses of up to 60 s for a day.
const publicIdFirstMs = 2_000;

/**
 * Applies what the platform said to the attempt and its schedule. Repeatable, and the order of what arrives does not
 * matter: only an open attempt can end its schedule, and an end stands. The one exception is `outcome_unknown`, which
 * is no outcome: news about the attempt's own publish id replaces it.
 */
export function settleAttempt(parts: Parts, attemptId: string, outcome: PlatformOutcome): Promise<void> {
  return parts.db.transaction(tx => settleInTransaction(tx, parts, attemptId, outcome));
}

/** @param isIdSure false where the publish id was only taken to be the attempt's: its failure ends the schedule. */
export async function settleInTransaction(
  tx: Transaction,
  parts: Parts,
  attemptId: string,
  outcome: PlatformOutcome,
  isIdSure = true,
): Promise<void> {
  if (outcome.kind === 'open') return;
  const found = await findAttempt(tx, attemptId);
  // Of a withdrawn schedule: there is nothing left to settle.
  if (!found?.scheduleId) return;
  const schedule = await lockScheduleById(tx, found.scheduleId);
  // Read again: the schedule's lock orders all writes to its attempts but the pull.
  const attempt = await findAttempt(tx, attemptId);
  if (!schedule || !attempt) return;
  await inItsTrace(parts, schedule, () => settleLocked(tx, parts, schedule, attempt, outcome, isIdSure));
}

/** Whoever brings the news, the platform or a poll: it belongs to the request that made the schedule. */
function inItsTrace(
  { now }: Parts,
  { requestId, traceparent, createdAt }: ScheduleRow,
  work: () => Promise<void>,
): Promise<void> {
  return doLaterWork('settle schedule', { requestId, traceparent, at: createdAt }, now(), work);
}

async function settleLocked(
  tx: Transaction,
  parts: Parts,
  schedule: ScheduleRow,
  attempt: AttemptRow,
  outcome: Exclude<PlatformOutcome, { kind: 'open' }>,
  isIdSure: boolean,
): Promise<void> {
  const isOpen = openStates.includes(attempt.state) && schedule.status === 'sending';
  const isLate = isIdSure && isGivenUp(schedule, attempt);
  if (outcome.kind === 'failed') {
    if (isOpen) await endAsFailed(tx, parts, schedule, attempt, outcome.reason, isIdSure);
    else if (isLate) await correctToFailed(tx, parts, schedule, attempt, outcome.reason);
    return;
  }
  if (outcome.kind === 'hidden') {
    const url = outcome.postId && (await postUrlOf(tx, parts, schedule, outcome.postId));
    if (attempt.state === 'delivered')
      await addTimeline(tx, schedule.id, parts.now(), 'no_longer_public', url);
    return;
  }
  const postId = outcome.kind === 'complete' ? outcome.postId : null;
  const postUrl = postId && (await postUrlOf(tx, parts, schedule, postId));
  const isCreatorsPost = outcome.kind === 'complete' && postId === null && schedule.mode === 'draft';
  if (isLate)
    await addTimeline(tx, schedule.id, parts.now(), 'found', 'TikTok told late what became of the post');
  if (isOpen || isLate) await endAsSent(tx, parts, schedule, attempt, outcome.kind, postId, postUrl);
  else if (attempt.state !== 'delivered') return;
  else if (postId && postUrl) await noteId(tx, parts, schedule, attempt, postId, postUrl);
  // The draft is out of our hands: what the creator does with it is told, and stays `sent_to_drafts`.
  if (isCreatorsPost) await addTimeline(tx, schedule.id, parts.now(), 'posted_by_creator');
}

/** The schedule ended because nobody knew what became of this attempt, and was not tried again since. */
function isGivenUp(schedule: ScheduleRow, attempt: AttemptRow): boolean {
  return (
    attempt.state === 'unknown' &&
    attempt.publishId !== null &&
    schedule.status === 'failed' &&
    schedule.failure?.code === 'outcome_unknown'
  );
}

/**
 * No post was made after all. It is not sent again by itself: its owner was told to look at the account, and may have
 * scheduled the content anew.
 */
async function correctToFailed(
  tx: Transaction,
  { now }: Parts,
  schedule: ScheduleRow,
  attempt: AttemptRow,
  reason: string,
): Promise<void> {
  await setAttemptState(tx, attempt.id, 'failed', now());
  await addTimeline(tx, schedule.id, now(), 'found', 'TikTok told late that no post was made');
  await failSchedule(tx, schedule, platformFailure(schedule.mode, reason, null), now());
}

/** A public id: the first one stands in the record, and every further one (a draft may become several posts) is told. */
async function noteId(
  tx: Transaction,
  { now }: Parts,
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
  { now }: Parts,
  schedule: ScheduleRow,
  attempt: AttemptRow,
  kind: PlatformOutcome['kind'],
  postId: string | null,
  postUrl: string | null,
): Promise<void> {
  const isPublic = schedule.mode === 'publish' && schedule.privacyLevel === 'PUBLIC_TO_EVERYONE';
  const awaitsId = isPublic && postId === null;
  await setAttemptState(tx, attempt.id, 'delivered', now(), awaitsId ? publicIdFirstMs : null);
  // Whatever was asked for: what lies in an inbox is not published.
  const isDraft = schedule.mode === 'draft' || kind === 'inbox';
  const outcome = isDraft ? 'sent_to_drafts' : 'published';
  await finishSchedule(tx, schedule, { outcome, postId, postUrl, at: now() });
}

/**
 * The platform's FAILED is final: that publish id never becomes a post. Where the id is certainly this attempt's, a
 * trouble that passes is answered with another call, later.
 */
async function endAsFailed(
  tx: Transaction,
  { now, timings }: Parts,
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
 * Nothing was heard within the time: the schedule ends, and is never sent again (step 5 of the protocol). Where the
 * publish id is known the platform is asked on, and what it says then replaces the end.
 */
export async function giveUpOnAttempt(parts: Parts, attemptId: string): Promise<void> {
  const { db, now, timings } = parts;
  await db.transaction(async tx => {
    const found = await findAttempt(tx, attemptId);
    const schedule = found?.scheduleId ? await lockScheduleById(tx, found.scheduleId) : null;
    const attempt = await findAttempt(tx, attemptId);
    if (!schedule || !attempt || !openStates.includes(attempt.state)) return;
    await inItsTrace(parts, schedule, async () => {
      await setAttemptState(tx, attempt.id, 'unknown', now(), attempt.publishId ? timings.lookAgainMs : null);
      await failSchedule(tx, schedule, outcomeUnknown(), now());
    });
  });
}

async function postUrlOf(
  tx: Transaction,
  parts: Parts,
  schedule: ScheduleRow,
  postId: string,
): Promise<string> {
  const account = await getPlatformAccount(tx, schedule.platformAccountId);
  return parts.postUrl(account.username, postId);
}
