/** After 8 consecutive failures, lets one call a second to a callee through as a probe, until one succeeds. */
export type Breaker = {
  /** True: `mayCall` would refuse. Begins no probe. */
  isOpen(nowMs: number): boolean;
  /**
   * False: do not call now. True may make this call the probe of an open breaker.
   * @param nowMs monotonic time
   */
  mayCall(nowMs: number): boolean;
  succeeded(): void;
  failed(nowMs: number): void;
};

const failuresMax = 8;
const openMs = 1_000;

export function createBreaker(): Breaker {
  let failures = 0;
  let closedFromMs = 0;
  const isOpen = (nowMs: number): boolean => failures >= failuresMax && nowMs < closedFromMs;
  return {
    isOpen,
    mayCall(nowMs) {
      if (isOpen(nowMs)) return false;
      // The next probe does not wait for this one, whose answer may take half a minute.
      closedFromMs = nowMs + openMs;
      return true;
    },
    succeeded() {
      failures = 0;
    },
    failed(nowMs) {
      failures += 1;
      closedFromMs = nowMs + openMs;
    },
  };
}
