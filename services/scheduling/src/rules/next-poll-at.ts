/**
 * The next run of a worker loop: a date at the latest, or false to wait for a wake-up.
 * @param inMs null if nothing waits.
 */
export function nextPollAt(inMs: number | null, processNowMs: number): Date | false {
  return inMs === null ? false : new Date(processNowMs + Math.max(0, Math.ceil(inMs)));
}
