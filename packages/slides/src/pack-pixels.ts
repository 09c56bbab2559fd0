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

/** Packs the pixels of one slide at a time; `rgb` is valid until the next call. */
export type PixelPacker = (rgba: Uint8Array) => Uint8Array;

const pixels = slideWidth * slideHeight;
let compiled: Promise<object> | null = null;
const idle: PixelPacker[] = [];

/**
 * Runs `work` with a packer of its own, which keeps 8 MB. libvips takes 4.5 ms of processor time to drop the
 * alpha of a slide, this 1.1 ms with the copy.
 */
export async function withPacker<T>(work: (pack: PixelPacker) => Promise<T>): Promise<T> {
  const pack = idle.pop() ?? (await createPacker());
  try {
    return await work(pack);
  } finally {
    idle.push(pack);
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
  return rgba => {
    if (rgba.length !== pixels * 4) throw new RangeError(`a slide has ${pixels} pixels`);
    memory.set(rgba);
    pack(rgba.length);
    return memory.subarray(0, pixels * 3);
  };
}
