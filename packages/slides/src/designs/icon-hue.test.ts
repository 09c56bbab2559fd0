import { describe, expect, it } from 'vitest';
import { loadCanvas } from '../canvas.ts';
import { readIconHue, readImageSize } from './icon-hue.ts';

async function iconOf(kind: 'png' | 'jpeg' | 'webp', ground: string, mark: string): Promise<Buffer> {
  const { createCanvas } = await loadCanvas();
  const canvas = createCanvas(120, 120);
  const ctx = canvas.getContext('2d');
  ctx.fillStyle = ground;
  ctx.fillRect(0, 0, 120, 120);
  ctx.fillStyle = mark;
  ctx.fillRect(40, 40, 30, 30);
  return kind === 'png' ? canvas.encode('png') : canvas.encode(kind, 90);
}

describe('readIconHue', () => {
  it.each([
    ['png', '#d92b2b', '#ffffff', 25],
    ['jpeg', '#1f6feb', '#ffffff', 258],
    ['webp', '#2e9e5b', '#111111', 152],
    ['png', '#ffffff', '#ff7a00', 52],
  ] as const)('%s icon of %s with a mark of %s: about %i degrees', async (kind, ground, mark, expected) => {
    const hue = await readIconHue(await iconOf(kind, ground, mark));
    expect(Math.abs(hue! - expected)).toBeLessThanOrEqual(10);
  });

  it('has no answer for a grey icon or for anything that is not a picture', async () => {
    expect(await readIconHue(await iconOf('png', '#ffffff', '#222222'))).toBeNull();
    expect(await readIconHue(Buffer.from('<html>not found</html>'.repeat(10)))).toBeNull();
    expect(await readIconHue(Buffer.alloc(0))).toBeNull();
    expect(await readIconHue((await iconOf('png', '#d92b2b', '#fff')).subarray(0, 60))).toBeNull();
  });

  it('asks the header before it decodes', async () => {
    const bomb = await iconOf('png', '#d92b2b', '#ffffff');
    bomb.writeUInt32BE(60_000, 16);
    expect(readImageSize(bomb)).toEqual({ width: 60_000, height: 120 });
    expect(await readIconHue(bomb)).toBeNull();
  });

  it('reads no size from a JPEG whose frame does not begin with a marker', () => {
    const jpeg = Buffer.alloc(40);
    jpeg.set([0xff, 0xd8, 0x00, 0xc0, 0, 17, 8, 0, 16, 0, 16]);
    expect(readImageSize(jpeg)).toBeNull();
    jpeg[2] = 0xff;
    expect(readImageSize(jpeg)).toEqual({ width: 16, height: 16 });
  });
});
