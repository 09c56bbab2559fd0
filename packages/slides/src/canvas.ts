type CanvasModule = typeof import('@napi-rs/canvas');

let loading: Promise<CanvasModule> | null = null;

/** The drawing library, loaded at the first picture: a process that draws nothing does not pay its memory. */
export function loadCanvas(): Promise<CanvasModule> {
  loading ??= import('@napi-rs/canvas');
  return loading;
}
