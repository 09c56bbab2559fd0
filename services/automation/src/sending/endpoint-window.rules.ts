/**
 * A process claims few deliveries of an unknown endpoint, more with every success, and one if its last
 * attempt failed. So a hanging endpoint costs one socket, and the backlog of a responsive one drains fast.
 */

export const windowStart = 4;
export const windowMax = 64;

/** A window above this many concurrent requests is claimed ahead and waits in memory. */
export const sendingMax = 8;

/** A backlog drained at full speed would starve others, and few receivers want one all at once. */
export const perSecondMax = 600;
export const burstMax = 64;

// An endpoint that answers slower is not claimed ahead: its deliveries would only wait in memory.
const quickMs = 250;

export function nextWindow(window: number, isTaken: boolean, tookMs: number): number {
  if (!isTaken) return 1;
  const most = tookMs <= quickMs ? windowMax : sendingMax;
  return Math.min(most, window * 2);
}
