/** Bytes are counted from 0, both ends included. */
export type ByteRange = { first: number; last: number };

/**
 * Parses a `Range` header (RFC 9110, section 14). Several ranges, another unit or a malformed header return
 * the whole body, as the RFC allows.
 */
export function readByteRange(header: string | undefined, length: number): ByteRange | 'whole' | 'none' {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? '') ?? [];
  if (from === '' && to === '') return 'whole';
  if (from === '') {
    const count = Math.min(Number(to), length);
    return count === 0 ? 'none' : { first: length - count, last: length - 1 };
  }
  const first = Number(from);
  if (to !== '' && Number(to) < first) return 'whole';
  if (first >= length) return 'none';
  return { first, last: to === '' ? length - 1 : Math.min(Number(to), length - 1) };
}
