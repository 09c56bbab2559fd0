import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import type { EventContent } from '@hookline/shared/contracts/content';
import { getContentForPosting } from '@hookline/shared/contracts/internal';
import type { CreateScheduleBody, PrivacyLevel } from '@hookline/shared/contracts/schedules';
import type { Caller } from '@hookline/shared/http';
import { isUniqueViolation, type Transaction } from '@hookline/shared/postgres';
import type { Parts } from '../parts.ts';
import { findPlatformAccount } from '../queries/platform-accounts.ts';
import { insertSchedule, type NewSchedule, type ScheduleRow } from '../queries/schedules.ts';
import { defaultDescription, defaultTitle } from '../rules/post-texts.ts';
import { findPostProblems, type Learned, nothingLearned } from './check-post.ts';
import { tellCreated } from './end-schedule.ts';

export type ScheduleOrder = {
  id: string;
  caller: Caller;
  body: Omit<CreateScheduleBody, 'scheduledFor'>;
  /** Null: now, within the request. */
  scheduledFor: Date | null;
  requestId: string | null;
  firing: { automationId: string; firingId: string } | null;
};

/**
 * Makes every check of `POST /schedules` in the order of D-40 and answers the row to write.
 * @throws ApiError the first problem.
 */
export async function checkSchedule(parts: Parts, order: ScheduleOrder): Promise<NewSchedule> {
  const { caller, body } = order;
  const mode = body.mode ?? 'draft';
  if (body.brandedContent && body.privacyLevel === 'SELF_ONLY') {
    throw invalidRequest('brandedContent must be false when privacyLevel is SELF_ONLY');
  }
  if (mode === 'publish' && !caller.scopes.includes('schedules:publish')) {
    throw new ApiError('missing_scope', 'mode "publish" needs a key with the scope schedules:publish.');
  }
  const params = { id: body.contentId };
  const { content } = await parts.peers.call(getContentForPosting, { body: {}, params, caller });
  const account = await findPlatformAccount(parts.db, caller.accountId, body.tiktokAccountId);
  if (!account) throw new ApiError('account_not_found');
  const learned = nothingLearned();
  const isImmediate = order.scheduledFor === null;
  const check = { content, account, mode, privacyLevel: body.privacyLevel, isImmediate };
  for await (const { error } of findPostProblems(parts, check, learned)) throw error;
  return newSchedule(order, content, learned, parts.now());
}

function newSchedule(
  order: ScheduleOrder,
  content: EventContent,
  { creator }: Learned,
  now: Date,
): NewSchedule {
  const { body, caller, firing } = order;
  const texts = content.result;
  if (!texts) throw new ApiError('no_images');
  return {
    id: order.id,
    accountId: caller.accountId,
    platformAccountId: body.tiktokAccountId,
    contentId: content.id,
    contentVersion: content.version,
    mode: body.mode ?? 'draft',
    privacyLevel: (body.privacyLevel ?? null) as PrivacyLevel | null,
    scheduledFor: order.scheduledFor ?? now,
    title: body.title ?? defaultTitle(texts),
    description: body.description ?? defaultDescription(texts),
    isTitleGiven: body.title !== undefined,
    isDescriptionGiven: body.description !== undefined,
    // The creator's own setting wins (D-55).
    disableComment: (body.disableComment ?? false) || (creator?.commentDisabled ?? false),
    brandOrganic: body.brandOrganic ?? false,
    brandedContent: body.brandedContent ?? false,
    aiGenerated: body.aiGenerated ?? true,
    autoAddMusic: body.autoAddMusic ?? true,
    automationId: firing?.automationId ?? null,
    firingId: firing?.firingId ?? null,
    isImmediate: order.scheduledFor === null,
    keyId: caller.keyId,
    requestId: order.requestId,
    createdAt: now,
    updatedAt: now,
  };
}

/** Writes a checked schedule and tells it. Call it as the last step of a transaction. @throws ApiError `already_scheduled` */
export async function writeSchedule(tx: Transaction, row: NewSchedule): Promise<ScheduleRow> {
  try {
    const written = await insertSchedule(tx, row);
    await tellCreated(tx, written, row.createdAt);
    return written;
  } catch (error) {
    if (isUniqueViolation(error, 'schedules_one_waiting')) {
      throw new ApiError('already_scheduled', undefined, { cause: error });
    }
    throw error;
  }
}
