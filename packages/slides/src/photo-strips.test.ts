import { randomFillSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { loadCanvas } from './canvas.ts';
import { changeRows, readPhoto, withPhoto } from './photo-strips.ts';
import { loadSharp } from './sharp.ts';

const sharp = await loadSharp();
const noise = randomFillSync(Buffer.alloc(27 * 48 * 3));
const given = await sharp(noise, { raw: { width: 27, height: 48, channels: 3 } })
  .resize(1080, 1920)
  .jpeg()
  .toBuffer();
const stored = await withPhoto(given);

it('changes rows of a photo: the other strips keep their bytes, and every decoder reads the slide', async () => {
  const photo = await readPhoto(stored);
  const painted = await changeRows(photo, [704, 896], (rgb, top) => {
    rgb.fill(0, top * 1080 * 3, (top + 192) * 1080 * 3);
  });
  for (const strip of photo.strips.toSpliced(3, 2)) expect(painted.includes(Buffer.from(strip))).toBe(true);
  const seen = await sharp(painted, { failOn: 'warning' }).raw().toBuffer();
  const { createCanvas, loadImage } = await loadCanvas();
  const canvas = createCanvas(1080, 1920);
  canvas.getContext('2d').drawImage(await loadImage(painted), 0, 0);
  const drawn = canvas.data();
  const before = await sharp(given).raw().toBuffer();
  let [black, differences, apart] = [0, 0, 0];
  for (let pixel = 0; pixel < 1080 * 1920; pixel += 7) {
    const y = Math.floor(pixel / 1080);
    apart = Math.max(apart, Math.abs(seen[pixel * 3]! - drawn[pixel * 4]!));
    if (y >= 708 && y < 892) black = Math.max(black, seen[pixel * 3]!);
    else if (y < 700 || y >= 900) differences += Math.abs(seen[pixel * 3]! - before[pixel * 3]!) / 300_000;
  }
  expect(apart).toBeLessThan(4);
  expect(black).toBeLessThan(16);
  expect(differences).toBeLessThan(3);
});

it('is read from behind a picture, and made again of one whose photo another encoder wrote', async () => {
  expect((await readPhoto(stored)).strips).toEqual((await readPhoto(given)).strips);
  const other = Buffer.from(stored);
  other[given.length + 30]! ^= 1;
  expect((await readPhoto(other)).strips).toEqual((await readPhoto(given)).strips);
});
