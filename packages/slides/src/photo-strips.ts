import { asBuffer } from './as-buffer.ts';
import { slideWidth } from './designs/slide-size.ts';
import { encodeRgb } from './encode-rgb.ts';
import { loadSharp } from './sharp.ts';
import { busyRows, fillWith } from './templates/photo-fill.ts';

/**
 * A picture as it fills a slide: the entropy-coded data of a JPEG in strips that each begin anew. Only the
 * strips under a text are decoded and encoded again. `busy` says how much there is to cover, by rows.
 */
export type Photo = { strips: readonly Uint8Array[]; busy: readonly number[] };

/** A strip is 12 blocks high: a higher one is decoded for fewer rows of text, a lower one takes more calls. */
const stripHeight = 192;
const stripBytes = stripHeight * slideWidth * 3;
const blocks = Math.ceil(slideWidth / 16) * (stripHeight / 16);
/** The segment that makes decoders begin anew behind so many blocks. */
const restartSegment = Buffer.from([0xff, 0xdd, 0, 4, blocks >> 8, blocks & 255]);
const [frameMarker, scanMarker] = [Buffer.from([0xff, 0xc0]), Buffer.from([0xff, 0xda])];
const mark = Buffer.from('hookline photo');

let header: Promise<Buffer> | null = null;

/** What is before the data of every strip: the tables of this encoder. */
function readHeader(): Promise<Buffer> {
  header ??= encodeRgb(new Uint8Array(stripBytes), stripHeight).then(jpeg =>
    jpeg.subarray(0, dataStart(jpeg)),
  );
  return header;
}

function dataStart(jpeg: Buffer): number {
  const scan = jpeg.indexOf(scanMarker);
  return scan + 2 + jpeg.readUInt16BE(scan + 2);
}

async function encodeStrips(rgb: Uint8Array): Promise<Buffer[]> {
  const starts = Array.from({ length: rgb.length / stripBytes }, (_, strip) => strip * stripBytes);
  const jpegs = await Promise.all(
    starts.map(start => encodeRgb(rgb.subarray(start, start + stripBytes), stripHeight)),
  );
  return jpegs.map(jpeg => jpeg.subarray(dataStart(jpeg), -2));
}

async function joinStrips(strips: readonly Uint8Array[]): Promise<Buffer> {
  const start = Buffer.from(await readHeader());
  start.writeUInt16BE(strips.length * stripHeight, start.indexOf(frameMarker) + 5);
  const scan = start.indexOf(scanMarker);
  const parts = strips.flatMap((strip, i) => {
    const isLast = i === strips.length - 1;
    return [strip, Buffer.from([0xff, isLast ? 0xd9 : 0xd0 + (i % 8)])];
  });
  return Buffer.concat([start.subarray(0, scan), restartSegment, start.subarray(scan), ...parts]);
}

/** Reads the strips under `rows`, has `change` paint on their RGB, and puts them back. @returns a JPEG */
export async function changeRows(
  { strips }: Photo,
  [top, end]: readonly [top: number, end: number],
  change: (rgb: Uint8Array, top: number) => void,
): Promise<Buffer> {
  const [first, last] = [Math.floor(top / stripHeight), Math.ceil(end / stripHeight)];
  const sharp = await loadSharp();
  const rgb = await sharp(await joinStrips(strips.slice(first, last)))
    .raw()
    .toBuffer();
  change(rgb, top - first * stripHeight);
  return await joinStrips(strips.toSpliced(first, last - first, ...(await encodeStrips(rgb))));
}

async function makePhoto(picture: Uint8Array): Promise<Photo> {
  const rgb = await fillWith(picture);
  return { strips: await encodeStrips(rgb), busy: busyRows(rgb) };
}

/** The JPEG of a picture with its photo behind the end. */
export async function withPhoto(jpeg: Buffer): Promise<Buffer> {
  const { strips, busy } = await makePhoto(jpeg);
  const parts = [await readHeader(), ...strips];
  const index = Buffer.from(JSON.stringify({ sizes: parts.map(({ length }) => length), busy }));
  const size = Buffer.alloc(4);
  size.writeUInt32BE(index.length);
  return Buffer.concat([jpeg, ...parts, index, size, mark]);
}

/** The photo behind the end of a picture; made anew where it has none, or that of another encoder. */
export async function readPhoto(picture: Uint8Array): Promise<Photo> {
  const bytes = asBuffer(picture);
  if (bytes.subarray(-mark.length).equals(mark)) {
    const end = bytes.length - mark.length - 4;
    const index = end - bytes.readUInt32BE(end);
    const { sizes, busy } = JSON.parse(bytes.toString('latin1', index, end)) as {
      sizes: number[];
      busy: number[];
    };
    let at = index - sizes.reduce((sum, size) => sum + size);
    const [tables, ...strips] = sizes.map(size => {
      at += size;
      return bytes.subarray(at - size, at);
    });
    if (tables?.equals(await readHeader())) return { strips, busy };
  }
  return await makePhoto(bytes);
}
