/** The headers of a tar archive (POSIX ustar). */

const blockBytes = 512;

/** Two empty blocks end an archive. */
export const tarEnd = Buffer.alloc(2 * blockBytes);

/** One file of an archive: header, content, and padding to whole blocks. */
export function tarFile(name: string, content: Buffer, modifiedAt: Date): Buffer[] {
  const header = Buffer.alloc(blockBytes);
  const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`;
  if (Buffer.byteLength(name) > 100) throw new Error('the name of a file in an archive is too long');
  header.write(name, 0);
  header.write(octal(0o644, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(content.length, 11), 124);
  header.write(octal(Math.floor(modifiedAt.getTime() / 1000), 11), 136);
  // The checksum counts its own field as spaces.
  header.write('        ', 148);
  header.write('0', 156);
  header.write('ustar\x0000', 257, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)} `, 148);
  const rest = content.length % blockBytes;
  return rest === 0 ? [header, content] : [header, content, Buffer.alloc(blockBytes - rest)];
}
