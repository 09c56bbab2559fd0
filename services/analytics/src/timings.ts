/** Times of the collectors. Fixed in production; tests shorten them. */
export type Timings = {
  /** Longest wait for one answer of a platform. */
  callTimeoutMs: number;
  /** Longest that one batch, or one Instagram post, goes on asking; what is left over waits for the next look. */
  workMs: number;
  /** How long a claim holds; after that another worker takes over what a dead one had in flight. Longer than `workMs` and a call. */
  leaseMs: number;
  /** How often workers look for what is due, and the backstop of a lost notification. */
  pollMs: number;
};

export const defaultTimings: Timings = {
  callTimeoutMs: 10_000,
  workMs: 40_000,
  leaseMs: 60_000,
  pollMs: 5_000,
};
