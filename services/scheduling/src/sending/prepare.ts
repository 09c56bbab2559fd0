/** A call needs content's permit, the version that it names, and the account's current options. */
import { findLastSequence } from '@hookline/shared/bus';
import { ApiError } from '@hookline/shared/contracts';
import type { EventContent } from '@hookline/shared/contracts/content';
import { getContentForPosting } from '@hookline/shared/contracts/internal';
import type { ScheduleFailure } from '@hookline/shared/contracts/schedules';
import { bareCaller } from '@hookline/shared/http';
import { getCreatorSettings } from '../accounts/ask.ts';
import type { PlatformAccount } from '../accounts/record.ts';
import type { TokenAnswer } from '../accounts/tokens.ts';
import type { AttemptContent } from '../attempts/record.ts';
import { imageProblems } from '../creating/find-problems.ts';
import { imagesMatchSlides } from '../creating/slides.rules.ts';
import { defaultDescription, defaultTitle } from '../creating/texts.rules.ts';
import type { SchedulingDeps } from '../deps.ts';
import { type Carrier, carrierOf, type PhotoPost } from '../platform/carrier.rules.ts';
import {
  accountFailure,
  missed,
  notPostable,
  notRenewed,
  ownFailure,
  ownServiceAway,
  refusalFailure,
  rejected,
  unreachable,
  workspaceFrozen,
} from '../platform/failures.rules.ts';
import { isMissed, lastMomentOf } from '../schedules/lateness.rules.ts';
import type { ScheduleRow } from '../schedules/record.ts';
import type { Permit } from './batches.ts';
import type { Release } from './release.ts';

export type Prepared = AttemptContent & { post: Omit<PhotoPost, 'imageUrls'> };

type Ready<T> = { kind: 'ready'; value: T };

// The decision's event normally comes first; a lost one is found by this.
const heldPollMs = 60_000;

// A post now called the platform when it was accepted: within this time it is not called again.
const justAskedMs = 5_000;

/** The schedule's last event has `lastSequence`, if it is known. */
export type ToSend = { row: ScheduleRow; account: PlatformAccount; lastSequence?: number };

/** Nothing is written: the caller releases the claim if the post is not ready. */
export async function preparePost(
  deps: SchedulingDeps,
  { row, account, lastSequence }: ToSend,
): Promise<Ready<Prepared> | Release> {
  const permitted = await getPermitted(deps, row, lastSequence);
  if (permitted.kind !== 'ready') return permitted;
  // A person can be late, and a notice that is late is better than none.
  if (row.mode !== 'phone' && isMissed(row, deps.timings, deps.now())) {
    const limitMs = row.heldSince ? deps.timings.holdMs : deps.timings.lateMaxMs;
    return { kind: 'fail', failure: missed(row.mode, limitMs) };
  }
  const content = permitted.value;
  // The account may have been connected for another app since.
  if (account.appId !== null && account.appId !== content.appId) {
    const message =
      'The account was connected for another app than that of the content. Connect it for that app, then try again.';
    return { kind: 'fail', failure: ownFailure('cross_app', 'account', message, true) };
  }
  // The images of a version never change, so those checked at creation are still valid (D-45).
  const problem =
    content.version === row.contentVersion ? null : await findImageProblem(deps, { row, account }, content);
  if (problem) return problem;
  if (!content.result || !imagesMatchSlides(content)) {
    const message = 'The slide images of this content do not match its slides.';
    return { kind: 'fail', failure: notPostable('not_postable', message) };
  }
  const comments = await readCommentSetting(deps, row, account);
  if (comments.kind !== 'ready') return comments;
  const title = row.hasOwnTitle ? row.title : defaultTitle(content.result);
  const description = row.hasOwnDescription ? row.description : defaultDescription(content.result);
  const disableComment = row.disableComment || comments.value;
  const { mode, privacyLevel, autoAddMusic, brandOrganic, brandedContent, aiGenerated } = row;
  const labels = { autoAddMusic, brandOrganic, brandedContent, aiGenerated };
  const value = {
    contentVersion: content.version,
    title,
    description,
    disableComment,
    imageIds: content.images.map(image => image.imageId),
    post: { mode, title, description, privacyLevel, disableComment, ...labels },
  };
  return { kind: 'ready', value };
}

/** The failure lasts until somebody acts; null: the account can post. */
export function findAccountFailure(account: PlatformAccount): ScheduleFailure | null {
  if (account.isFrozen) return workspaceFrozen();
  if (account.deletedAt) {
    const message = 'The account was disconnected before the post was made. Connect it and schedule again.';
    return ownFailure('account_not_connected', 'account', message, false);
  }
  if (account.status === 'disconnected') return accountFailure('account_not_connected');
  return account.status === 'needs_reauth' ? accountFailure('account_needs_reauth') : null;
}

async function getPermitted(
  deps: SchedulingDeps,
  row: ScheduleRow,
  lastSequence: number | undefined,
): Promise<Ready<EventContent> | Release> {
  try {
    const afterSequence = lastSequence ?? (await findLastSequence(deps.db, 'schedule', row.id));
    const { id: scheduleId, contentId, accountId } = row;
    const permit =
      row.mode === 'phone'
        ? await readApproved(deps, row)
        : await deps.batches.askPermit({ scheduleId, contentId, accountId, afterSequence });
    return permit.granted ? { kind: 'ready', value: permit.content } : withoutPermit(deps, row, permit);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return ownRetry(row, error.message);
  }
}

function ownRetry({ mode }: ScheduleRow, reason: string): Release {
  return { kind: 'retry', failure: ownServiceAway(mode), reason };
}

/** What waits for a person has no permit: its content can be edited, and a decision withdrawn. */
async function readApproved(
  { peers }: SchedulingDeps,
  { contentId, accountId }: ScheduleRow,
): Promise<Permit> {
  const caller = bareCaller({ accountId, keyId: null, userId: null, scopes: ['content:read'] });
  const params = { id: contentId };
  try {
    const { content } = await peers.call(getContentForPosting, { body: {}, params, caller });
    const { approvalStatus } = content;
    if (approvalStatus === 'approved') return { granted: true, content };
    return { granted: false, code: 'not_approved', approvalStatus };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
    return { granted: false, code: 'not_found', approvalStatus: null };
  }
}

async function findImageProblem(
  deps: SchedulingDeps,
  { row, account }: ToSend,
  content: EventContent,
): Promise<Release | null> {
  try {
    for await (const { error } of imageProblems(deps, content, carrierOf(deps, account))) {
      return { kind: 'fail', failure: notPostable(error.code, error.message) };
    }
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return ownRetry(row, error.message);
  }
}

/** A missing decision holds it for at most 24 h past its time, a rejection ends it (additions to API-4). */
function withoutPermit(
  { now, timings }: SchedulingDeps,
  row: ScheduleRow,
  { code, approvalStatus }: Exclude<Permit, { granted: true }>,
): Release {
  const held = { ...row, heldSince: row.heldSince ?? row.scheduledFor };
  const leftMs = lastMomentOf(held, timings) - now().getTime();
  if (code === 'outdated') return ownRetry(row, 'the permit was requested too late');
  if (code !== 'not_found' && approvalStatus === 'rejected') return { kind: 'fail', failure: rejected() };
  if (code === 'not_found' || leftMs <= 0) {
    const message =
      code === 'not_found'
        ? 'The content is gone.'
        : 'The content was edited and not approved again within 24 hours.';
    return { kind: 'fail', failure: ownFailure('not_approved', 'content', message, false) };
  }
  return { kind: 'hold', checkInMs: Math.min(heldPollMs, leftMs) };
}

export function platformRetry(carrier: Carrier, { mode }: ScheduleRow, reason: string): Release {
  return { kind: 'retry', failure: unreachable(carrier, mode, reason), reason };
}

export function renewalRetry({ carrier, code }: Extract<TokenAnswer, { kind: 'not_renewed' }>): Release {
  const failure = notRenewed(carrier, code);
  return { kind: 'retry', failure, reason: failure.message };
}

/** Whether comments are off is read again before a direct post (D-44). */
async function readCommentSetting(
  deps: SchedulingDeps,
  row: ScheduleRow,
  account: PlatformAccount,
): Promise<Ready<boolean> | Release> {
  if (row.mode !== 'publish') return { kind: 'ready', value: false };
  const carrier = carrierOf(deps, account);
  const answer = await getCreatorSettings(deps, account, row.isImmediate ? justAskedMs : 0);
  if (answer.kind === 'account') return { kind: 'fail', failure: accountFailure(answer.code) };
  if (answer.kind === 'refused') {
    return answer.code === 'rate_limit_exceeded'
      ? platformRetry(carrier, row, answer.code)
      : { kind: 'fail', failure: refusalFailure(carrier, row.mode, answer.code, answer.message) };
  }
  if (answer.kind === 'not_renewed') return renewalRetry(answer);
  if (answer.kind !== 'ok') return platformRetry(carrier, row, answer.reason);
  if (row.privacyLevel === null || !answer.value.privacyLevels.includes(row.privacyLevel)) {
    const failure = refusalFailure(carrier, row.mode, 'privacy_level_option_mismatch', 'privacy level');
    return { kind: 'fail', failure };
  }
  return { kind: 'ready', value: answer.value.commentDisabled };
}
