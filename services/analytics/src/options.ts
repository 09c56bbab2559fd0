/** Times of the collectors. Fixed in production; tests shorten them. */
export type Timings = {
  /** Longest wait for one answer of a platform. */
  callTimeoutMs: number;
  /** Longest that one batch, or one Instagram post, goes on asking; what is left over waits for the next look. */
  workMs: number;
  /** How long a claim holds; what a dead worker had in hand is taken over after it. Longer than `workMs` and a call. */
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

/** Most ids of one call to YouTube. */
export const youtubeIdsMax = 50;
