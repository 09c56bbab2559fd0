/** Sign-ins that may fail per e-mail address within `failureWindowMs`. */
export const failuresMax = 10;
export const failureWindowMs = 15 * 60_000;

/**
 * Time in ms until the next attempt is allowed; null when it is allowed now.
 * @param failures times of the newest failures within the window, newest first
 */
export function waitForAttempt(failures: readonly Date[], now: Date): number | null {
  const oldest = failures[failuresMax - 1];
  return oldest ? oldest.getTime() + failureWindowMs - now.getTime() : null;
}
