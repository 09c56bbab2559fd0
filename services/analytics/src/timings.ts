/** Times of the collectors. Fixed in production; tests shorten them. */
export type Timings = {
  callTimeoutMs: number;
  /** Maximum time that a request waits for Instagram; the gateway waits 15 s. */
  askMs: number;
  /** Maximum time for one batch or one Instagram post. Unfinished work waits for the next poll. */
  workMs: number;
  /**
   * Lease of a claim; afterwards another worker takes over from a dead one. Longer than `workMs` plus a call.
   */
  leaseMs: number;
  /** Interval at which workers poll for due work, in case a notification is lost. */
  pollMs: number;
};

export const defaultTimings: Timings = {
  callTimeoutMs: 10_000,
  askMs: 10_000,
  workMs: 40_000,
  leaseMs: 60_000,
  pollMs: 5_000,
};
