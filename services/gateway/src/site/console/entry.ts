/** The one-time link with which the person at the machine of `npm start` enters the console. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { sha256 } from '@hookline/shared/kernel/sha256';

export type ConsoleEntry = {
  open(email: string): string;
  /** Works once; is null for a token that is unknown, used or too old. */
  use(token: string): string | null;
};

const lifetimeMs = 10 * 60_000;

/** The process that prints the token serves its link, so its SHA-256 is kept in memory alone. */
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
