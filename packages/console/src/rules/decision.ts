import { dayMs } from './durations.ts';

/** A decision that a page left when it closed. `at`: when, in ms. */
export type Left<Decision> = Decision & { key: string; owner: string | null; at: number };

/** The server knows an Idempotency-Key for this long. */
const keyMs = dayMs;

/** @param stored as it was read from the browser's storage */
export function stillDue<Decision>(stored: Left<Decision>[], now: number): Left<Decision>[] {
  return stored.filter(({ at }) => now - at < keyMs);
}

/**
 * Whether the answer leaves the outcome of the decision unknown: none (0), no session, 5xx, or one that says
 * when to come back. A 500 is believed at the fifth try: it would stay on the page forever.
 */
export function isUndecided(status: number, retryAfterMs: number | null, tries: number): boolean {
  if (status === 500) return tries < 4;
  return status < 1 || status === 401 || status > 500 || retryAfterMs !== null;
}

/** @param tries that failed so far @returns 2 s, doubled up to a minute */
export function retryAfterMs(tries: number): number {
  return Math.min(2_000 * 2 ** (tries - 1), 60_000);
}
