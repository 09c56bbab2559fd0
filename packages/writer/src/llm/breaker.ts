/**
 * Keeps callers from waiting for a model that does not write. After three decks in a row without a usable
 * answer it opens for 15 s; then one deck tries again, and each failure doubles the time, up to a
 * minute: longer, callers would still be refused when the model is back.
 */
export type ModelBreaker = {
  /**
   * The reason not to ask now, or null. Null may make this deck the trial of an open breaker.
   * @param nowMs monotonic time
   */
  whyNot(nowMs: number): string | null;
  succeeded(): void;
  failed(nowMs: number, reason: string): void;
  /** The deck ended without information about the model. */
  abandoned(): void;
};

const failuresMax = 3;
const openMs = 15_000;
const openMaxMs = 60_000;

export function createModelBreaker(): ModelBreaker {
  let failures = 0;
  let lastReason = '';
  let closedFromMs = 0;
  let isTrying = false;
  return {
    whyNot(nowMs) {
      if (failures < failuresMax) return null;
      if (!isTrying && nowMs >= closedFromMs) {
        isTrying = true;
        return null;
      }
      const seconds = Math.max(1, Math.ceil((closedFromMs - nowMs) / 1_000));
      return `${lastReason}, ${failures} times in a row; next try in ${seconds} s`;
    },
    succeeded() {
      failures = 0;
      isTrying = false;
    },
    failed(nowMs, reason) {
      failures += 1;
      lastReason = reason;
      isTrying = false;
      const doublings = Math.min(10, Math.max(0, failures - failuresMax));
      closedFromMs = nowMs + Math.min(openMaxMs, openMs * 2 ** doublings);
    },
    abandoned() {
      isTrying = false;
    },
  };
}

/** Allows one retry for every five questions, and ten at once: retries must not multiply an outage. */
export type RetryBudget = { asked(): void; mayRetry(): boolean };

const retriesMax = 10;
const retriesPerQuestion = 0.2;

export function createRetryBudget(): RetryBudget {
  let retries = retriesMax;
  return {
    asked() {
      retries = Math.min(retriesMax, retries + retriesPerQuestion);
    },
    mayRetry() {
      if (retries < 1) return false;
      retries -= 1;
      return true;
    },
  };
}
