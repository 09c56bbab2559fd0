import type { SlideshowResult } from '@hookline/shared/contracts/content';
import type { CtaMode } from './deck-plan.ts';

export type Slide = { kind: 'cover' | 'body' | 'closing'; text: string };

/**
 * The slides of a deck in order: hook, body slides, then the line of the `ctaMode` (none: no closing slide).
 */
export function listSlides(
  result: Pick<SlideshowResult, 'hook' | 'bodySlides' | 'ctaSoft' | 'ctaHard'>,
  ctaMode: CtaMode = 'soft',
): Slide[] {
  const slides: Slide[] = [{ kind: 'cover', text: result.hook }];
  for (const { text } of result.bodySlides) slides.push({ kind: 'body', text });
  if (ctaMode === 'soft') slides.push({ kind: 'closing', text: result.ctaSoft });
  if (ctaMode === 'direct') slides.push({ kind: 'closing', text: result.ctaHard });
  return slides;
}
