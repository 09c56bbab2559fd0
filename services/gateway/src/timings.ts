/**
 * Limits for slow clients: timeouts in ms and the number of connections. Fixed in production; tests shorten
 * them.
 */
export type Patience = {
  headersMs: number;
  /** For headers and body together. */
  requestMs: number;
  /** A socket without traffic in either direction for this long is closed: its reader has stopped reading. */
  silenceMs: number;
  /** How often `headersMs` and `requestMs` are checked. */
  checkEveryMs: number;
  connectionsMax: number;
  /** How often the streams of browsers look for changes. */
  streamsMs: number;
};

export const defaultPatience: Patience = {
  headersMs: 10_000,
  requestMs: 30_000,
  silenceMs: 120_000,
  checkEveryMs: 2_000,
  connectionsMax: 10_000,
  streamsMs: 1_000,
};
