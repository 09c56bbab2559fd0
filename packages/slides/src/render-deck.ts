import type { Slide } from '@hookline/deck';
import { findPromisedCount, seedRandom } from '@hookline/deck';
import type { Canvas, SKRSContext2D } from '@napi-rs/canvas';
import { loadCanvas } from './canvas.ts';
import type { DeckToRender } from './deck-to-render.ts';
import { brandCard } from './designs/brand-card.ts';
import { chooseDesign } from './designs/choose-design.ts';
import { type Design, type SlideMark, slideHeight, slideWidth } from './designs/design-system.ts';
import { withFonts } from './designs/font-pairs.ts';
import { prepareGrain } from './designs/grain.ts';
import { oklch } from './designs/palette.ts';
import { encodeJpeg } from './encode-jpeg.ts';
import { forgetReleasedFonts, prepareFonts } from './layout/fonts.ts';
import { layOutDeck } from './layout/lay-out-deck.ts';
import { type PreparedSlide, prepareSlide, type SlideLayout } from './layout/lay-out-slide.ts';
import { type Slot, withRenderSlot } from './render-slots.ts';
import { type LoadedPictures, loadPictures } from './templates/load-pictures.ts';
import { photoCard } from './templates/photo-card.ts';
import { screenshotCard } from './templates/screenshot-card.ts';
import { paintSignature, signatureHeight, signatureRoom } from './templates/signature.ts';

/**
 * `index` counts from 1. `isSigned`: it shows the handle and the logo. `dropped`: symbols left out because no
 * font here has them.
 */
export type RenderedSlide = {
  index: number;
  bytes: Buffer;
  width: number;
  height: number;
  contentType: 'image/jpeg';
  isSigned: boolean;
  dropped: string[];
};

/**
 * Draws the slides of a deck as baseline JPEG, 1080 x 1920 px, about 60 ms each. The event loop is free
 * between slides: encoding runs on other threads. Throws `SlideTextError`, naming the slide, for a text that
 * no font here covers or that does not fit. A deck that is refused has read no files.
 */
export function renderDeck(deck: DeckToRender): Promise<RenderedSlide[]> {
  return withRenderSlot(deck.owner ?? '', deck.slides.length, slot => drawDeck(deck, slot));
}

async function drawDeck(deck: DeckToRender, slot: Slot): Promise<RenderedSlide[]> {
  const { createCanvas } = await loadCanvas();
  const canvas = createCanvas(slideWidth, slideHeight);
  const background = createCanvas(slideWidth, slideHeight);
  try {
    const planned = await planSlides(deck, canvas);
    const pictures = await loadPictures(await withFiles(deck));
    return await drawSlides({ canvas, background, pictures, ...planned }, slot);
  } finally {
    // Pixels are outside the JavaScript heap: shrinking frees 16 MB now rather than at some later collection.
    for (const used of [canvas, background]) used.width = used.height = 1;
  }
}

async function withFiles(deck: DeckToRender): Promise<DeckToRender> {
  if (!deck.readFiles) return deck;
  const { pictures, logo } = await deck.readFiles();
  return { ...deck, pictures, brand: { ...deck.brand, logo: logo ?? undefined } };
}

export type PlannedDeck = {
  design: Design;
  layouts: readonly SlideLayout[];
  marks: readonly (SlideMark | null)[];
  prepared: readonly PreparedSlide[];
};
type Drawing = PlannedDeck & { canvas: Canvas; background: Canvas; pictures: LoadedPictures };

/**
 * Chooses the look, loads the fonts and places every line; `canvas` is used for measuring and keeps its
 * pixels.
 */
export async function planSlides(deck: DeckToRender, canvas: Canvas): Promise<PlannedDeck> {
  const { language = 'en', brand } = deck;
  const design = designOf(deck);
  await prepareGrain();
  await forgetReleasedFonts();
  // Marks use the design's faces whatever the script of the slides.
  for (const face of [design.display, design.text, ...(design.markFaces ?? [])]) {
    await prepareFonts(`0123456789/no.f ${brand?.handle ?? ''}`, face, 'en');
  }
  const prepared: PreparedSlide[] = [];
  for (const [i, slide] of deck.slides.entries()) {
    prepared.push(await prepareSlide(slide, i + 1, design, language));
  }
  const room = brand?.handle || brand?.logo || brand?.hasLogo ? signatureRoom : 0;
  const layouts = layOutDeck(canvas.getContext('2d'), prepared, design, language, room);
  return { design, layouts, marks: listMarks(deck.slides), prepared };
}

function designOf({ seed, archetype, brandHue, template = 'quote-card', brand }: DeckToRender): Design {
  const random = seedRandom(seed, 'design');
  if (template === 'quote-card') {
    const design = brand?.colors ? brandCard(brand.colors) : chooseDesign(random, archetype, brandHue);
    return withFonts(design, brand?.fonts);
  }
  const hue = brandHue ?? random.pick(plainHues);
  const design =
    template === 'photo-card'
      ? photoCard(brand?.colors?.[1] ?? '#ffffff')
      : screenshotCard(brand?.colors ?? [oklch(0.27, 0.07, hue), oklch(0.86, 0.12, hue)]);
  return withFonts(design, brand?.fonts);
}

/** Hues of a deck whose app has none. */
const plainHues = [22, 150, 200, 255, 298, 348];

async function drawSlides(drawing: Drawing, slot: Slot): Promise<RenderedSlide[]> {
  const { canvas, background, pictures, design, layouts, marks, prepared } = drawing;
  const rendered: RenderedSlide[] = [];
  let painted = '';
  for (const [i, layout] of layouts.entries()) {
    if (i > 0) await slot.yield();
    const look = lookOf(layout);
    // Slides of one look are consecutive, so one background at a time is enough. A look of
    // one slide needs no copy.
    const isShared = !design.isPlain && (look === painted || look === lookOf(layouts[i + 1]));
    if (isShared && look !== painted) {
      design.paintBackground(background.getContext('2d'), layout.kind, layout.isRtl);
      painted = look;
    }
    const paintPicture = await pictures.load(i, layout);
    paintSlide(canvas, isShared ? background : null, design, layout, marks[i] ?? null, true, paintPicture);
    paintSignature(canvas.getContext('2d'), pictures.signature, design, layout);
    const bytes = await encodeJpeg(canvas);
    rendered.push({
      index: i + 1,
      bytes,
      width: slideWidth,
      height: slideHeight,
      contentType: 'image/jpeg',
      isSigned: signatureHeight(pictures.signature, layout) > 0,
      dropped: prepared[i]!.dropped,
    });
  }
  return rendered;
}

function lookOf(layout: SlideLayout | undefined): string {
  return layout ? `${layout.kind} ${layout.isRtl}` : '';
}

/** Item numbers when the hook promises a count, page marks in short decks without a count, else none. */
function listMarks(slides: readonly Slide[]): (SlideMark | null)[] {
  const hook = slides.find(slide => slide.kind === 'cover')?.text ?? '';
  const bodies = slides.filter(slide => slide.kind === 'body').length;
  const promised = findPromisedCount(hook);
  const isCounted = promised !== null && (promised === bodies || promised > bodies);
  let number = 0;
  return slides.map(({ kind }) => {
    if (kind !== 'body') return null;
    number++;
    if (isCounted) return { kind: 'item', number };
    return slides.length <= 10 && bodies > 1 ? { kind: 'page', number, total: bodies } : null;
  });
}

/**
 * Draws one slide over its background; null: paints that too. Without text only the decoration is drawn: the
 * baseline for measuring the text.
 */
export function paintSlide(
  canvas: Canvas,
  background: Canvas | null,
  design: Design,
  layout: SlideLayout,
  mark: SlideMark | null,
  hasText = true,
  paintPicture: (ctx: SKRSContext2D) => void = () => {},
): void {
  const ctx = canvas.getContext('2d');
  ctx.direction = 'ltr';
  if (background) ctx.drawImage(background, 0, 0);
  else design.paintBackground(ctx, layout.kind, layout.isRtl);
  paintPicture(ctx);
  design.paintBehind({
    ctx,
    kind: layout.kind,
    mark,
    blocks: layout.blocks,
    top: layout.top,
    startX: layout.startX,
    isRtl: layout.isRtl,
  });
  if (!hasText) return;
  ctx.direction = layout.isRtl ? 'rtl' : 'ltr';
  ctx.textAlign = layout.textAlign;
  for (const block of layout.blocks) {
    ctx.font = `${block.weight} ${block.size}px ${block.family}`;
    ctx.fillStyle = block.color;
    for (const [i, line] of block.lines.entries()) ctx.fillText(line, layout.textX, block.baselines[i]!);
  }
}
