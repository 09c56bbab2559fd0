import { sha256 } from './sha256.ts';

/** The prefixes of ids. */
export type IdPrefix =
  | 'product'
  | 'content'
  | 'comment'
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
  | 'image'
  | 'picture'
  | 'invitation'
  | 'mail'
  | 'audit'
  | 'client'
  | 'review'
  | 'export'
  | 'experiment'
  | 'passkey';

/** Crockford's alphabet in lower case: sorts like the bits, URL-safe, no letters that look like digits. */
export const alphabet = Buffer.from('0123456789abcdefghjkmnpqrstvwxyz', 'latin1');
/** The characters of an id behind its prefix. */
export const idDigits = 26;

/**
 * The id that everybody derives from these parts, as long as one of `newId` but without a time. Work that is
 * done again because a database lost it gets the same id, so that other services recognize it.
 */
export function deriveId(prefix: IdPrefix, ...parts: readonly string[]): string {
  return `${prefix}_${digitsOf(sha256(JSON.stringify(parts)).subarray(0, idDigits))}`;
}

/** A character for the last five bits of each byte. */
export function digitsOf(bytes: Buffer): string {
  return Buffer.from(bytes.map(byte => alphabet[byte & 31] as number)).toString('latin1');
}
