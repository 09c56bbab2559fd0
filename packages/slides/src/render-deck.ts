import type { Slide } from '@hookline/deck';
import { findPromisedCount } from '@hookline/deck';
import type { Canvas, SKRSContext2D } from '@napi-rs/canvas';
import { loadCanvas } from './canvas.ts';
import type { DeckToRender } from './deck-to-render.ts';
import { chooseLook } from './designs/choose-look.ts';
import { type Design, type PlacedBlock, slideHeight, slideWidth } from './designs/design.ts';
import { boxRoom } from './designs/ink.ts';
import { encodeJpeg } from './encode-jpeg.ts';
import { forgetReleasedFonts } from './layout/fonts.ts';
import { layOutDeck } from './layout/lay-out-deck.ts';
import {
  type PicturedSlide,
  type PreparedSlide,
  prepareSlide,
  type SlideLayout,
} from './layout/lay-out-slide.ts';
import { type Slot, withRenderSlot } from './render-slots.ts';
import { iconRoom, type LoadedPictures, loadPictures } from './templates/load-pictures.ts';
import { photoCard } from './templates/photo-card.ts';

/**
 * `index` counts from 1. `isSigned`: it shows the app's name and store, the handle and the logo. `dropped`: symbols left out because no
 * font here has them.
 */
export type RenderedSlide = {
  index: number;
  bytes: Buffer;
  width: number;
  height: number;
  contentType: 'image/jpeg';
  isSigned: boolean;
  /** The place of its picture in `pictures`; null if it shows none. */
  picture: number | null;
  dropped: string[];
};

/**
 * Draws the slides of a deck as baseline JPEG, 1080 x 1920 px, about 60 ms each. The event loop is free
 * between slides: encoding runs on other threads. Throws `SlideTextError`, naming the slide, for a text that
 * no font here covers or that does not fit. A deck that is refused has read no files.
 * @param onSlide called after each
 */
export function renderDeck(deck: DeckToRender, onSlide?: () => void): Promise<RenderedSlide[]> {
  return withRenderSlot(deck.owner ?? '', deck.slides.length, slot => drawDeck(deck, { ...slot, onSlide }));
}

type Turn = Slot & { onSlide: (() => void) | undefined };

async function drawDeck(deck: DeckToRender, turn: Turn): Promise<RenderedSlide[]> {
  const { createCanvas } = await loadCanvas();
  const canvas = createCanvas(slideWidth, slideHeight);
  const background = createCanvas(slideWidth, slideHeight);
  try {
    const planned = await planSlides(deck, canvas);
    const pictures = await loadPictures(await withFiles(deck));
    return await drawSlides({ canvas, background, pictures, ...planned }, turn);
  } finally {
    // Pixels are outside the JavaScript heap: shrinking frees 16 MB now rather than at some later collection.
    for (const used of [canvas, background]) used.width = used.height = 1;
  }
}

async function withFiles(deck: DeckToRender): Promise<DeckToRender> {
  if (!deck.readFiles) return deck;
  const { pictures, logo, chosen } = await deck.readFiles();
  return { ...deck, pictures, chosen, brand: { ...deck.brand, logo: logo ?? undefined } };
}

export type PlannedDeck = {
  design: Design;
  layouts: readonly SlideLayout[];
  prepared: readonly PreparedSlide[];
};
type Drawing = PlannedDeck & { canvas: Canvas; background: Canvas; pictures: LoadedPictures };

/**
 * Chooses the look, loads the fonts and places every line; `canvas` is used for measuring and keeps its
 * pixels.
 */
export async function planSlides(deck: DeckToRender, canvas: Canvas): Promise<PlannedDeck> {
  const { seed, slides, template, brandHue, brand, language = 'en' } = deck;
  const design = template === 'photo-card' ? photoCard(seed, brand) : chooseLook(seed, brandHue, brand);
  await forgetReleasedFonts();
  const prepared: PreparedSlide[] = [];
  const numbers = listNumbers(slides);
  for (const [i, slide] of slides.entries()) {
    prepared.push(await prepareSlide(slide, { index: i + 1, number: numbers[i]! }, design, deck));
  }
  const hasIcon = brand?.logo !== undefined || brand?.hasLogo === true;
  const room = { above: hasIcon ? iconRoom : 0, hasScreens: template === 'screenshot-card' };
  const layouts = layOutDeck(canvas.getContext('2d'), prepared, design, language, room);
  return { design, layouts, prepared };
}

async function drawSlides(drawing: Drawing, turn: Turn): Promise<RenderedSlide[]> {
  const { canvas, background, pictures, design, layouts, prepared } = drawing;
  const rendered: RenderedSlide[] = [];
  let painted = '';
  for (const [i, layout] of layouts.entries()) {
    if (i > 0) await turn.yield();
    const look = lookOf(layout);
    // Slides of one look are consecutive, so one background at a time is enough. A look of
    // one slide needs no copy.
    const isShared = !design.isPlain && (look === painted || look === lookOf(layouts[i + 1]));
    if (isShared && look !== painted) {
      design.paintBackground(background.getContext('2d'), layout.kind, layout.isRtl);
      painted = look;
    }
    const pictured = await pictures.load(i, layout);
    paintSlide(canvas, isShared ? background : null, design, pictured);
    const bytes = await encodeJpeg(canvas, pictured.over);
    rendered.push({
      index: i + 1,
      bytes,
      width: slideWidth,
      height: slideHeight,
      contentType: 'image/jpeg',
      isSigned: layout.isSigned,
      picture: pictured.picture,
      dropped: prepared[i]!.dropped,
    });
    turn.onSlide?.();
  }
  return rendered;
}

function lookOf(layout: SlideLayout | undefined): string {
  return layout ? `${layout.kind} ${layout.isRtl}` : '';
}

/** "1. Open it", "(2) Wait", "3️⃣ Go", "#4", "⑤": not "5 minutes", "7:30" and "1.5 l". */
const ownNumber = /^(?:\p{P}{0,2}\d{1,2}(?:[.):、]|\s[–—-]\s|\ufe0f?\u20e3)(?!\d)|[①-⑳❶-❿]|#\d)/u;

/** Items are numbered when the hook promises a count and they have no numbers of their own. */
function listNumbers(slides: readonly Slide[]): (number | null)[] {
  const hook = slides.find(slide => slide.kind === 'cover')?.text ?? '';
  const promised = findPromisedCount(hook);
  const bodies = slides.filter(({ kind }) => kind === 'body');
  const isCounted =
    promised !== null && promised >= bodies.length && !bodies.some(({ text }) => ownNumber.test(text.trim()));
  let number = 0;
  return slides.map(({ kind }) => (isCounted && kind === 'body' ? ++number : null));
}

/**
 * Draws one slide over its background; null: paints that too. Without text only what is around its letters is
 * drawn: the baseline for measuring the text.
 */
export function paintSlide(
  canvas: Canvas,
  background: Canvas | null,
  design: Design,
  { layout, paint }: Omit<PicturedSlide, 'picture' | 'over'>,
  hasText = true,
): void {
  const ctx = canvas.getContext('2d');
  ctx.direction = 'ltr';
  if (background) ctx.drawImage(background, 0, 0);
  else design.paintBackground(ctx, layout.kind, layout.isRtl);
  paint(ctx);
  design.paintBehind?.({ ...layout, ctx });
  ctx.direction = layout.isRtl ? 'rtl' : 'ltr';
  ctx.textAlign = layout.textAlign;
  for (const block of layout.blocks) paintBlock(ctx, block, layout, hasText);
}

function paintBlock(
  ctx: SKRSContext2D,
  block: PlacedBlock,
  { textX, textAlign }: SlideLayout,
  hasText: boolean,
): void {
  const { size, lines, baselines, widths, box } = block;
  if (box) {
    ctx.fillStyle = box;
    ctx.beginPath();
    for (const [i, width] of widths.entries()) {
      const x = textX - width * { left: 0, center: 0.5, right: 1 }[textAlign] - size * boxRoom.x;
      const height = size * (boxRoom.above + boxRoom.below);
      ctx.roundRect(
        x,
        baselines[i]! - size * boxRoom.above,
        width + 2 * size * boxRoom.x,
        height,
        size * boxRoom.radius,
      );
    }
    // Its edge, which a box needs on a picture of its colour: what is inside the boxes is painted over.
    ctx.strokeStyle = 'rgb(0 0 0 / 0.25)';
    ctx.lineWidth = 10;
    ctx.stroke();
    ctx.fill();
  }
  if (!hasText) return;
  ctx.font = `${block.weight} ${size}px ${block.family}`;
  ctx.fillStyle = block.color;
  for (const [i, line] of lines.entries()) ctx.fillText(line, textX, baselines[i]!);
}
