import { loadSharp } from './sharp.ts';

const decodeSeconds = 8;

/**
 * A small JPEG of a picture that this package drew or read. libjpeg decodes a slide of 1080 px
 * at a quarter of its size.
 */
export async function makeThumbnail(picture: Buffer, width: number): Promise<Buffer> {
  const sharp = await loadSharp();
  return await sharp(picture, { failOn: 'error' })
    .timeout({ seconds: decodeSeconds })
    .resize({ width, withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 80, optimiseCoding: false })
    .toBuffer();
}
