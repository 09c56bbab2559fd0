import { createHash } from 'node:crypto';
import { pngOf } from './png.ts';

const side = 128;

/** A square PNG with two colours derived from the name, used for app icons and avatars. */
export function iconPng(name: string): Buffer {
  const hue = createHash('sha256').update(name).digest();
  const [from, to] = [
    [hue[0]!, hue[1]!, hue[2]!],
    [hue[3]!, hue[4]!, hue[5]!],
  ];
  const rows: Buffer[] = [];
  for (let y = 0; y < side; y += 1) {
    const row = Buffer.alloc(1 + side * 3);
    for (let x = 0; x < side; x += 1) {
      const part = (x + y) / (2 * side);
      for (let c = 0; c < 3; c += 1) row[1 + x * 3 + c] = Math.round(from[c]! * (1 - part) + to[c]! * part);
    }
    rows.push(row);
  }
  return pngOf(side, side, rows);
}

type Colour = readonly [number, number, number];

/** A rectangle that a picture is scaled down to. */
export type Box = { width: number; height: number };

/**
 * A screen of a made-up app, 540 x 1170 px or as much of it as fits: a bar, a heading, and cards in
 * colours derived from the name.
 */
export function screenshotPng(name: string, variant: string, box?: Box): Buffer {
  const scale = box ? Math.min(1, box.width / 540, box.height / 1170) : 1;
  const [width, height] = [Math.round(540 * scale), Math.round(1170 * scale)];
  const seed = createHash('sha256').update(`${name} ${variant}`).digest();
  const strong: Colour = [seed[0]! >> 1, seed[1]! >> 1, seed[2]! >> 1];
  const paper: Colour = [246, 246, 248];
  const line = (colours: (x: number) => Colour): Buffer => {
    const row = Buffer.alloc(1 + width * 3);
    for (let x = 0; x < width; x += 1) row.set(colours(x / scale), 1 + x * 3);
    return row;
  };
  const within = (from: number, to: number, inside: Colour, outside: Colour) =>
    line(x => (x >= from && x < to ? inside : outside));
  const bar = line(() => strong);
  const blank = line(() => paper);
  const heading = within(36, 240 + (seed[3]! >> 1), strong, paper);
  const card = within(36, 504, [255, 255, 255], paper);
  const text = line(x =>
    x >= 68 && x < 220 + seed[4]! ? [150, 150, 160] : x >= 36 && x < 504 ? [255, 255, 255] : paper,
  );
  const rows = Array.from({ length: height }, (_, at) => {
    const y = at / scale;
    if (y < 120) return bar;
    if (y >= 170 && y < 206) return heading;
    const inCard = y >= 250 && y < 1100 ? (y - 250) % 170 : 170;
    if (inCard >= 150) return blank;
    return (inCard >= 40 && inCard < 58) || (inCard >= 84 && inCard < 98) ? text : card;
  });
  return pngOf(width, height, rows);
}
