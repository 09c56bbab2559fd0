import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

/** A number above 2^53 that `JSON.stringify` writes digit for digit. */
export function bareNumber(digits: string): unknown {
  // Node 24 has JSON.rawJSON; the es2024 library does not declare it yet.
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(digits);
}

/** 19 digits and odd, so that a client that reads it as a double gets a different number. */
export function newPostId(): string {
  return `7${randomDigits(17)}${randomInt(5) * 2 + 1}`;
}

export function newPublishId(): string {
  return `p_pub_url~v2.7${randomDigits(18)}`;
}

/** A timestamp plus hex, 34 characters, like those seen live. */
export function newLogId(nowMs: number): string {
  const stamp = new Date(nowMs).toISOString().replace(/\D/g, '').slice(0, 14);
  return stamp + randomBytes(10).toString('hex').toUpperCase();
}

/**
 * Authorization codes contain `*` and `!`, so that a client that forgets to URL-decode them fails here too.
 */
export function newCode(): string {
  return `${randomBytes(30).toString('base64url')}*0!${randomInt(1000, 9999)}.s1`;
}

export function newToken(prefix: 'act' | 'rft' | 'clt'): string {
  return `${prefix}.${randomBytes(36).toString('base64url')}*0!${randomInt(1000, 9999)}.s1`;
}

export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Compares secrets in constant time, regardless of their lengths. */
export function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

function randomDigits(count: number): string {
  let digits = '';
  while (digits.length < count) digits += String(randomInt(1_000_000_000)).padStart(9, '0');
  return digits.slice(0, count);
}
