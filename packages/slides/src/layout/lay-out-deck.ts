import type { SKRSContext2D } from '@napi-rs/canvas';
import { type Design, type SlideKind, textBox } from '../designs/design-system.ts';
import { SlideTextError } from '../slide-text-error.ts';
import { layOutSlide, moveDown, type PreparedSlide, type SlideLayout } from './lay-out-slide.ts';

/** Upper limits of the scale for short texts, relative to the design's size. */
const growthMax: Record<SlideKind, number> = { cover: 1.35, body: 1.2, closing: 1.4 };
/** Body slides do not shrink below this scale to match the longest among them. */
const sharedScaleMin = 0.86;
/**
 * Vertical position of a body slide of usual length: this share of the free height is above it, the rest
 * below.
 */
const shareAbove = 0.4;

/**
 * The closing slide with its text so far from the lower edge of the box that a signature has room below it.
 */
function withRoom(design: Design, room: number): Design {
  const bottom = textBox.y + textBox.height - room;
  const area = (kind: SlideKind) => {
    const { top, height, place } = design.area(kind);
    return { top, height: kind === 'closing' ? Math.min(height, bottom - top) : height, place };
  };
  return { ...design, area };
}

/**
 * Places the text of a whole deck. Body slides share one starting height and one type size, unless one of
 * them needs a much smaller size (then only that one shrinks).
 * @param room px below the text of the closing slide, unless the text does not fit then
 * @throws SlideTextError naming the slide that does not fit
 */
export function layOutDeck(
  ctx: SKRSContext2D,
  prepared: readonly PreparedSlide[],
  design: Design,
  language: string,
  room = 0,
): SlideLayout[] {
  const roomy = room > 0 ? withRoom(design, room) : design;
  const fit = (slide: PreparedSlide, scaleMax: number) => {
    const layout =
      layOutSlide(ctx, slide, roomy, language, scaleMax) ??
      layOutSlide(ctx, slide, design, language, scaleMax);
    if (!layout) throw new SlideTextError(slide.index, 'too_long', []);
    return layout;
  };
  const first = prepared.map(slide => fit(slide, growthMax[slide.kind]));
  const scales = first.filter(({ kind }) => kind === 'body').map(({ scale }) => scale);
  const shared = Math.max(sharedScaleMin, Math.min(...scales));
  const layouts = first.map((layout, i) =>
    layout.kind === 'body' && layout.scale > shared ? fit(prepared[i]!, shared) : layout,
  );
  const { height, place } = design.area('body');
  if (place !== 'shared') return layouts;
  const heights = layouts.filter(({ kind }) => kind === 'body').map(body => body.height);
  const usual = heights.toSorted((a, b) => a - b)[heights.length >> 1] ?? 0;
  const down = Math.round(Math.min((height - usual) * shareAbove, height - Math.max(0, ...heights)));
  return layouts.map(layout => (layout.kind === 'body' ? moveDown(layout, down) : layout));
}
