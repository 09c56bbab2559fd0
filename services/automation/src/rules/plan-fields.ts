import { invalidRequest } from '@hookline/shared/contracts';
import type { Brief } from '@hookline/shared/contracts/content';
import type { PrivacyLevel } from '@hookline/shared/contracts/schedules';

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
