import { randomFillSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { layOver, withPacker } from './pack-pixels.ts';

const rgba = randomFillSync(Buffer.alloc(1080 * 1920 * 4));

it('drops the fourth byte of every pixel, in two slides at a time', async () => {
  await withPacker(async packer => {
    const rgb = packer.pack(rgba);
    await withPacker(async other => {
      other.pack(Buffer.alloc(rgba.length));
    });
    const expected = Buffer.alloc(rgb.length);
    for (let from = 0, to = 0; to < expected.length; from += 4, to += 3) {
      expected[to] = rgba[from]!;
      expected[to + 1] = rgba[from + 1]!;
      expected[to + 2] = rgba[from + 2]!;
    }
    expect(expected.equals(rgb)).toBe(true);
  });
});

it('lays rows over RGB, from a row on', () => {
  const rgb = Buffer.alloc(1080 * 3 * 3, 100);
  const over = Buffer.alloc(1080 * 4);
  const [clear, opaque, half] = [0, 4, 8];
  over.set([0, 0, 0, 0], clear);
  over.set([10, 200, 30, 255], opaque);
  over.set([200, 100, 0, 128], half);
  layOver(rgb, over, 1);
  expect([...rgb.subarray(1080 * 3, 1080 * 3 + 9)]).toEqual([100, 100, 100, 10, 200, 30, 150, 100, 50]);
  expect([rgb[0], rgb[1080 * 2 * 3]]).toEqual([100, 100]);
});

it('refuses a picture of another size', async () => {
  await expect(withPacker(async packer => packer.pack(rgba.subarray(4)))).rejects.toThrow(
    'a slide has 2073600 pixels',
  );
});
