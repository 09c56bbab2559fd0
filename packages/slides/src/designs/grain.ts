import type { Canvas, SKRSContext2D } from '@napi-rs/canvas';
import { loadCanvas } from '../canvas.ts';
import { slideHeight, slideWidth } from './design-system.ts';

let tile: Canvas | null = null;

/** Creates the 256 px grain tile once; gradients without grain show banding on phones. */
export async function prepareGrain(): Promise<void> {
  if (tile) return;
  const { createCanvas } = await loadCanvas();
  const canvas = createCanvas(256, 256);
  const ctx = canvas.getContext('2d');
  const image = ctx.createImageData(256, 256);
  let state = 0x9e3779b9;
  for (let i = 0; i < image.data.length; i += 4) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const value = state >>> 24;
    image.data[i] = value;
    image.data[i + 1] = value;
    image.data[i + 2] = value;
    image.data[i + 3] = 8;
  }
  ctx.putImageData(image, 0, 0);
  tile = canvas;
}

/** Paints the grain over the slide; `prepareGrain` must have run. */
export function paintGrain(ctx: SKRSContext2D): void {
  if (!tile) throw new Error('the grain was not prepared');
  const pattern = ctx.createPattern(tile, 'repeat');
  if (!pattern) return;
  ctx.fillStyle = pattern;
  ctx.fillRect(0, 0, slideWidth, slideHeight);
}
