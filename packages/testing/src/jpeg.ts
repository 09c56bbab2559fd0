/**
 * The shortest JPEG a header reader accepts: start, a comment that makes the bytes differ, frame header, end.
 */
export function jpeg(width: number, height: number, comment: string): Buffer {
  const text = Buffer.from(comment);
  const com = Buffer.concat([Buffer.from([0xff, 0xfe, 0, text.length + 2]), text]);
  const sof = Buffer.from([0xff, 0xc0, 0, 17, 8, 0, 0, 0, 0, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]);
  sof.writeUInt16BE(height, 5);
  sof.writeUInt16BE(width, 7);
  const app0 = Buffer.from('ffe000104a46494600010100000100010000', 'hex');
  return Buffer.concat([Buffer.from([0xff, 0xd8]), app0, com, sof, Buffer.from([0xff, 0xd9])]);
}
