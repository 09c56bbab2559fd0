import { randomFillSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { withPacker } from './pack-pixels.ts';

const rgba = randomFillSync(Buffer.alloc(1080 * 1920 * 4));

it('drops the fourth byte of every pixel, in two slides at a time', async () => {
  await withPacker(async pack => {
    const rgb = pack(rgba);
    await withPacker(async other => {
      other(Buffer.alloc(rgba.length));
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

it('refuses a picture of another size', async () => {
  await expect(withPacker(async pack => pack(rgba.subarray(4)))).rejects.toThrow(
    'a slide has 2073600 pixels',
  );
});
