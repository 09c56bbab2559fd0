import { slideHeight, slideWidth } from './designs/slide-size.ts';

/**
 * Four pixels of RGBA become four of RGB, in place. Made from
 *
 *     (module
 *       (memory (export "mem") 127)
 *       (func (export "pack") (param $end i32) (local $from i32) (local $to i32)
 *         (loop $next
 *           (v128.store align=1 (local.get $to)
 *             (i8x16.shuffle 0 1 2 4 5 6 8 9 10 12 13 14 0 0 0 0
 *               (v128.load (local.get $from)) (v128.load (local.get $from))))
 *           (local.set $to (i32.add (local.get $to) (i32.const 12)))
 *           (local.tee $from (i32.add (local.get $from) (i32.const 16)))
 *           (br_if $next (i32.lt_u (local.get $end))))))
 */
const code = Buffer.from(
  'AGFzbQEAAAABBQFgAX8AAwIBAAUDAQB/Bw4CA21lbQIABHBhY2sAAApAAT4BAn8DQCACIAH9AAQAIAH9AAQA/Q0AAQIEBQYICQoMDQ4AAAAA/QsEACACQQxqIQIgAUEQaiIBIABJDQALCw==',
  'base64',
);

/** The part of WebAssembly that is used: its types come with those of browsers. */
declare const WebAssembly: {
  compile(code: Uint8Array): Promise<object>;
  instantiate(compiled: object): Promise<{
    exports: { mem: { buffer: ArrayBuffer }; pack: (end: number) => void };
  }>;
};

/** Packs the pixels of one slide at a time; the RGB is valid until the next call. */
export type PixelPacker = { pack(rgba: Uint8Array): Uint8Array };
/** The first row, and the one after the last. */
export type Rows = readonly [top: number, end: number];

const pixels = slideWidth * slideHeight;
let compiled: Promise<object> | null = null;
const idle: PixelPacker[] = [];

/**
 * Runs `work` with a packer of its own, which keeps 8 MB. libvips takes 4.5 ms of processor time to drop the
 * alpha of a slide, this 1.1 ms with the copy.
 */
export async function withPacker<T>(work: (packer: PixelPacker) => Promise<T>): Promise<T> {
  const packer = idle.pop() ?? (await createPacker());
  try {
    return await work(packer);
  } finally {
    idle.push(packer);
  }
}

/** Releases the packers that are not in use. */
export function releasePackers(): void {
  idle.length = 0;
}

async function createPacker(): Promise<PixelPacker> {
  compiled ??= WebAssembly.compile(code);
  const { mem, pack } = (await WebAssembly.instantiate(await compiled)).exports;
  const memory = new Uint8Array(mem.buffer);
  const rgb = memory.subarray(0, pixels * 3);
  return {
    pack(rgba) {
      if (rgba.length !== pixels * 4) throw new RangeError(`a slide has ${pixels} pixels`);
      memory.set(rgba);
      pack(rgba.length);
      return rgb;
    },
  };
}

/** Lays the pixels of rows over RGB from row `top` on. Skia takes three times the processor time. */
export function layOver(rgb: Uint8Array, rgba: Uint8Array, top: number): void {
  const over = new Int32Array(rgba.buffer, rgba.byteOffset, rgba.length / 4);
  const { length } = over;
  for (let i = 0, at = top * slideWidth * 3; i < length; i++, at += 3) {
    const pixel = over[i]!;
    if (pixel === 0) continue;
    const alpha = pixel >>> 24;
    if (alpha === 255) {
      rgb[at] = pixel;
      rgb[at + 1] = pixel >>> 8;
      rgb[at + 2] = pixel >>> 16;
      continue;
    }
    rgb[at] = mix(pixel & 255, rgb[at]!, alpha);
    rgb[at + 1] = mix((pixel >>> 8) & 255, rgb[at + 1]!, alpha);
    rgb[at + 2] = mix((pixel >>> 16) & 255, rgb[at + 2]!, alpha);
  }
}

/** Two values, the first with a weight of `alpha` in 255. */
function mix(over: number, under: number, alpha: number): number {
  const sum = over * alpha + under * (255 - alpha) + 128;
  return (sum + (sum >> 8)) >> 8;
}
