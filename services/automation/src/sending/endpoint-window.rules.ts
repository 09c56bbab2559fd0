/**
 * Limits the deliveries of one endpoint that a process claims at a time: few for an unknown endpoint, more
 * with every successful delivery, one if its last attempt failed. So a hanging endpoint costs one socket,
 * and the backlog of a responsive one drains fast.
 */

export const windowStart = 4;
export const windowMax = 64;

/** Concurrent requests to one endpoint. The rest of its window is claimed ahead and waits in memory. */
export const sendingMax = 8;

/**
 * Deliveries per second to one endpoint, and the burst allowed on top. A backlog drained at full speed would
 * starve all other endpoints, and few receivers want one all at once.
 */
export const perSecondMax = 600;
export const burstMax = 64;

// An endpoint that answers slower than this is not claimed ahead: its deliveries would only wait in memory.
const quickMs = 250;

/** @param tookMs time from the request to the end of the answer. */
export function nextWindow(window: number, isTaken: boolean, tookMs: number): number {
  if (!isTaken) return 1;
  const most = tookMs <= quickMs ? windowMax : sendingMax;
  return Math.min(most, window * 2);
}
