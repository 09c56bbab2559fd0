import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import type { EventContent } from '@hookline/shared/contracts/content';
import { getContentForPosting } from '@hookline/shared/contracts/internal';
import { type GivenOwnFields, readOwnFields } from '@hookline/shared/contracts/own-fields';
import type { CreateScheduleBody, PrivacyLevel, ScheduleMode } from '@hookline/shared/contracts/schedules';
import { byOf, type Caller } from '@hookline/shared/http';
import { digestSlides } from '@hookline/shared/kernel/sha256';
import type { CreatorSettings } from '../accounts/ask.ts';
import { findPlatformAccount } from '../accounts/queries.ts';
import type { PlatformAccount } from '../accounts/record.ts';
import type { SchedulingDeps } from '../deps.ts';
import { requirePublishScope } from '../schedules/input.rules.ts';
import type { NewSchedule, ScheduleRow } from '../schedules/record.ts';
import { findPostProblems, type PostCheck } from './find-problems.ts';
import {
  defaultDescription,
  defaultTitle,
  type PostTexts,
  requireAiLabel,
  textsToKeep,
} from './texts.rules.ts';

export type ScheduleOrder = {
  id: string;
  caller: Caller;
  body: Omit<CreateScheduleBody, 'scheduledFor' | 'slot' | keyof GivenOwnFields> & GivenOwnFields;
  /** Null means now: the request itself posts, as soon as its checks are done. */
  scheduledFor: Date | null;
  requestId: string | null;
  /** The waiting schedule that is changed. */
  replaces?: ScheduleRow;
  firing: { automationId: string; firingId: string; keyIds: readonly string[] } | null;
};

/** Checks in the sequence of D-40, and writes nothing. @throws ApiError the first problem. */
export async function checkSchedule(deps: SchedulingDeps, order: ScheduleOrder): Promise<NewSchedule> {
  const { caller, body } = order;
  if (body.brandedContent && body.privacyLevel === 'SELF_ONLY') {
    throw invalidRequest('brandedContent must be false when privacyLevel is SELF_ONLY');
  }
  requirePublishScope('request', body.mode ?? 'draft', caller);
  requireAiLabel(body, caller);
  const params = { id: body.contentId };
  const { content } = await deps.peers.call(getContentForPosting, { body: {}, params, caller });
  if (order.firing) requireOrigin(content, order.firing);
  const account = await findPlatformAccount(deps.db, caller.accountId, body.tiktokAccountId);
  if (!account) throw new ApiError('account_not_found');
  const mode = modeFor(account, body.mode, order.replaces?.mode);
  const approved = content.approvalStatus === 'approved' ? content.result : null;
  const texts = approved ? textsToKeep(body, approved, caller) : body;
  const isImmediate = order.scheduledFor === null;
  const at = order.scheduledFor ?? deps.now();
  const check: PostCheck = { content, account, mode, privacyLevel: body.privacyLevel, isImmediate, at };
  if (order.replaces?.platformAccountId === account.id) check.replaces = true;
  const found = await findPostProblems(deps, check).next();
  if (!found.done) throw found.value.error;
  return newSchedule(order, { ...check, texts, creator: found.value }, deps.now());
}

/**
 * @param before the mode of the schedule that is changed, which stays where the account has it
 * @throws ApiError `invalid_request` for a mode that the account does not have
 */
export function modeFor(
  { kind }: Pick<PlatformAccount, 'kind'>,
  given: ScheduleMode | undefined,
  before: ScheduleMode = 'draft',
): ScheduleMode {
  const mode = given ?? (kind === 'phone' ? 'phone' : before === 'phone' ? 'draft' : before);
  if ((mode === 'phone') === (kind === 'phone')) return mode;
  const right = kind === 'phone' ? 'must be "phone" or left out' : 'must be draft or publish';
  throw invalidRequest(`mode ${right} for an account of kind "${kind}"`);
}

/** A message is not trusted: content knows for which firing it created the content. */
function requireOrigin(
  { origin }: EventContent,
  { automationId, firingId }: NonNullable<ScheduleOrder['firing']>,
): void {
  if (origin?.automationId === automationId && origin.firingId === firingId) return;
  throw new ApiError('not_found', 'The content was not made for this firing.');
}

type CheckedPost = PostCheck & { texts: PostTexts; creator: CreatorSettings | null };

function newSchedule(
  order: ScheduleOrder,
  { content, mode, isImmediate, texts, creator }: CheckedPost,
  now: Date,
): NewSchedule {
  const { body, caller, firing } = order;
  const { result } = content;
  if (!result) throw new ApiError('no_images');
  return {
    id: order.id,
    accountId: caller.accountId,
    platformAccountId: body.tiktokAccountId,
    contentId: content.id,
    contentVersion: content.version,
    mode,
    privacyLevel: (body.privacyLevel ?? null) as PrivacyLevel | null,
    scheduledFor: order.scheduledFor ?? now,
    coverImageId: content.images[0]?.imageId ?? null,
    title: texts.title ?? defaultTitle(result),
    description: texts.description ?? defaultDescription(result),
    hasOwnTitle: texts.title !== undefined,
    hasOwnDescription: texts.description !== undefined,
    // The creator's own setting takes precedence (D-55).
    disableComment: (body.disableComment ?? false) || (creator?.commentDisabled ?? false),
    brandOrganic: body.brandOrganic ?? false,
    brandedContent: body.brandedContent ?? false,
    aiGenerated: body.aiGenerated ?? true,
    autoAddMusic: body.autoAddMusic ?? true,
    automationId: firing?.automationId ?? null,
    firingId: firing?.firingId ?? null,
    isImmediate,
    createdBy: byOf(caller),
    ...readOwnFields(body),
    keyId: caller.keyId,
    keyIds: firing?.keyIds ?? [],
    slidesDigest: digestSlides(result.bodySlides),
    isCompared: content.experimentId !== null,
    requestId: order.requestId,
    createdAt: now,
    updatedAt: now,
  };
}
