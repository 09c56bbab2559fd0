import { randomBytes } from 'node:crypto';

/** Every prefix that stands before an id. */
export type IdPrefix =
  | 'product'
  | 'content'
  | 'req'
  | 'user'
  | 'acct'
  | 'session'
  | 'key'
  | 'credit'
  | 'account'
  | 'schedule'
  | 'attempt'
  | 'automation'
  | 'firing'
  | 'webhook'
  | 'delivery'
  | 'event'
  | 'source'
  | 'post'
  | 'image';

// Crockford's alphabet in lower case: sorts like the bits, URL-safe, no letters that read as digits.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * `<prefix>_` and 26 characters: 48 bits of milliseconds, then 80 random bits. Ids of different milliseconds
 * sort by time; within one millisecond the order is random.
 */
export function newId(prefix: IdPrefix, nowMs: number = Date.now()): string {
  let time = nowMs;
  let head = '';
  for (let digit = 0; digit < 10; digit += 1) {
    head = alphabet[time % 32] + head;
    time = Math.floor(time / 32);
  }
  let tail = '';
  // 16 bytes, 5 bits of each: simpler than packing and still 80 random bits.
  for (const byte of randomBytes(16)) tail += alphabet[byte & 31];
  return `${prefix}_${head}${tail}`;
}
