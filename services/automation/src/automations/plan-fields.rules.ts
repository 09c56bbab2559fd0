import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import type { Automation, UpdateAutomationBody } from '@hookline/shared/contracts/automations';
import type { Brief } from '@hookline/shared/contracts/brief';
import type { PrivacyLevel } from '@hookline/shared/contracts/schedules';
import { isTimezone } from '../slots/next-slot.rules.ts';

/**
 * A firing must be postable, so a slideshow without a template gets `quote-card` (D-13).
 * @throws ApiError `invalid_request` for given texts
 */
export function briefForFirings(format: 'slideshow' | 'hook_video', brief: Brief | undefined): Brief | null {
  if (brief?.slides) {
    throw invalidRequest('brief.slides must be left out: an automation would post the same texts every time');
  }
  if (format === 'hook_video') return brief ?? null;
  return { ...brief, templateId: brief?.templateId ?? 'quote-card' };
}

export type Posting = { postingMode: 'drafts' | 'publish'; privacyLevel: PrivacyLevel | null };

/** `privacyLevel` applies to publish only; there it defaults to the least public one (D-11). */
export function postingOf(
  postingMode: 'drafts' | 'publish',
  privacyLevel: PrivacyLevel | null | undefined,
): Posting {
  if (postingMode === 'publish') return { postingMode, privacyLevel: privacyLevel ?? 'SELF_ONLY' };
  if (privacyLevel) throw invalidRequest('privacyLevel must be left out unless postingMode is "publish"');
  return { postingMode, privacyLevel: null };
}

/** @param allowed empty while they are not known: each schedule is checked again */
export function requireLevel(privacyLevel: PrivacyLevel | null, allowed: readonly PrivacyLevel[]): void {
  if (privacyLevel === null || allowed.length === 0 || allowed.includes(privacyLevel)) return;
  const message = `privacyLevel must be one that the account allows: ${allowed.join(', ')}`;
  throw new ApiError('invalid_privacy_level', message);
}

export function requireTimezone(timezone: string): void {
  if (!isTimezone(timezone)) {
    throw invalidRequest('timezone must be the name of an IANA time zone, such as Europe/Berlin or UTC');
  }
}

export type ChangeableFields = Posting &
  Pick<Automation, 'status' | 'postingTimes' | 'timezone' | 'brief' | 'approvalMode'>;

export function changeFields(
  current: ChangeableFields & Pick<Automation, 'format'>,
  change: UpdateAutomationBody,
): ChangeableFields {
  const { brief } = change;
  return {
    status: change.status ?? current.status,
    postingTimes: change.postingTimes ?? current.postingTimes,
    timezone: change.timezone ?? current.timezone,
    brief: brief === undefined ? current.brief : briefForFirings(current.format, brief ?? undefined),
    approvalMode: change.approvalMode ?? current.approvalMode,
    ...changedPosting(current, change),
  };
}

function changedPosting(current: Posting, change: UpdateAutomationBody): Posting {
  const postingMode = change.postingMode ?? current.postingMode;
  if (change.privacyLevel !== undefined) return postingOf(postingMode, change.privacyLevel);
  return postingOf(postingMode, postingMode === 'publish' ? current.privacyLevel : undefined);
}
