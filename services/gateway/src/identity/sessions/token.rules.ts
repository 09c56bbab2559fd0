import { dayMs } from '@hookline/shared/kernel/durations';

export const sessionLifetimeMs = 30 * dayMs;

/** `sess_` and 43 characters. @param random 32 bytes */
export function makeSessionToken(random: Buffer): string {
  return `sess_${random.toString('base64url')}`;
}

export function isSessionToken(text: string): boolean {
  return /^sess_[\w-]{43}$/.test(text);
}
