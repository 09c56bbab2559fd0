import type { Slide } from '@hookline/deck';
import type { Image, SKRSContext2D } from '@napi-rs/canvas';
import { slideHeight, slideWidth, textBox } from '../designs/design.ts';
import { moveTo, type PicturedSlide, type SlideLayout } from '../layout/lay-out-slide.ts';

const phone = { width: 720, radius: 84, bezel: 16 };
const card = { width: 984, widthMin: 600, heightMax: 860, radius: 36 };
const gap = 64;
/** A text that is higher is set smaller beside a screenshot. */
const textMax = 440;
/** A phone of which less would be seen is left out. */
const seenMin = 640;

/**
 * The body slides that show a screenshot, with its number: those that name the app, else every other one.
 * Each screenshot is shown once.
 */
export function placeScreens(
  slides: readonly Slide[],
  screenshots: number,
  name: string | undefined,
): Map<number, number> {
  const bodies = [...slides.keys()].filter(at => slides[at]!.kind === 'body');
  const naming = bodies.filter(at => name !== undefined && slides[at]!.text.includes(name));
  const places = naming.length > 0 ? naming : bodies;
  const wanted = naming.length > 0 ? naming.length : Math.ceil(bodies.length / 2);
  const shown = Math.min(wanted, screenshots);
  const placed = Array.from(
    { length: shown },
    (_, i) => places[Math.floor(((i + 0.5) * places.length) / shown)]!,
  );
  return new Map(placed.map((at, i) => [at, i]));
}

/**
 * Puts a screenshot below the text, or over a text that is at the bottom: a tall one as a phone, another as a
 * card as wide as the slide.
 */
export function withScreen(
  given: SlideLayout,
  screenshot: Image,
  position: Slide['position'],
  picture: number,
): PicturedSlide {
  const ratio = screenshot.height / screenshot.width;
  const layout = given.height > textMax ? (given.compact ?? given) : given;
  const put =
    ratio > 1.25
      ? withPhone(layout, screenshot, ratio, position === 'bottom')
      : withCard(layout, screenshot, ratio, position);
  return put ? { ...put, picture } : { layout: given, paint: () => {}, picture: null };
}

function withPhone(layout: SlideLayout, screenshot: Image, ratio: number, isTextBelow: boolean) {
  const free = isTextBelow ? textBox.y + textBox.height - layout.height - gap - 96 : Number.POSITIVE_INFINITY;
  const width = Math.min(phone.width, free / ratio);
  const top = isTextBelow ? 96 : textBox.y + layout.height + gap;
  if (slideHeight - top < seenMin || width < phone.width / 2) return null;
  const { bezel, radius } = phone;
  const x = (slideWidth - width) / 2;
  const moved = moveTo(layout, isTextBelow ? textBox.y + textBox.height - layout.height : textBox.y);
  const paint = (ctx: SKRSContext2D) => {
    paintShape(ctx, '#0c0d10', [x - bezel, top, width + 2 * bezel, width * ratio + 2 * bezel], radius);
    paintPicture(ctx, screenshot, [x, top + bezel, width, width * ratio], radius - bezel);
  };
  return { layout: moved, paint };
}

function withCard(
  layout: SlideLayout,
  screenshot: Image,
  ratio: number,
  position: Slide['position'] = 'middle',
) {
  const room = Math.min(card.heightMax, textBox.height - layout.height - gap);
  const width = Math.min(card.width, room / ratio);
  const height = width * ratio;
  const free = textBox.height - layout.height - gap - height;
  if (width < card.widthMin) return null;
  const isTextBelow = position === 'bottom';
  const start = textBox.y + free * (position === 'top' ? 0 : isTextBelow ? 1 : 0.5);
  const top = isTextBelow ? start : start + layout.height + gap;
  const paint = (ctx: SKRSContext2D) =>
    paintPicture(ctx, screenshot, [(slideWidth - width) / 2, top, width, height], card.radius);
  return { layout: moveTo(layout, isTextBelow ? start + height + gap : start), paint };
}

type Box = readonly [x: number, y: number, width: number, height: number];

function paintShape(ctx: SKRSContext2D, color: string, box: Box, radius: number): void {
  ctx.fillStyle = color;
  ctx.beginPath();
  ctx.roundRect(...box, radius);
  ctx.fill();
}

export function paintPicture(ctx: SKRSContext2D, picture: Image, box: Box, radius: number): void {
  ctx.save();
  ctx.beginPath();
  ctx.roundRect(...box, radius);
  ctx.clip();
  // Drawn at half its size or less.
  ctx.imageSmoothingQuality = 'medium';
  ctx.drawImage(picture, ...box);
  ctx.restore();
}
