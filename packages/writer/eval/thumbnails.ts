import type { RenderedSlide } from '@hookline/slides/inspect';
import { loadCanvas } from '@hookline/slides/inspect';

/** A slide as a smaller JPEG, `width` px wide. */
export async function shrinkSlide(slide: RenderedSlide, width: number): Promise<Buffer> {
  const { createCanvas, loadImage } = await loadCanvas();
  const canvas = createCanvas(width, Math.round((width * slide.height) / slide.width));
  canvas.getContext('2d').drawImage(await loadImage(slide.bytes), 0, 0, canvas.width, canvas.height);
  return canvas.encode('jpeg', 82);
}

/** Thumbnails in rows on one JPEG, one row per deck. */
export async function drawContactSheet(rows: readonly (readonly Buffer[])[], width = 132): Promise<Buffer> {
  const { createCanvas, loadImage } = await loadCanvas();
  const height = Math.round((width * 16) / 9);
  const gap = 8;
  const columns = Math.max(...rows.map(row => row.length));
  const sheet = createCanvas(gap + columns * (width + gap), gap + rows.length * (height + gap));
  const ctx = sheet.getContext('2d');
  ctx.fillStyle = '#1c1c1e';
  ctx.fillRect(0, 0, sheet.width, sheet.height);
  for (const [y, row] of rows.entries()) {
    for (const [x, bytes] of row.entries()) {
      ctx.drawImage(await loadImage(bytes), gap + x * (width + gap), gap + y * (height + gap), width, height);
    }
  }
  return sheet.encode('jpeg', 72);
}
