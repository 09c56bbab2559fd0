type CanvasModule = typeof import('@napi-rs/canvas');

let loading: Promise<CanvasModule> | null = null;

/**
 * Loads the drawing library with the first picture, so that a process that draws nothing does not pay for its
 * memory.
 */
export function loadCanvas(): Promise<CanvasModule> {
  loading ??= import('@napi-rs/canvas');
  return loading;
}
