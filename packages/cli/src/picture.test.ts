import jpeg from 'jpeg-js';
import { describe, expect, it } from 'vitest';
import { drawPicture, halfBlocks, type Pixels, pictureMode, scale } from './picture.ts';

const tty = { isTty: true };

it.each([
  [{ TERM_PROGRAM: 'iTerm.app' }, 'iterm'],
  [{ TERM: 'xterm-kitty' }, 'kitty'],
  [{ TERM: 'xterm-256color', COLORTERM: 'truecolor' }, 'blocks24'],
  [{ TERM: 'xterm-256color' }, 'blocks256'],
  [{ TERM: 'tmux-256color', TERM_PROGRAM: 'WezTerm', TMUX: '/tmp/tmux' }, 'blocks256'],
  [{ TERM: 'xterm-kitty', NO_COLOR: '1' }, 'none'],
  [{ TERM: 'dumb', COLORTERM: 'truecolor' }, 'none'],
  [{}, 'none'],
])('%j shows pictures as %s', (env, mode) => {
  expect(pictureMode(tty, env)).toBe(mode);
  expect(pictureMode({ isTty: false }, env)).toBe('none');
});

/** Red above blue. */
const flag: Pixels = {
  width: 4,
  height: 4,
  rgb: Uint8Array.from({ length: 48 }, (_, at) => (at % 3 === (at < 24 ? 0 : 2) ? 255 : 0)),
};

describe('pictures', () => {
  it('scale takes the mean', () => {
    expect([...scale(flag, 1, 1).rgb]).toEqual([128, 0, 128]);
    expect([...scale(flag, 1, 2).rgb]).toEqual([255, 0, 0, 0, 0, 255]);
  });

  it('half blocks hold two pixels a cell, in either palette', () => {
    const pixels = scale(flag, 2, 2);
    expect(halfBlocks(pixels, true)).toEqual(['\u001b[38;2;255;0;0;48;2;0;0;255m▀▀\u001b[0m']);
    expect(halfBlocks(pixels, false)).toEqual(['\u001b[38;5;196;48;5;21m▀▀\u001b[0m']);
  });

  it('a JPEG is drawn in each way, and what is none is left out', async () => {
    const data = new Uint8Array(90 * 160 * 4).fill(200);
    const file = jpeg.encode({ width: 90, height: 160, data }, 80).data;
    const blocks = await drawPicture(file, 'blocks24', 80);
    expect(blocks.split('\n')).toHaveLength(33);
    expect(blocks).toMatch(/38;2;(19\d|20\d);/);
    expect(await drawPicture(file, 'blocks24', 20)).toContain('▀'.repeat(18));
    expect(await drawPicture(file, 'iterm', 80)).toContain(Buffer.from(file).toString('base64'));
    expect(await drawPicture(file, 'kitty', 80)).toContain('\u001b_Ga=T,f=24,o=z,q=2,s=540,v=960,c=36,m=');
    expect(await drawPicture(Buffer.from('<html>'), 'blocks24', 80)).toBe('');
  });
});
