import { crc32, deflateSync } from 'node:zlib';

/** A grey PNG of 64 x 64 px. @param grey 0 to 255 */
export function tinyPng(grey = 128): Buffer {
  const side = 64;
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(side, grey)]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: side }, () => row)))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** An upload of a file, as the field `file`. */
export function fileForm(bytes: Uint8Array, name = 'picture.png', field = 'file'): FormData {
  const form = new FormData();
  form.set(field, new Blob([new Uint8Array(bytes)]), name);
  return form;
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(named, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}
