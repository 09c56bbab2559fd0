import { describe, expect, it } from 'vitest';
import { type Picture, PictureError, pictureBytesMax, readPicture } from './read-picture.ts';
import { loadSharp } from './sharp.ts';

const sharp = await loadSharp();
const plain = (width: number, height: number, alpha = 1) =>
  sharp({ create: { width, height, channels: 4, background: { r: 200, g: 40, b: 40, alpha } } });

/** A PNG header that promises so many pixels, with next to no data. */
function bomb(width: number, height: number): Buffer {
  const png = Buffer.from(
    '89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000a49444154789c6360000002000100ffff03000006000557bfabd40000000049454e44ae426082',
    'hex',
  );
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  png.writeUInt32BE(crcOf(png.subarray(12, 29)), 29);
  return png;
}

function crcOf(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

const reasonOf = async (bytes: Buffer): Promise<string> => {
  const error = await readPicture('maya', bytes).catch(error => error);
  expect(error).toBeInstanceOf(PictureError);
  return error.reason;
};

describe('readPicture', () => {
  it('turns a picture upright, drops its metadata and what is behind its end', async () => {
    const jpeg = await plain(40, 20)
      .withExif({ IFD0: { Copyright: 'SECRET-EXIF' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const polyglot = Buffer.concat([jpeg, Buffer.from('PK\u0003\u0004<script>alert(1)</script>')]);
    const { bytes, width, height, contentType } = await readPicture('maya', polyglot);
    expect([width, height, contentType]).toEqual([20, 40, 'image/jpeg']);
    expect(bytes.includes('SECRET-EXIF') || bytes.includes('<script>')).toBe(false);
    expect((await sharp(bytes).metadata()).orientation).toBeUndefined();
  });

  it('stores a photo in fewer bits than a screenshot, whose lines keep their colour', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
    const drawn = sharp({ create: { width: 600, height: 800, channels: 3, background: '#888', noise } });
    const given = await drawn.clone().jpeg({ quality: 90, optimiseCoding: false }).toBuffer();
    const photo = await readPicture('maya', given);
    const screenshot = await readPicture('maya', await drawn.png().toBuffer());
    // Without the photo that is behind its end.
    const sizeOf = ({ bytes }: Picture) => bytes.indexOf(Buffer.from([0xff, 0xd9]));
    expect(sizeOf(photo)).toBeLessThan(given.length * 0.85);
    expect(sizeOf(screenshot)).toBeGreaterThan(given.length);
    expect((await sharp(screenshot.bytes).metadata()).chromaSubsampling).toBe('4:4:4');
  });

  it('keeps transparency, and shrinks what is larger than a slide needs', async () => {
    expect(await readPicture('maya', await plain(30, 30, 0.5).webp().toBuffer())).toMatchObject({
      contentType: 'image/png',
      width: 30,
    });
    expect(await readPicture('maya', await plain(4320, 2000).png().toBuffer())).toMatchObject({
      contentType: 'image/jpeg',
      width: 2160,
      height: 1000,
    });
    const sideways = await plain(4000, 3000).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(await readPicture('maya', sideways)).toMatchObject({ width: 1440, height: 1920 });
    expect(await readPicture('maya', await plain(1200, 5000).png().toBuffer())).toMatchObject({
      width: 922,
      height: 3840,
    });
  });

  it.each([
    ['an SVG', 'format', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['a GIF', 'format', Buffer.from('GIF89a'.padEnd(40, '\0'))],
    ['a text', 'format', Buffer.from('not a picture at all, by any means')],
    ['nothing', 'format', Buffer.alloc(0)],
    ['more than 10 MB', 'too_large', Buffer.alloc(pictureBytesMax + 1)],
    ['a bomb of 100,000 x 100,000 px', 'too_large', bomb(100_000, 100_000)],
    ['40,000,001 px', 'too_large', bomb(40_000_001, 1)],
    ['a PNG without its pixels', 'broken', bomb(4000, 4000)],
    ['a JPEG header alone', 'broken', Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(99, 7)])],
    ['a WebP header alone', 'broken', Buffer.from('RIFF\u0010\0\0\0WEBPVP8 '.padEnd(40, '\0'), 'latin1')],
  ])('refuses %s: %s', async (_name, reason, bytes) => {
    expect(await reasonOf(bytes)).toBe(reason);
  });

  it('refuses a JPEG that was cut off', async () => {
    const whole = await sharp({
      create: {
        width: 600,
        height: 600,
        channels: 3,
        background: '#888',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .jpeg()
      .toBuffer();
    expect(await reasonOf(whole.subarray(0, whole.length >> 1))).toBe('broken');
  });
});
