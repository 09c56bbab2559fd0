import { hourMs, minuteMs } from '@hookline/shared/kernel/durations';

type Waiting = { waits: number; dueAt: Date };

/** A schedule is tried this long after its time, and a firing may wait this long before an alert. */
const waitWithinMs = 2 * hourMs;
const firstPauseMs = 1_000;
const pauseMaxMs = 5 * minuteMs;
// A content queued while no worker ran for two hours is tried too.
const triesMin = 3;

export function waitsUntil(dueAt: Date): Date {
  return new Date(dueAt.getTime() + waitWithinMs);
}

/**
 * Doubles the pause from 1 s to 5 min: an outage of less than two hours costs about 30 tries and no post.
 * @returns null if it is too late
 */
export function nextPauseMs({ waits, dueAt }: Waiting, now: Date): number | null {
  const leftMs = waitsUntil(dueAt).getTime() - now.getTime();
  const pauseMs = Math.min(firstPauseMs * 2 ** Math.min(waits, 20), pauseMaxMs);
  if (pauseMs <= leftMs || waits + 1 < triesMin) return pauseMs;
  // The last try comes at the last moment, so that an outage that just ended is not missed.
  return leftMs > 0 ? leftMs : null;
}
