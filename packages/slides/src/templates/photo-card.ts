import type { Slide } from '@hookline/deck';
import { seedRandom } from '@hookline/deck';
import { asBuffer } from '../as-buffer.ts';
import { loadCanvas } from '../canvas.ts';
import type { DeckBrand } from '../deck-to-render.ts';
import { type Design, type Ink, slideHeight, slideWidth, textBox } from '../designs/design.ts';
import { fontPairs } from '../designs/font-pairs.ts';
import { inkOn } from '../designs/palette.ts';
import { type SlideLayout, topOf } from '../layout/lay-out-slide.ts';
import { withPacker } from '../pack-pixels.ts';
import { loadSharp } from '../sharp.ts';

const white = '#ffffff';
const black = '#000000';

/**
 * Type over a picture that stays as it is: white with a black outline, or in boxes. An app has one of both,
 * and boxes where its brand has colours.
 */
export function photoCard(seed: string, brand?: DeckBrand): Design {
  const { colors, fonts } = brand ?? {};
  const isBoxed = colors !== undefined || seedRandom(seed, 'photo').pick([true, false]);
  const headBox = colors?.[0] ?? white;
  const head: Ink = isBoxed ? { color: inkOn(headBox), box: headBox } : { color: white, stroke: black };
  // A paragraph with an outline is hard to read.
  const rest: Ink = { color: black, box: white };
  return {
    name: 'photo-card',
    face: fonts ? fontPairs[fonts] : { package: '@fontsource/inter', weight: 800 },
    align: 'center',
    hookSize: 112,
    lineHeight: isBoxed ? 1.36 : 1.16,
    ink: role => (role === 'small' ? rest : role === 'large' && isBoxed ? rest : head),
    isPlain: true,
    paintBackground: ctx => ctx.clearRect(0, 0, slideWidth, slideHeight),
  };
}

/**
 * The RGB of a picture that fills a slide. What is cut off is cut at the sides, or more below than above.
 * libvips decodes a photo in two thirds of the processor time that Skia takes, but enlarges it in twice of it.
 */
export async function fillWith(photo: Uint8Array): Promise<Uint8Array> {
  const sharp = await loadSharp();
  const { width: given, height: high } = await sharp(photo).metadata();
  const scale = Math.max(slideWidth / given, slideHeight / high);
  const [width, height] = [Math.round(given * scale), Math.round(high * scale)];
  const [left, top] = [(width - slideWidth) >> 1, Math.floor((height - slideHeight) * 0.35)];
  if (scale > 1) return await enlarge(photo, [-left, -top, width, height]);
  return await sharp(photo)
    .resize({ width, height, fit: 'fill' })
    .extract({ left, top, width: slideWidth, height: slideHeight })
    .toColourspace('srgb')
    .flatten()
    .raw()
    .toBuffer();
}

type Box = readonly [x: number, y: number, width: number, height: number];

async function enlarge(photo: Uint8Array, box: Box): Promise<Uint8Array> {
  const { createCanvas, loadImage } = await loadCanvas();
  const canvas = createCanvas(slideWidth, slideHeight);
  canvas.getContext('2d').drawImage(await loadImage(asBuffer(photo)), ...box);
  // Its alpha is multiplied in, so what is clear is black.
  const pixels = canvas.data();
  const rgb = await withPacker(async packer => packer.pack(pixels).slice());
  // Frees 16 MB now rather than at some later collection.
  (pixels.buffer as ArrayBuffer).transfer(0);
  canvas.width = canvas.height = 1;
  return rgb;
}

/** Faces and details are searched in one pixel of so many, in both directions. */
const cell = 20;
/** The middle is left only for a place that is so much calmer. */
const middleBias = 0.7;
const skinWeight = 60;

/** Where a text of this height covers the least of a slide's RGB: no faces, few details. */
export function calmestPlace(
  photo: Uint8Array,
  { height }: Pick<SlideLayout, 'height'>,
): NonNullable<Slide['position']> {
  const busyOf = (place: NonNullable<Slide['position']>): number => {
    let busy = 0;
    for (
      let y = topOf(place, height);
      y < Math.min(slideHeight - cell, topOf(place, height) + height);
      y += cell
    ) {
      for (let x = textBox.x; x < textBox.x + textBox.width; x += cell) {
        busy += busyAt(photo, (Math.floor(y) * slideWidth + x) * 3);
      }
    }
    return busy * (place === 'middle' ? middleBias : 1);
  };
  const places = ['middle', 'top', 'bottom'] as const;
  const busy = places.map(busyOf);
  return places[busy.indexOf(Math.min(...busy))]!;
}

/** The difference to the neighbours, and more for the colour of skin. */
function busyAt(photo: Uint8Array, at: number): number {
  const [r, g, b] = [photo[at]!, photo[at + 1]!, photo[at + 2]!];
  const edge = Math.abs(g - photo[at + cell * 3 + 1]!) + Math.abs(g - photo[at + cell * slideWidth * 3 + 1]!);
  // The range of skin of any tone in the colour part of YCbCr.
  const cb = 128 - 0.169 * r - 0.331 * g + 0.5 * b;
  const cr = 128 + 0.5 * r - 0.419 * g - 0.081 * b;
  const isSkin = cb > 77 && cb < 127 && cr > 137 && cr < 173;
  return edge + (isSkin ? skinWeight : 0);
}
