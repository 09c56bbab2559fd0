/** The one-time link with which the person at the machine of `npm start` enters the console. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { sha256 } from '@hookline/shared/kernel/sha256';

export type ConsoleEntry = {
  /** Makes the token that signs this person in. It is valid for 10 minutes and replaces the one before. */
  open(email: string): string;
  /** Whom the token signs in, once; null for a token that is unknown, used or too old. */
  use(token: string): string | null;
};

const lifetimeMs = 10 * 60_000;

/** Kept in memory, and of the token only its SHA-256: the process that prints the token serves its link. */
export function createConsoleEntry(monotonicMs: () => number = () => performance.now()): ConsoleEntry {
  let opened: { tokenHash: Buffer; email: string; untilMs: number } | null = null;
  return {
    open(email) {
      const token = randomBytes(24).toString('base64url');
      opened = { tokenHash: sha256(token), email, untilMs: monotonicMs() + lifetimeMs };
      return token;
    },
    use(token) {
      if (!opened || !timingSafeEqual(sha256(token), opened.tokenHash)) return null;
      const { email, untilMs } = opened;
      opened = null;
      return monotonicMs() < untilMs ? email : null;
    },
  };
}
