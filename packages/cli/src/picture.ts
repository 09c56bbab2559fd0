/** A slide in the terminal: as a picture where the terminal takes one, else in half blocks. */
import { deflateSync } from 'node:zlib';
import type { Stream } from './io.ts';

export type PictureMode = 'iterm' | 'kitty' | 'blocks24' | 'blocks256' | 'none';
type Env = Readonly<Record<string, string | undefined>>;

/** tmux and screen swallow pictures, so they get blocks. */
export function pictureMode({ isTty }: Pick<Stream, 'isTty'>, env: Env): PictureMode {
  const { TERM = '', TERM_PROGRAM = '' } = env;
  if (!isTty || env.NO_COLOR || TERM === 'dumb') return 'none';
  const isWrapped = Boolean(env.TMUX) || /^(screen|tmux)/.test(TERM);
  if (!isWrapped && ['iTerm.app', 'WezTerm'].includes(TERM_PROGRAM)) return 'iterm';
  if (!isWrapped && (TERM === 'xterm-kitty' || TERM === 'xterm-ghostty' || env.KITTY_WINDOW_ID))
    return 'kitty';
  if (/^(truecolor|24bit)$/.test(env.COLORTERM ?? '')) return 'blocks24';
  return /256color/.test(TERM) ? 'blocks256' : 'none';
}

/** Three bytes a pixel, row by row. */
export type Pixels = { width: number; height: number; rgb: Uint8Array };

/** Columns of a picture: the hook of a slide stays readable. */
const columnsWide = 36;
const kittyChunk = 4096;
/** Slides have 2 megapixels; a file that claims more is not decoded. */
const megapixelsMax = 9;
const memoryMbMax = 256;

/** @throws Error when the bytes are not a JPEG that can be decoded */
async function decodeJpeg(bytes: Uint8Array): Promise<Pixels> {
  const { default: jpeg } = await import('jpeg-js');
  const { width, height, data } = jpeg.decode(bytes, {
    useTArray: true,
    formatAsRGBA: false,
    maxResolutionInMP: megapixelsMax,
    maxMemoryUsageInMB: memoryMbMax,
  });
  return { width, height, rgb: data };
}

/** Each pixel is the mean of those that it stands for. */
export function scale({ width, height, rgb }: Pixels, toWidth: number, toHeight: number): Pixels {
  const result = new Uint8Array(toWidth * toHeight * 3);
  for (let y = 0; y < toHeight; y += 1) {
    const [top, bottom] = span(y, toHeight, height);
    for (let x = 0; x < toWidth; x += 1) {
      const [left, right] = span(x, toWidth, width);
      let [red, green, blue] = [0, 0, 0];
      for (let row = top; row < bottom; row += 1) {
        const end = (row * width + right) * 3;
        for (let at = (row * width + left) * 3; at < end; at += 3) {
          red += rgb[at] ?? 0;
          green += rgb[at + 1] ?? 0;
          blue += rgb[at + 2] ?? 0;
        }
      }
      const count = (bottom - top) * (right - left);
      const mean = [Math.round(red / count), Math.round(green / count), Math.round(blue / count)];
      result.set(mean, (y * toWidth + x) * 3);
    }
  }
  return { width: toWidth, height: toHeight, rgb: result };
}

function span(at: number, steps: number, size: number): [number, number] {
  const from = Math.floor((at * size) / steps);
  return [from, Math.max(from + 1, Math.floor(((at + 1) * size) / steps))];
}

/** The cube of 6 × 6 × 6 colours that terminals with 256 colours have from 16 on. */
function cube(red: number, green: number, blue: number): number {
  const step = (value: number): number => (value < 48 ? 0 : value < 115 ? 1 : Math.floor((value - 35) / 40));
  return 16 + 36 * step(red) + 6 * step(green) + step(blue);
}

/** Two pixels a cell: the upper one as the colour of `▀`, the lower one behind it. */
export function halfBlocks(pixels: Pixels, hasTrueColor: boolean): string[] {
  const color = (layer: 38 | 48, x: number, y: number): string => {
    const at = (Math.min(y, pixels.height - 1) * pixels.width + x) * 3;
    const [red = 0, green = 0, blue = 0] = pixels.rgb.subarray(at, at + 3);
    return hasTrueColor ? `${layer};2;${red};${green};${blue}` : `${layer};5;${cube(red, green, blue)}`;
  };
  const lines: string[] = [];
  for (let y = 0; y < pixels.height; y += 2) {
    let line = '';
    let last = '';
    for (let x = 0; x < pixels.width; x += 1) {
      const style = `${color(38, x, y)};${color(48, x, y + 1)}`;
      line += style === last ? '▀' : `\u001b[${style}m▀`;
      last = style;
    }
    lines.push(`${line}\u001b[0m`);
  }
  return lines;
}

function kitty({ width, height, rgb }: Pixels): string {
  const data = deflateSync(rgb).toString('base64');
  const chunks = data.match(new RegExp(`.{1,${kittyChunk}}`, 'g')) ?? [];
  return chunks
    .map((chunk, at) => {
      const more = at < chunks.length - 1 ? 1 : 0;
      const head =
        at === 0 ? `a=T,f=24,o=z,q=2,s=${width},v=${height},c=${columnsWide},m=${more}` : `m=${more}`;
      return `\u001b_G${head};${chunk}\u001b\\`;
    })
    .join('');
}

/**
 * What to write to the terminal; an empty text where it shows no pictures, or for a file that is not a JPEG.
 * @param columns of the terminal
 */
export async function drawPicture(bytes: Uint8Array, mode: PictureMode, columns: number): Promise<string> {
  if (mode === 'none') return '';
  if (mode === 'iterm') {
    const data = Buffer.from(bytes).toString('base64');
    return `\u001b]1337;File=inline=1;size=${bytes.length};width=${columnsWide}:${data}\u0007\n`;
  }
  try {
    const pixels = await decodeJpeg(bytes);
    if (mode === 'kitty')
      return `${kitty(scale(pixels, 540, Math.round((540 * pixels.height) / pixels.width)))}\n`;
    const wide = Math.min(columnsWide, columns - 2);
    const high = Math.round((wide * pixels.height) / pixels.width);
    return `${halfBlocks(scale(pixels, wide, high), mode === 'blocks24').join('\n')}\n`;
  } catch {
    return '';
  }
}
