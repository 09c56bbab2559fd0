import { expect, it } from 'vitest';
import { loadSharp } from './sharp.ts';
import { makeThumbnail } from './thumbnail.ts';

const sharp = await loadSharp();

it.each([
  ['jpeg', 1080, 1920, 270, 480],
  ['png', 540, 540, 270, 270],
  ['png', 100, 50, 100, 50],
] as const)('a %s of %i x %i px becomes a JPEG of %i x %i', async (format, width, height, ...size) => {
  const drawn = sharp({
    create: { width, height, channels: 4, background: { r: 9, g: 9, b: 9, alpha: 0.5 } },
  });
  const picture = await (format === 'jpeg' ? drawn.flatten() : drawn).toFormat(format).toBuffer();
  const made = await sharp(await makeThumbnail(picture, 270)).metadata();
  expect([made.format, made.width, made.height, made.hasAlpha]).toEqual(['jpeg', ...size, false]);
});
