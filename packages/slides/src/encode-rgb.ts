import { slideWidth } from './designs/slide-size.ts';
import { loadSharp } from './sharp.ts';

export const jpegQuality = 88;

/**
 * Rows of a slide as baseline JPEG. libjpeg-turbo with fixed Huffman tables takes half the processor time of the
 * canvas's own encoder, which optimises them, for 17 % more bytes.
 */
export async function encodeRgb(rgb: Uint8Array, height: number): Promise<Buffer> {
  const sharp = await loadSharp();
  return await sharp(rgb, { raw: { width: slideWidth, height, channels: 3 } })
    .jpeg({ quality: jpegQuality, optimiseCoding: false })
    .toBuffer();
}
