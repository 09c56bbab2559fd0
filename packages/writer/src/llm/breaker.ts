/**
 * Keeps callers from waiting for a model that does not answer. After three decks in a row without an answer
 * it opens for 15 s; then one deck tries again, and each failed trial doubles the time, up to a minute:
 * longer, callers would still be refused when the model is back. A deck that breaks the rules is an answer: a
 * caller's topic can force one, and must not stop the decks of others. A deck without an answer does not
 * count when another one got an answer in the meantime: it had waited for its turn, or was unlucky.
 */
export type ModelBreaker = {
  /**
   * Asks to write a deck. Returns the pass that the deck reports its end to, once; a pass of an open breaker
   * is its trial. Returns the reason not to ask now as a string.
   * @param nowMs monotonic time
   */
  enter(nowMs: number): Pass | string;
};

export type Pass = {
  /** The endpoint answered, whatever the answer is worth. */
  answered(): void;
  /** The endpoint did not answer. While the breaker is open, only the failure of its trial lengthens it. */
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
  let trial: Pass | null = null;
  let answers = 0;
  const createPass = (): Pass => {
    const answersBefore = answers;
    const pass: Pass = {
      answered() {
        answers += 1;
        failures = 0;
        trial = null;
      },
      failed(nowMs, reason) {
        if (answers > answersBefore || (failures >= failuresMax && trial !== pass)) return;
        failures += 1;
        lastReason = reason;
        trial = null;
        const doublings = Math.min(10, Math.max(0, failures - failuresMax));
        closedFromMs = nowMs + Math.min(openMaxMs, openMs * 2 ** doublings);
      },
      abandoned() {
        if (trial === pass) trial = null;
      },
    };
    return pass;
  };
  return {
    enter(nowMs) {
      const pass = createPass();
      if (failures < failuresMax) return pass;
      if (trial === null && nowMs >= closedFromMs) {
        trial = pass;
        return pass;
      }
      const seconds = Math.max(1, Math.ceil((closedFromMs - nowMs) / 1_000));
      return `${lastReason}, ${failures} times in a row; next try in ${seconds} s`;
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
