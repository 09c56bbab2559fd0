/**
 * How many deliveries of one endpoint a process takes in hand at a time: few of one that it does not know, more
 * with every delivery that is taken, one of an endpoint that failed last. So an endpoint that hangs costs one
 * socket, and a backlog of one that answers drains fast.
 */

export const windowStart = 4;
export const windowMax = 64;

/** Requests to one endpoint at the same time. The rest of its window is claimed ahead and waits in memory. */
export const sendingMax = 8;

export function nextWindow(window: number, isTaken: boolean): number {
  return isTaken ? Math.min(windowMax, window * 2) : 1;
}
