/** Attempts of a mail: over about 9 hours, after which nobody waits for it. */
const mailAttemptsMax = 10;

/** Time in ms until the next attempt: 1 min, then twice as long each time, 2 hours at most. Null: give up. */
export function waitAfterAttempt(attempts: number): number | null {
  if (attempts >= mailAttemptsMax) return null;
  return Math.min(60_000 * 2 ** (attempts - 1), 7_200_000);
}
