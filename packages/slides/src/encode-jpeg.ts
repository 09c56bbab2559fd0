import type { Canvas } from '@napi-rs/canvas';
import { encodeRgb } from './encode-rgb.ts';
import { layOver, type Rows, withPacker } from './pack-pixels.ts';
import { changeRows, type Photo } from './photo-strips.ts';

/** A canvas of a slide's size, opaque or with `rows` painted over a photo, as baseline JPEG. */
export async function encodeJpeg(canvas: Canvas, over?: { photo: Photo; rows: Rows }): Promise<Buffer> {
  const pixels = over ? readRows(canvas, over.rows) : canvas.data();
  try {
    if (over) return await changeRows(over.photo, over.rows, (rgb, top) => layOver(rgb, pixels, top));
    return await withPacker(packer => encodeRgb(packer.pack(pixels), canvas.height));
  } finally {
    // Frees up to 8 MB now. Left to the collector, every second slide caused a full collection of about 12 ms.
    (pixels.buffer as ArrayBuffer).transfer(0);
  }
}

/** A picture of all rows takes three times the processor time, most of it for 8 MB of new memory. */
function readRows(canvas: Canvas, [top, end]: Rows): Uint8Array {
  const { data } = canvas.getContext('2d').getImageData(0, top, canvas.width, end - top);
  return new Uint8Array(data.buffer, data.byteOffset, data.length);
}
