import type { slidePositions } from '@hookline/shared/contracts/brief';
import type { SlideshowResult } from '@hookline/shared/contracts/content';
import type { CtaMode } from './deck-plan.ts';

/** `position` and `pictureId` are choices for one slide; without them the template decides. */
export type Slide = {
  kind: 'cover' | 'body' | 'closing';
  text: string;
  position?: (typeof slidePositions)[number] | undefined;
  pictureId?: string | undefined;
};

/**
 * The slides of a deck in order: hook, body slides, then the line of the `ctaMode` (none: no closing slide).
 */
export function listSlides(
  result: Pick<SlideshowResult, 'hook' | 'bodySlides' | 'ctaSoft' | 'ctaHard' | 'coverLook' | 'closingLook'>,
  ctaMode: CtaMode = 'soft',
): Slide[] {
  const { hook, bodySlides, ctaSoft, ctaHard, coverLook, closingLook } = result;
  const slides: Slide[] = [{ ...coverLook, kind: 'cover', text: hook }];
  for (const slide of bodySlides) slides.push({ ...slide, kind: 'body' });
  if (ctaMode !== 'none')
    slides.push({ ...closingLook, kind: 'closing', text: ctaMode === 'soft' ? ctaSoft : ctaHard });
  return slides;
}
