/**
 * When a worker loop looks again: a date at the latest, or false for a wake-up.
 * @param inMs null when nothing waits.
 */
export function nextLook(inMs: number | null, processNowMs: number): Date | false {
  return inMs === null ? false : new Date(processNowMs + Math.max(0, Math.ceil(inMs)));
}
