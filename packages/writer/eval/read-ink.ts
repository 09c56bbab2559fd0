import {
  contrastOf,
  encodeJpeg,
  loadCanvas,
  type PlannedDeck,
  paintSlide,
  type RenderedSlide,
  slideHeight,
  slideWidth,
  textBox,
} from '@hookline/slides/inspect';
import type { Canvas, Image } from '@napi-rs/canvas';

/**
 * Measurements of the text on a finished slide. `contrast`: the WCAG ratio that 97 of 100 ink pixels reach
 * against the background behind them. `outsideShare`: share of the ink that is outside the text box.
 * `inkShare`: share of the text box that is ink.
 */
export type Ink = { contrast: number; outsideShare: number; inkShare: number };

/**
 * A pixel is inside a stroke when its distance from the background is at least this; edge pixels are blends
 * of both.
 */
const inkDistance = 60;

const aroundBytes = [-2, 0, 2].flatMap(dy => [-2, 0, 2].map(dx => (dy * slideWidth + dx) * 4));

/** Reads the text of every slide from its JPEG by comparing it with the same slide drawn without text. */
export async function readInk(planned: PlannedDeck, slides: readonly RenderedSlide[]): Promise<Ink[]> {
  const { createCanvas, loadImage } = await loadCanvas();
  const bare = createCanvas(slideWidth, slideHeight);
  const background = createCanvas(slideWidth, slideHeight);
  const shown = createCanvas(slideWidth, slideHeight);
  const inks: Ink[] = [];
  for (const [i, slide] of slides.entries()) {
    const layout = planned.layouts[i]!;
    planned.design.paintBackground(background.getContext('2d'), layout.kind, layout.isRtl);
    paintSlide(bare, background, planned.design, { layout, paint: () => {} }, false);
    // Encoded the same way; otherwise JPEG noise along hard edges would count as ink.
    const bareImage = await loadImage(await encodeJpeg(bare));
    bare.getContext('2d').drawImage(bareImage as Image, 0, 0);
    shown.getContext('2d').drawImage((await loadImage(slide.bytes)) as Image, 0, 0);
    inks.push(compare(bare, shown, layout.isRtl));
  }
  return inks;
}

const pixelsOf = (canvas: Canvas) => canvas.getContext('2d').getImageData(0, 0, slideWidth, slideHeight).data;

function compare(bare: Canvas, shown: Canvas, isRtl: boolean): Ink {
  const ground = pixelsOf(bare);
  const seen = pixelsOf(shown);
  const left = isRtl ? slideWidth - textBox.x - textBox.width : textBox.x;
  // Letters such as "j" and quotation marks extend a few pixels beyond their line.
  const hang = 12;
  const ratios = new Map<string, number>();
  const buckets = new Array<number>(2200).fill(0);
  let inside = 0;
  let outside = 0;
  for (let y = 0; y < slideHeight; y += 2) {
    for (let x = 0; x < slideWidth; x += 2) {
      const at = (y * slideWidth + x) * 4;
      if (distanceAt(ground, seen, at) < inkDistance) continue;
      const isInside =
        x >= left - hang &&
        x <= left + textBox.width + hang &&
        y >= textBox.y - hang &&
        y <= textBox.y + textBox.height + hang;
      if (!isInside) {
        outside++;
        continue;
      }
      // The middle of a stroke: a pixel whose neighbours two pixels away on every side are ink as well.
      const isCore = aroundBytes.every(step => distanceAt(ground, seen, at + step) >= inkDistance);
      if (!isCore) continue;
      inside++;
      const ratio = ratioAt(ground, seen, at, ratios);
      buckets[Math.min(2199, Math.floor(ratio * 100))]!++;
    }
  }
  let below = 0;
  const contrast =
    buckets.findIndex(count => {
      below += count;
      return below > inside * 0.03;
    }) / 100;
  return {
    contrast: inside === 0 ? 0 : contrast,
    outsideShare: outside / Math.max(1, inside + outside),
    inkShare: (inside * 4) / (textBox.width * textBox.height),
  };
}

function distanceAt(one: Uint8ClampedArray, other: Uint8ClampedArray, at: number): number {
  return (
    Math.abs(one[at]! - other[at]!) +
    Math.abs(one[at + 1]! - other[at + 1]!) +
    Math.abs(one[at + 2]! - other[at + 2]!)
  );
}

function ratioAt(
  one: Uint8ClampedArray,
  other: Uint8ClampedArray,
  at: number,
  known: Map<string, number>,
): number {
  const key = `${hexAt(one, at)}${hexAt(other, at)}`;
  let ratio = known.get(key);
  if (ratio === undefined) {
    ratio = contrastOf(hexAt(one, at), hexAt(other, at));
    known.set(key, ratio);
  }
  return ratio;
}

function hexAt(pixels: Uint8ClampedArray, at: number): string {
  return `#${[0, 1, 2].map(i => pixels[at + i]!.toString(16).padStart(2, '0')).join('')}`;
}
