/**
 * The end of each lease of this process, by the monotonic clock. A process that was stalled for longer than
 * its leases (a paused VM, a blocked event loop) must not send deliveries that another process has taken
 * over.
 */
export type Leases = {
  /** @param askedMs time of the claim or renewal request, by `clock`: the lease counts from there. */
  set(id: string, askedMs: number): void;
  /** Like `set`, but only for a lease that is still held. */
  renew(id: string, askedMs: number): void;
  isHeld(id: string): boolean;
  drop(id: string): void;
};

/** @param clock monotonic milliseconds. */
export function createLeases(leaseMs: number, clock: () => number = () => performance.now()): Leases {
  const ends = new Map<string, number>();
  return {
    set(id, askedMs) {
      ends.set(id, askedMs + leaseMs);
    },
    renew(id, askedMs) {
      if (ends.has(id)) ends.set(id, askedMs + leaseMs);
    },
    isHeld(id) {
      return clock() < (ends.get(id) ?? 0);
    },
    drop(id) {
      ends.delete(id);
    },
  };
}
