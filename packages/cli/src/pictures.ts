/** Slides of a content on the terminal. */

import type { Content, SlideImage } from '@hookline/sdk';
import { drawPicture, pictureMode } from './picture.ts';
import type { Run } from './run.ts';

const bytesMax = 4 * 1024 * 1024;

/**
 * Empty when the terminal shows no pictures, or the file cannot be had: a picture is never a reason to fail.
 */
async function slideText({ io }: Run, image: SlideImage & { thumbnailUrl?: string }): Promise<string> {
  const mode = pictureMode(io.stdout, io.env);
  if (mode === 'none') return '';
  try {
    const signal = AbortSignal.any([io.signal, AbortSignal.timeout(5_000)]);
    const response = await fetch(image.thumbnailUrl ?? image.url, { signal });
    const isPicture = response.ok && response.headers.get('content-type') === 'image/jpeg';
    if (!isPicture || Number(response.headers.get('content-length') ?? 0) > bytesMax) return '';
    return await drawPicture(new Uint8Array(await response.arrayBuffer()), mode, io.stdout.columns);
  } catch {
    return '';
  }
}

/** @param index counted from 1 */
export async function showSlide(run: Run, content: Content, index: number): Promise<void> {
  const image = content.images.find(one => one.index === index);
  if (image === undefined || run.out.isJson) return;
  const text = await slideText(run, image);
  if (text !== '') run.out.text(text);
}
