import type { Canvas, Image, SKRSContext2D } from '@napi-rs/canvas';
import type { CreateCanvas } from '../canvas.ts';
import {
  type Design,
  drawMarkText,
  edgeX,
  fillSlide,
  markLabel,
  paintNumberTile,
  slideHeight,
  slideWidth,
} from '../designs/design-system.ts';
import { facesOf, familyOf } from '../designs/font-pairs.ts';
import { contrastOf } from '../designs/palette.ts';
import type { SlideLayout } from '../layout/lay-out-slide.ts';

const white = '#ffffff';
/** The scrim's colour: nearly black. */
const dark = [10, 11, 15] as const;
/** More than 4.5, because JPEG changes pixels a little. */
const contrastMin = 5.2;
/** Also over a dark picture, so that the slides of a deck look alike. */
const scrimMin = 0.34;
/** The scrim is at its full strength so far around the text, and fades over `fade` px above it. */
const margin = 70;
const fade = 340;

/** White type at the bottom of the text box, over a picture. @param accent the colour of marks and rules */
export function photoCard(accent: string): Design {
  const faces = facesOf('bricolage-inter');
  return {
    name: 'photo-card',
    ...faces,
    align: 'start',
    area: () => ({ top: 260, height: 1130, place: 'bottom' }),
    style: role => ({
      face: role === 'detail' ? 'text' : 'display',
      weight: faces[role === 'detail' ? 'text' : 'display'].weight,
      color: white,
      sizeMax: { hook: 140, lead: 104, detail: 74, statement: 98, closing: 104 }[role],
      sizeMin: 46,
      lineHeight: { hook: 1.06, lead: 1.1, detail: 1.36, statement: 1.2, closing: 1.16 }[role],
      gapAfter: role === 'lead' ? 30 : 0,
    }),
    isPlain: true,
    paintBackground: ctx => fillSlide(ctx, `rgb(${dark.join(' ')})`),
    paintBehind: scene => {
      const { ctx, mark, top } = scene;
      if (mark?.kind === 'page') {
        drawMarkText(scene, markLabel(mark), `46px ${familyOf(faces.text)}`, white, top - 56);
        return;
      }
      if (!mark) {
        ctx.fillStyle = accent;
        ctx.beginPath();
        ctx.roundRect(edgeX(scene, 120), top - 62, 120, 14, 7);
        ctx.fill();
        return;
      }
      const font = `66px ${familyOf(faces.display)}`;
      paintNumberTile(scene, mark.number, accent, { side: 116, radius: 30, above: 160, font, baseline: 79 });
    },
  };
}

/** A picture that a slide has shown is kept 20 times smaller than the slide, 54 x 96 px. */
const softScale = 20;

/**
 * Fills the slide with a picture and darkens it until every pixel under the text has a contrast of at least
 * 4.5 to it.
 * @param photo the picture, or what an earlier slide with it returned: then it is blurred
 * @param signed px below the text that a signature in the same colour takes
 * @returns the picture at 54 x 96 px
 */
export function paintPhoto(
  ctx: SKRSContext2D,
  photo: Image | Canvas,
  layout: SlideLayout,
  signed: number,
  createCanvas: CreateCanvas,
): Canvas {
  const from = Math.max(0, Math.floor(layout.top - margin - 130));
  const to = Math.min(slideHeight, Math.ceil(layout.top + layout.height + signed + margin));
  if ('getContext' in photo) {
    ctx.imageSmoothingEnabled = true;
    ctx.imageSmoothingQuality = 'low';
    ctx.drawImage(photo, 0, 0, slideWidth, slideHeight);
    // Scaling up makes no pixel lighter, so the small rows and their neighbours are enough.
    const rows = [
      Math.max(0, Math.floor(from / softScale) - 1),
      Math.min(96, Math.ceil(to / softScale) + 1),
    ] as const;
    const light = brightest(photo.getContext('2d'), 54, rows[0], rows[1] - rows[0]);
    paintScrim(ctx, scrimFor(light), from, true);
    return photo;
  }
  drawCover(ctx, photo, slideWidth, slideHeight);
  // From the slide, so that the picture is decoded once.
  const soft = createCanvas(slideWidth / softScale, slideHeight / softScale);
  const small = soft.getContext('2d');
  small.imageSmoothingQuality = 'medium';
  small.drawImage(ctx.canvas, 0, 0, soft.width, soft.height);
  paintScrim(ctx, scrimFor(brightest(ctx, slideWidth, from, to - from)), from, false);
  return soft;
}

/** Scaled to fill, cut at the edges; of a tall picture more is kept at the top, where faces are. */
function drawCover(ctx: SKRSContext2D, picture: Image, width: number, height: number): void {
  const scale = Math.max(width / picture.width, height / picture.height);
  const [w, h] = [picture.width * scale, picture.height * scale];
  ctx.imageSmoothingEnabled = true;
  // Stored pictures are at most twice a slide's size, where two pixels of each direction are enough.
  ctx.imageSmoothingQuality = scale < 0.5 ? 'medium' : 'low';
  ctx.drawImage(picture, (width - w) / 2, (height - h) * 0.35, w, h);
}

/** The highest red, green and blue of these rows: no pixel is lighter than that colour. */
function brightest(
  ctx: SKRSContext2D,
  width: number,
  y: number,
  height: number,
): readonly [number, number, number] {
  const { data } = ctx.getImageData(0, y, width, height);
  let [r, g, b] = [0, 0, 0];
  for (let at = 0; at < data.length; at += 4) {
    if (data[at]! > r) r = data[at]!;
    if (data[at + 1]! > g) g = data[at + 1]!;
    if (data[at + 2]! > b) b = data[at + 2]!;
  }
  // Freed now, like the pixels of a slide.
  (data.buffer as ArrayBuffer).transfer(0);
  return [r, g, b];
}

/** The weakest scrim, in steps of 0.02, under which white type is readable over this colour. */
function scrimFor(color: readonly [number, number, number]): number {
  const mixed = (alpha: number) =>
    `#${color
      .map((value, i) => Math.ceil(value * (1 - alpha) + dark[i]! * alpha))
      .map(value => value.toString(16).padStart(2, '0'))
      .join('')}`;
  let alpha = scrimMin;
  while (alpha < 1 && contrastOf(white, mixed(alpha)) < contrastMin) alpha += 0.02;
  return Math.min(1, alpha);
}

/**
 * Darkens the slide by rows of one alpha, in the steps of eight bits. Skia takes five times as long for a
 * gradient of half-transparent colours.
 */
function paintScrim(ctx: SKRSContext2D, alpha: number, from: number, isRepeated: boolean): void {
  const light = isRepeated ? alpha * 0.8 : alpha * 0.22;
  const stops = [
    [0, light],
    [from - fade, light],
    // Two stops make the fade soft where it begins.
    [from - fade * 0.45, light + (alpha - light) * 0.4],
    [from, alpha],
    [slideHeight, Math.min(1, alpha + 0.1)],
  ] as const;
  const stepAt = (y: number): number => {
    const next = Math.max(
      1,
      stops.findIndex(([at], i) => i > 0 && at > y),
    );
    const [[y0, a0], [y1, a1]] = [stops[next - 1]!, stops[next]!];
    return Math.ceil((a0 + ((a1 - a0) * Math.max(0, y - y0)) / (y1 - y0)) * 255);
  };
  let top = 0;
  let step = stepAt(top);
  for (let y = 1; y <= slideHeight; y += 1) {
    const next = y < slideHeight ? stepAt(y) : null;
    if (next === step) continue;
    ctx.fillStyle = `rgb(${dark.join(' ')} / ${step / 255})`;
    ctx.fillRect(0, top, slideWidth, y - top);
    if (next === null) break;
    top = y;
    step = next;
  }
}
