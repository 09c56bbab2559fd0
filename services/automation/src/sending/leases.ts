/**
 * A process that was stalled for longer than its leases (a paused VM, a blocked event loop) must not send
 * deliveries that another process has taken over.
 */
export type Leases = {
  /** A lease counts from the request for it. */
  set(id: string, requestedMs: number): void;
  /** A lease that is no longer held is not renewed. */
  renew(id: string, requestedMs: number): void;
  isHeld(id: string): boolean;
  drop(id: string): void;
};

export function createLeases(leaseMs: number, clock: () => number = () => performance.now()): Leases {
  const ends = new Map<string, number>();
  return {
    set(id, requestedMs) {
      ends.set(id, requestedMs + leaseMs);
    },
    renew(id, requestedMs) {
      if (ends.has(id)) ends.set(id, requestedMs + leaseMs);
    },
    isHeld(id) {
      return clock() < (ends.get(id) ?? 0);
    },
    drop(id) {
      ends.delete(id);
    },
  };
}
