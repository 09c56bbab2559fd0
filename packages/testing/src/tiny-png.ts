import { pngOf } from '@hookline/simulators/stores/png';

/** A grey PNG of 64 x 64 px. @param grey 0 to 255 */
export function tinyPng(grey = 128): Buffer {
  const side = 64;
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(side * 3, grey)]);
  return pngOf(
    side,
    side,
    Array.from({ length: side }, () => row),
  );
}

/** An upload of a file, as the field `file`. */
export function fileForm(bytes: Uint8Array, name = 'picture.png', field = 'file'): FormData {
  const form = new FormData();
  form.set(field, new Blob([new Uint8Array(bytes)]), name);
  return form;
}
