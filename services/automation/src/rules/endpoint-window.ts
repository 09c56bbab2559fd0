/**
 * How many deliveries of one endpoint a process claims at a time: few for an unknown endpoint, more with every
 * delivery that is taken, one for an endpoint whose last attempt failed. So an endpoint that hangs costs one socket,
 * and the backlog of one that answers drains fast.
 */

export const windowStart = 4;
export const windowMax = 64;

/** Requests to one endpoint at the same time. The rest of its window is claimed ahead and waits in memory. */
export const sendingMax = 8;

/**
 * Deliveries a second to one endpoint, and how many more may go at once. A backlog that drains as fast as it can takes
 * the machine from all other endpoints, and most receivers would rather not have it at once either.
 */
export const perSecondMax = 600;
export const burstMax = 64;

// An endpoint that answers slower than this is not claimed ahead for: its deliveries would only wait in memory.
const quickMs = 250;

/** @param tookMs from the request to the end of the answer. */
export function nextWindow(window: number, isTaken: boolean, tookMs: number): number {
  if (!isTaken) return 1;
  const most = tookMs <= quickMs ? windowMax : sendingMax;
  return Math.min(most, window * 2);
}
