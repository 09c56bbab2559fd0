import type { Canvas } from '@napi-rs/canvas';
import { type Rows, withPacker } from './pack-pixels.ts';
import { loadSharp } from './sharp.ts';

export const jpegQuality = 88;

/** What is under a slide; only `rows` of the slide are painted. */
export type Photo = { rgb: Uint8Array; rows: Rows };

/**
 * A canvas of a slide's size, opaque or over a photo, as baseline JPEG. libjpeg-turbo with
 * fixed Huffman tables takes half the processor time of the canvas's own encoder, which optimises them, for
 * 17 % more bytes.
 */
export async function encodeJpeg(canvas: Canvas, photo?: Photo): Promise<Buffer> {
  const sharp = await loadSharp();
  const { width, height } = canvas;
  return await withPacker(async packer => {
    const pixels = photo ? readRows(canvas, photo.rows) : canvas.data();
    const rgb = photo ? packer.layOver(photo.rgb, pixels, photo.rows) : packer.pack(pixels);
    // Frees up to 8 MB now. Left to the collector, every second slide caused a full collection of about 12 ms.
    (pixels.buffer as ArrayBuffer).transfer(0);
    return await sharp(rgb, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: jpegQuality, optimiseCoding: false })
      .toBuffer();
  });
}

/** A picture of all rows takes three times the processor time, most of it for 8 MB of new memory. */
function readRows(canvas: Canvas, [top, end]: Rows): Uint8Array {
  const { data } = canvas.getContext('2d').getImageData(0, top, canvas.width, end - top);
  return new Uint8Array(data.buffer, data.byteOffset, data.length);
}
