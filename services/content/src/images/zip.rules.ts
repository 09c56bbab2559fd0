/** The parts of a ZIP archive whose entries are stored as they are: JPEGs do not compress. */
import { crc32 } from 'node:zlib';

type Entry = { name: string; size: number; crc: number; offset: number };

// Names are UTF-8.
const flags = 0x0800;
const version = 20;

/** 1980-01-01, the first day that the format knows, so that the same deck is the same archive. */
const date = 0x0021;

function fieldsOf({ name, size, crc }: Entry): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(version, 0);
  fields.writeUInt16LE(flags, 2);
  fields.writeUInt16LE(date, 8);
  fields.writeUInt32LE(crc, 10);
  fields.writeUInt32LE(size, 14);
  fields.writeUInt32LE(size, 18);
  fields.writeUInt16LE(Buffer.byteLength(name), 22);
  return fields;
}

const mark = (bytes: readonly number[]): Buffer => Buffer.from([0x50, 0x4b, ...bytes]);

function directoryEntry(entry: Entry): Buffer {
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(entry.offset, 10);
  return Buffer.concat([mark([1, 2, version, 0]), fieldsOf(entry), rest, Buffer.from(entry.name)]);
}

function endOf(count: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(18);
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(size, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([mark([5, 6]), end]);
}

/** Yields the archive as its files come. They have no more than 4 GB together, and plain names. */
export async function* zip(
  files: AsyncIterable<{ name: string; bytes: Buffer }>,
): AsyncGenerator<Buffer, void> {
  const entries: Entry[] = [];
  let offset = 0;
  for await (const { name, bytes } of files) {
    const entry = { name, size: bytes.length, crc: crc32(bytes), offset };
    entries.push(entry);
    const head = Buffer.concat([mark([3, 4]), fieldsOf(entry), Buffer.from(name)]);
    offset += head.length + bytes.length;
    yield head;
    yield bytes;
  }
  const directory = Buffer.concat(entries.map(directoryEntry));
  yield Buffer.concat([directory, endOf(entries.length, directory.length, offset)]);
}
