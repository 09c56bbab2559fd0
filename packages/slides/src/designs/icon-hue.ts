import { loadCanvas } from '../canvas.ts';
import type { toOklch } from './palette.ts';

const sideMax = 2048;
const bins = 36;
/** Below this chroma a colour appears grey. */
const chromaMin = 0.04;

/**
 * The dominant hue of an app icon (OKLCH degrees, 0 to 359), weighted by chroma. Null for a grey icon, for
 * anything other than a PNG, JPEG or WebP of at most 2048 px a side, and for a picture that cannot be
 * decoded. Throws only when the drawing library cannot be loaded.
 */
export async function readIconHue(bytes: Buffer): Promise<number | null> {
  const size = readImageSize(bytes);
  // Check the header before decoding: a small file can unpack to gigabytes.
  if (!size || size.width > sideMax || size.height > sideMax || size.width * size.height === 0) return null;
  const [{ createCanvas, loadImage }, palette] = await Promise.all([loadCanvas(), import('./palette.ts')]);
  try {
    const canvas = createCanvas(48, 48);
    const ctx = canvas.getContext('2d');
    ctx.drawImage(await loadImage(bytes), 0, 0, 48, 48);
    return strongestHue(ctx.getImageData(0, 0, 48, 48).data, palette.toOklch);
  } catch {
    return null;
  }
}

/**
 * Area times chroma per ten degrees, neighbours counted half. Not an average, which could be a colour that
 * does not occur.
 */
function strongestHue(pixels: Uint8ClampedArray, convert: typeof toOklch): number | null {
  const weights = new Array<number>(bins).fill(0);
  for (let i = 0; i < pixels.length; i += 4) {
    if (pixels[i + 3]! < 128) continue;
    const { c, h } = convert(pixels[i]!, pixels[i + 1]!, pixels[i + 2]!);
    if (h === undefined || c < chromaMin) continue;
    weights[Math.floor(h / (360 / bins)) % bins]! += c;
  }
  const smooth = weights.map(
    (weight, i) => weight + (weights[(i + 1) % bins]! + weights[(i + bins - 1) % bins]!) / 2,
  );
  const best = smooth.indexOf(Math.max(...smooth));
  // One pixel in fifty in a strong colour is a detail, not the dominant colour.
  return smooth[best]! > (48 * 48 * 0.1) / 50 ? Math.round((best + 0.5) * (360 / bins)) : null;
}

/** Width and height from the header of a PNG, a JPEG or a WebP; null for anything else. */
export function readImageSize(bytes: Buffer): { width: number; height: number } | null {
  if (bytes.length < 32) return null;
  if (bytes.readUInt32BE(0) === 0x89504e47) {
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  if (bytes.readUInt16BE(0) === 0xffd8) return readJpegSize(bytes);
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
  return isWebp ? readWebpSize(bytes) : null;
}

function readJpegSize(bytes: Buffer): { width: number; height: number } | null {
  for (let at = 2; at + 9 < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1]!;
    if (bytes[at] !== 0xff) return null;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
  }
  return null;
}

function readWebpSize(bytes: Buffer): { width: number; height: number } | null {
  const kind = bytes.toString('latin1', 12, 16);
  if (kind === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (kind === 'VP8 ') {
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  }
  const bits = bytes.readUInt32LE(21);
  return kind === 'VP8L' ? { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 } : null;
}
