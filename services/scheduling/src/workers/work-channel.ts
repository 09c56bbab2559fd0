/** Notified at every change that gives the worker something to do; one each, so that none wakes the others. */
export const workChannels = {
  send: 'scheduling_work',
  polls: 'scheduling_polls',
  requests: 'scheduling_requests',
} as const;

/** What a worker loop waits for: a date at the latest, or false for a wake-up. */
export function untilNext(ms: number | null): Date | false {
  return ms === null ? false : new Date(Date.now() + Math.max(0, Math.ceil(ms)));
}
