import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import type { Brief } from '@hookline/shared/contracts/content';
import type { PrivacyLevel } from '@hookline/shared/contracts/schedules';
import type { Caller } from '@hookline/shared/http';
import { isTimezone } from './next-slot.ts';

/**
 * The brief as stored and answered: a firing must be postable, so a slideshow without a template is rendered
 * as `quote-card` and the record says so (D-13).
 */
export function briefForFirings(format: 'slideshow' | 'hook_video', brief: Brief | undefined): Brief | null {
  if (format === 'hook_video') return brief ?? null;
  return { ...brief, templateId: brief?.templateId ?? 'quote-card' };
}

export type Posting = { postingMode: 'drafts' | 'publish'; privacyLevel: PrivacyLevel | null };

/**
 * `privacyLevel` belongs to publish alone; there it is the least public one unless given (D-11).
 * @throws ApiError `invalid_request`
 */
export function postingOf(
  postingMode: 'drafts' | 'publish',
  privacyLevel: PrivacyLevel | null | undefined,
): Posting {
  if (postingMode === 'publish') return { postingMode, privacyLevel: privacyLevel ?? 'SELF_ONLY' };
  if (privacyLevel) throw invalidRequest('privacyLevel must be left out unless postingMode is "publish"');
  return { postingMode, privacyLevel: null };
}

/** @throws ApiError `invalid_request` */
export function requireTimezone(timezone: string): void {
  if (!isTimezone(timezone)) {
    throw invalidRequest('timezone must be the name of an IANA time zone, such as Europe/Berlin or UTC');
  }
}

/** @throws ApiError `missing_scope` */
export function requirePublishScope(caller: Caller): void {
  if (!caller.scopes.includes('schedules:publish')) {
    throw new ApiError(
      'missing_scope',
      'postingMode "publish" needs a key with the scope schedules:publish.',
    );
  }
}
