import type { SKRSContext2D } from '@napi-rs/canvas';
import type { Design } from '../designs/design.ts';
import { SlideTextError } from '../slide-text-error.ts';
import { layOutSlide, type PreparedSlide, type SlideLayout } from './lay-out-slide.ts';

/** A cover of few words is set larger than its design's size. */
const coverGrowth = 1.3;
/** Body slides beside a screenshot are set at this scale. */
const compactScale = 0.6;
/** A text of more than 14 words that nothing divides is alone on its slide, and as large as others are when shared. */
const aloneGrowth = 1.2;
/** Body slides do not shrink below this scale to match the longest among them. */
const sharedScaleMin = 0.8;

/**
 * Places the text of a whole deck. Body slides share one type size, unless one of them needs a much smaller
 * one (then only that one shrinks).
 * @param room `above` is for an icon over the text of the closing slide in px; `hasScreens`: slides may need
 * to leave room for a screenshot
 * @throws SlideTextError naming the slide that does not fit
 */
export function layOutDeck(
  ctx: SKRSContext2D,
  prepared: readonly PreparedSlide[],
  design: Design,
  language: string,
  { above = 0, hasScreens = false } = {},
): SlideLayout[] {
  const fit = (slide: PreparedSlide, scaleMax: number) => {
    const { signed } = slide;
    const isSigned = signed.length > 0;
    const layout =
      (isSigned &&
        layOutSlide(ctx, { ...slide, blocks: signed }, design, language, { scaleMax, above, isSigned })) ||
      layOutSlide(ctx, slide, design, language, { scaleMax });
    if (!layout) throw new SlideTextError(slide.index, 'too_long', []);
    return layout;
  };
  const isAlone = ({ kind, blocks }: PreparedSlide) =>
    kind === 'body' && blocks.every(({ role }) => role === 'small' || role === 'number');
  const first = prepared.map(slide =>
    fit(slide, slide.kind === 'cover' ? coverGrowth : isAlone(slide) ? aloneGrowth : 1),
  );
  const scales = first.filter(({ kind }) => kind === 'body').map(({ scale }) => scale);
  const shared = Math.max(sharedScaleMin, Math.min(...scales));
  return first.map((layout, i) => {
    if (layout.kind !== 'body') return layout;
    const even = !isAlone(prepared[i]!) && layout.scale > shared ? fit(prepared[i]!, shared) : layout;
    const compact = hasScreens
      ? layOutSlide(ctx, prepared[i]!, design, language, { scaleMax: compactScale })
      : null;
    return { ...even, compact };
  });
}
