/** Milliseconds of the epoch, by a clock that never steps. @param monotonicMs of `performance.now()` */
export function epochMs(monotonicMs: number): number {
  return performance.timeOrigin + monotonicMs;
}
