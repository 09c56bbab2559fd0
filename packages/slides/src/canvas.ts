import type { Canvas } from '@napi-rs/canvas';

type CanvasModule = typeof import('@napi-rs/canvas');
export type CreateCanvas = (width: number, height: number) => Canvas;

let loading: Promise<CanvasModule> | null = null;

/**
 * Loads the drawing library with the first picture, so that a process that draws nothing does not pay for its
 * memory.
 */
export function loadCanvas(): Promise<CanvasModule> {
  loading ??= import('@napi-rs/canvas');
  return loading;
}
