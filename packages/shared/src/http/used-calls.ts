/**
 * Remembers calls that changed something, so that a captured one cannot be repeated at this process while its
 * signature is valid (D-52).
 */
export type UsedCalls = {
  /** True for a call that was given before; remembers it otherwise. @param signature of the verified call */
  isRepeat(signature: string, nowMs: number): boolean;
};

// A call is accepted from 5 s before its 30 s begin until 5 s after their end.
const keptMs = 40_000;
// Each takes 80 bytes, twice: 8 MB at 1,250 changes a second, which one process does not reach.
const callsMax = 50_000;

export function createUsedCalls(): UsedCalls {
  let current = new Set<string>();
  let last = new Set<string>();
  let sinceMs = 0;
  return {
    isRepeat(signature, nowMs) {
      // Two sets in turn: removing each call at its own time would need a timer or a scan.
      if (nowMs - sinceMs >= keptMs || current.size >= callsMax) {
        last = nowMs - sinceMs >= 2 * keptMs ? new Set() : current;
        current = new Set();
        sinceMs = nowMs;
      }
      if (current.has(signature) || last.has(signature)) return true;
      current.add(signature);
      return false;
    },
  };
}
