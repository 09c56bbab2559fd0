/**
 * Reads which characters a font file has: the ranges that its package declares also have characters that it
 * lacks.
 */
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

const known = new Map<string, ReadonlySet<number>>();

/** The code points of a WOFF2 file, which is read once. */
export function readCoverage(path: string): ReadonlySet<number> {
  let covered = known.get(path);
  if (!covered) {
    covered = readCmap(findCmap(readFileSync(path)));
    known.set(path, covered);
  }
  return covered;
}

// Numbers of tables in the directory of WOFF2. Those of the outlines are transformed unless they say otherwise.
const [cmapTable, outlines, ownName] = [0, [10, 11], 63];
const headerBytes = 48;

function findCmap(woff2: Buffer): Buffer {
  let at = headerBytes;
  let start = 0;
  let found: [start: number, end: number] | undefined;
  const readLength = (value = 0): number => {
    const byte = woff2[at++]!;
    const length = value * 128 + (byte & 127);
    return byte < 128 ? length : readLength(length);
  };
  for (let tables = woff2.readUInt16BE(12); tables > 0; tables--) {
    const flags = woff2[at++]!;
    const table = flags & 63;
    if (table === ownName) at += 4;
    let length = readLength();
    const isTransformed = flags >> 6 !== (outlines.includes(table) ? 3 : 0);
    if (isTransformed) length = readLength();
    if (table === cmapTable) found = [start, start + length];
    start += length;
  }
  if (!found) throw new Error('a font file has no characters');
  return brotliDecompressSync(woff2.subarray(at, at + woff2.readUInt32BE(20))).subarray(...found);
}

/** Formats 4 and 12 have all characters between them. */
function readCmap(cmap: Buffer): Set<number> {
  const covered = new Set<number>();
  for (let i = 0; i < cmap.readUInt16BE(2); i++) {
    const table = cmap.subarray(cmap.readUInt32BE(8 + i * 8));
    const format = table.readUInt16BE(0);
    if (format === 4) addSegments(covered, table);
    if (format === 12) addGroups(covered, table);
  }
  return covered;
}

function addSegments(covered: Set<number>, table: Buffer): void {
  const bytes = table.readUInt16BE(6);
  for (let at = 14; at < 14 + bytes; at += 2) {
    const [end, start, delta] = [0, bytes + 2, 2 * bytes + 2].map(by => table.readUInt16BE(at + by)) as [
      number,
      number,
      number,
    ];
    const glyphs = at + 3 * bytes + 2;
    const offset = table.readUInt16BE(glyphs);
    for (let char = start; char <= end && char < 0xffff; char++) {
      const glyph = offset === 0 ? char + delta : table.readUInt16BE(glyphs + offset + (char - start) * 2);
      if (glyph % 0x1_0000 !== 0) covered.add(char);
    }
  }
}

function addGroups(covered: Set<number>, table: Buffer): void {
  for (let left = table.readUInt32BE(12), at = 16; left > 0; left--, at += 12) {
    const [start, end] = [table.readUInt32BE(at), table.readUInt32BE(at + 4)];
    for (let char = start; char <= end; char++) covered.add(char);
  }
}
