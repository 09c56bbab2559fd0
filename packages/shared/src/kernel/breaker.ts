/** After 8 consecutive failures, refuses calls to a callee for 1 s, then lets one through as a probe. */
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
  /** The call ended without information about the callee, because the client disconnected. */
  abandoned(): void;
};

const failuresMax = 8;
const openMs = 1_000;

export function createBreaker(): Breaker {
  let failures = 0;
  let closedFromMs = 0;
  let isProbing = false;
  const isOpen = (nowMs: number): boolean => failures >= failuresMax && (nowMs < closedFromMs || isProbing);
  return {
    isOpen,
    mayCall(nowMs) {
      if (isOpen(nowMs)) return false;
      isProbing = failures >= failuresMax;
      return true;
    },
    succeeded() {
      failures = 0;
      isProbing = false;
    },
    failed(nowMs) {
      failures += 1;
      isProbing = false;
      closedFromMs = nowMs + openMs;
    },
    abandoned() {
      isProbing = false;
    },
  };
}
