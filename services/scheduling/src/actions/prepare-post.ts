/** Before the call: the right to send from content, the version that it names, and what the account allows now. */

import { findLastSequence } from '@hookline/shared/bus';
import { ApiError } from '@hookline/shared/contracts';
import type { EventContent } from '@hookline/shared/contracts/content';
import type { Parts } from '../parts.ts';
import type { PhotoPost } from '../platform/tiktok.ts';
import type { Claim } from '../queries/claims.ts';
import { checkClaim, hold } from '../queries/due-schedules.ts';
import type { PlatformAccount } from '../queries/platform-accounts.ts';
import { lockScheduleById, type ScheduleRow } from '../queries/schedules.ts';
import { addTimeline } from '../queries/timeline.ts';
import { accountFailure, ownFailure, rejected } from '../rules/failures.ts';
import { defaultDescription, defaultTitle } from '../rules/post-texts.ts';
import { imagesMatchSlides } from '../rules/slides.ts';
import type { AskPermit } from './ask-permit.ts';
import { imageProblems } from './check-post.ts';
import { getCreatorSettings } from './creator-info.ts';
import { fail, notPostable, refusedBefore, retryLater } from './stop-sending.ts';

export type Prepared = {
  contentVersion: number;
  title: string;
  description: string;
  disableComment: boolean;
  imageIds: string[];
  post: Omit<PhotoPost, 'imageUrls'>;
};

// The decision's event comes first; this is only for one that was lost.
const heldLookMs = 60_000;

// A post now asked the platform when it was accepted: its answer is not asked for again within this time.
const justAskedMs = 5_000;

/**
 * Null: the schedule was ended, held or put off, and this is written down.
 * @param ask content for the permit.
 * @param lastSequence of the schedule's events, where it is known.
 */
export async function preparePost(
  parts: Parts,
  claim: Claim,
  row: ScheduleRow,
  account: PlatformAccount,
  ask: AskPermit,
  lastSequence?: number,
): Promise<Prepared | null> {
  if (account.deletedAt) {
    const message =
      'The TikTok account was disconnected before the post was made. Connect it and schedule again.';
    return over(await fail(parts, claim, ownFailure('account_not_connected', 'account', message, false)));
  }
  if (account.status === 'disconnected') {
    return over(await fail(parts, claim, accountFailure('account_not_connected')));
  }
  if (account.status === 'needs_reauth') {
    return over(await fail(parts, claim, accountFailure('account_needs_reauth')));
  }
  const content = await getPermitted(parts, claim, row, ask, lastSequence);
  if (!content) return null;
  // The images of a version never change: those that were checked at creation stand (D-45).
  if (content.version !== row.contentVersion && !(await imagesFit(parts, claim, content))) return null;
  if (!content.result || !imagesMatchSlides(content)) {
    const message = 'The slide images of this content do not match its slides.';
    return over(await fail(parts, claim, notPostable('not_postable', message)));
  }
  const comment = await readCommentSetting(parts, claim, row, account);
  if (comment === null) return null;
  await noteVersion(parts, claim, row, content);
  const title = row.isTitleGiven ? row.title : defaultTitle(content.result);
  const description = row.isDescriptionGiven ? row.description : defaultDescription(content.result);
  const disableComment = row.disableComment || comment;
  const { mode, privacyLevel, autoAddMusic, brandOrganic, brandedContent, aiGenerated } = row;
  const labels = { autoAddMusic, brandOrganic, brandedContent, aiGenerated };
  return {
    contentVersion: content.version,
    title,
    description,
    disableComment,
    imageIds: content.images.map(image => image.imageId),
    post: { mode, title, description, privacyLevel, disableComment, ...labels },
  };
}

async function getPermitted(
  parts: Parts,
  claim: Claim,
  row: ScheduleRow,
  ask: AskPermit,
  lastSequence: number | undefined,
): Promise<EventContent | null> {
  try {
    const afterSequence = lastSequence ?? (await findLastSequence(parts.db, 'schedule', row.id));
    const { id: scheduleId, contentId, accountId } = row;
    const permit = await ask({ scheduleId, contentId, accountId, afterSequence });
    if (permit.granted) return permit.content;
    return over(await holdOrFail(parts, claim, row, permit.code, permit.approvalStatus));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return over(await retryLater(parts, claim, error.message));
  }
}

/** False: the schedule was ended, or put off. */
async function imagesFit(parts: Parts, claim: Claim, content: EventContent): Promise<boolean> {
  try {
    for await (const { error } of imageProblems(parts, content)) {
      await fail(parts, claim, notPostable(error.code, error.message));
      return false;
    }
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    await retryLater(parts, claim, error.message);
    return false;
  }
}

/** Held while a decision is missing, at most 24 h past its time; a rejection ends it (additions to API-4). */
async function holdOrFail(
  parts: Parts,
  claim: Claim,
  row: ScheduleRow,
  code: 'not_approved' | 'not_found' | 'not_ready',
  approvalStatus: string | null,
): Promise<void> {
  const { now, timings } = parts;
  const leftMs = row.scheduledFor.getTime() + timings.holdMs - now().getTime();
  if (code !== 'not_found' && approvalStatus === 'rejected') return await fail(parts, claim, rejected());
  if (code === 'not_found' || leftMs <= 0) {
    const message =
      code === 'not_found'
        ? 'The content is gone.'
        : 'The content was edited and not approved again within 24 hours of its time.';
    return await fail(parts, claim, ownFailure('not_approved', 'content', message, false));
  }
  await parts.db.transaction(async tx => {
    const current = await lockScheduleById(tx, claim.id);
    const { isMine } = await checkClaim(tx, claim);
    if (!current || !isMine) return;
    if (!current.heldSince)
      await addTimeline(tx, claim.id, now(), 'held', 'waits for the approval of its content');
    await hold(tx, claim, Math.min(heldLookMs, leftMs), now());
  });
}

/** Asked fresh for a direct post (D-44): whether comments are off. Null: ended or put off. */
async function readCommentSetting(
  parts: Parts,
  claim: Claim,
  row: ScheduleRow,
  account: PlatformAccount,
): Promise<boolean | null> {
  if (row.mode === 'draft') return false;
  const answer = await getCreatorSettings(parts, account, row.isImmediate ? justAskedMs : 0);
  if (answer.kind === 'account') return over(await fail(parts, claim, accountFailure(answer.code)));
  if (answer.kind === 'refused') {
    if (answer.code === 'rate_limit_exceeded') return over(await retryLater(parts, claim, answer.code));
    return over(await fail(parts, claim, refusedBefore(row, answer.code, answer.message)));
  }
  if (answer.kind !== 'ok') return over(await retryLater(parts, claim, answer.reason));
  if (row.privacyLevel === null || !answer.value.privacyLevels.includes(row.privacyLevel)) {
    return over(
      await fail(parts, claim, refusedBefore(row, 'privacy_level_option_mismatch', 'privacy level')),
    );
  }
  return answer.value.commentDisabled;
}

async function noteVersion(
  { db, now }: Parts,
  claim: Claim,
  row: ScheduleRow,
  content: EventContent,
): Promise<void> {
  if (content.version === row.contentVersion) return;
  const detail = `version ${row.contentVersion} was edited; version ${content.version} is sent`;
  await db.transaction(async tx => {
    await lockScheduleById(tx, claim.id);
    const { isMine } = await checkClaim(tx, claim);
    if (isMine) await addTimeline(tx, claim.id, now(), 'version_changed', detail);
  });
}

function over(_written: unknown): null {
  return null;
}
