/**
 * The end of each lease of this process, by the monotonic clock. A process that stood still for longer than its leases
 * (a paused VM, a blocked event loop) must not send what another process has taken over in the meantime.
 */
export type Leases = {
  /** @param askedMs when the claim or renewal was requested, by `clock`: the lease counts from there. */
  set(id: string, askedMs: number): void;
  /** As `set`, for one that is still held; nothing otherwise. */
  renew(id: string, askedMs: number): void;
  isHeld(id: string): boolean;
  drop(id: string): void;
};

/** @param clock milliseconds that never go back. */
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
