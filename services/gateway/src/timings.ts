/**
 * Limits for slow clients: timeouts in ms, the number of connections and the memory of bodies. Fixed in
 * production; tests shorten them.
 */
export type Patience = {
  headersMs: number;
  /** Headers and body together may take so long. */
  requestMs: number;
  /** A socket without traffic in either direction for this long is closed: its reader has stopped reading. */
  silenceMs: number;
  /** A request that began longer ago has its key or session checked again before it is carried out. */
  recheckMs: number;
  /** `headersMs` and `requestMs` are checked so often. */
  checkEveryMs: number;
  connectionsMax: number;
  /**
   * Bytes of bodies in memory, of all requests, from their first byte to their answer; uploads do not count.
   */
  bodyBytesMax: number;
  streamsMs: number;
};

export const defaultPatience: Patience = {
  headersMs: 10_000,
  requestMs: 30_000,
  silenceMs: 120_000,
  recheckMs: 1_000,
  checkEveryMs: 2_000,
  connectionsMax: 10_000,
  bodyBytesMax: 64 * 1024 * 1024,
  streamsMs: 1_000,
};
