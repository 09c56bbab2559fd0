/** Notified at every change that gives a worker something to do. */
export const workChannel = 'scheduling_work';

/** What a worker loop waits for: a date at the latest, or false for a wake-up. */
export function untilNext(ms: number | null): Date | false {
  return ms === null ? false : new Date(Date.now() + Math.max(0, Math.ceil(ms)));
}
