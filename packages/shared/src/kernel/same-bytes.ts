import { timingSafeEqual } from 'node:crypto';

/** Compares a given signature with the expected one in a time that depends on their lengths only. */
export function sameBytes(given: Uint8Array, expected: Uint8Array): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}
