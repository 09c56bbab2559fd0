import { hourMs, minuteMs } from '@hookline/shared/kernel/durations';

/** A queued content that was put back because something that it needs is away. */
type Waiting = { waits: number; createdAt: Date };

/** As long as a schedule is tried after its time, and as long as a firing may wait before an alert. */
const waitWithinMs = 2 * hourMs;
const firstPauseMs = 1_000;
const pauseMaxMs = 5 * minuteMs;
// Also for a content that was queued more than two hours ago because no worker was running.
const triesMin = 3;

/** The last moment at which a content that waits is tried. */
export function waitsUntil(createdAt: Date): Date {
  return new Date(createdAt.getTime() + waitWithinMs);
}

/**
 * The pause before the next try: doubles from 1 s to 5 min, so an outage of less than two hours costs no
 * post, and about 30 tries.
 * @param waits number of earlier pauses
 * @returns null if it is too late: two hours after the content was queued, and after three tries
 */
export function nextPauseMs({ waits, createdAt }: Waiting, now: Date): number | null {
  const leftMs = waitsUntil(createdAt).getTime() - now.getTime();
  const pauseMs = Math.min(firstPauseMs * 2 ** Math.min(waits, 20), pauseMaxMs);
  if (pauseMs <= leftMs || waits + 1 < triesMin) return pauseMs;
  // The last try comes at the last moment, so that an outage that just ended is not missed.
  return leftMs > 0 ? leftMs : null;
}
