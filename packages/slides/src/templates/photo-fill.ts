import { slideHeight, slideWidth, textBox } from '../designs/design.ts';
import { loadSharp } from '../sharp.ts';

/** The RGB of a picture that fills a slide. What is cut off is cut at the sides, or more below than above. */
export async function fillWith(picture: Uint8Array): Promise<Uint8Array> {
  const sharp = await loadSharp();
  const given = await sharp(picture).metadata();
  const scale = Math.max(slideWidth / given.width, slideHeight / given.height);
  // Cut before it is scaled: a picture of one row would be a million pixels wide.
  const [width, height] = [slideWidth, slideHeight].map(side => Math.max(1, Math.floor(side / scale))) as [
    number,
    number,
  ];
  const [left, top] = [(given.width - width) >> 1, Math.floor((given.height - height) * 0.35)];
  return await sharp(picture)
    .extract({ left, top, width, height })
    .resize({ width: slideWidth, height: slideHeight, fit: 'fill' })
    .toColourspace('srgb')
    .flatten()
    .raw()
    .toBuffer();
}

/** Faces and details are searched in one pixel of so many, in both directions. */
const cell = 20;
/** The middle is left only for a place that is calmer, the more so the further away. */
const middleBias = 0.8;
const skinWeight = 60;

/** Chooses among nine tops for a text of this height the one that covers the fewest faces and details, by `busy`. */
export function calmestTop(busy: readonly number[], height: number): number {
  const free = textBox.height - height;
  const costOf = (share: number) => {
    const first = Math.floor((textBox.y + free * share) / cell);
    const rows = busy.slice(first, first + Math.ceil(height / cell));
    return (
      rows.reduce((sum, row) => sum + row, 0) * (middleBias + (1 - middleBias) * Math.abs(2 * share - 1))
    );
  };
  const shares = [0.5, 0.375, 0.625, 0.25, 0.75, 0.125, 0.875, 0, 1];
  const costs = shares.map(costOf);
  return textBox.y + free * shares[costs.indexOf(Math.min(...costs))]!;
}

/** How busy a slide's RGB is where text may be, of one row in `cell`. */
export function busyRows(rgb: Uint8Array): number[] {
  return Array.from({ length: slideHeight / cell - 1 }, (_, row) => {
    let busy = 0;
    for (let x = textBox.x; x < textBox.x + textBox.width; x += cell) {
      busy += busyAt(rgb, (row * cell * slideWidth + x) * 3);
    }
    return Math.round(busy);
  });
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
