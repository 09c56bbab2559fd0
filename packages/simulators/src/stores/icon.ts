import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

const side = 128;

/** A square PNG with two colours derived from the name, used for app icons and avatars. */
export function iconPng(name: string): Buffer {
  const hue = createHash('sha256').update(name).digest();
  const [from, to] = [
    [hue[0]!, hue[1]!, hue[2]!],
    [hue[3]!, hue[4]!, hue[5]!],
  ];
  const rows: Buffer[] = [];
  for (let y = 0; y < side; y += 1) {
    const row = Buffer.alloc(1 + side * 3);
    for (let x = 0; x < side; x += 1) {
      const part = (x + y) / (2 * side);
      for (let c = 0; c < 3; c += 1) row[1 + x * 3 + c] = Math.round(from[c]! * (1 - part) + to[c]! * part);
    }
    rows.push(row);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(named, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}
