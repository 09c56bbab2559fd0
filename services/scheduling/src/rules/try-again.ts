import type { Timings } from '../timings.ts';

/** A schedule or request that was put off because a dependency was down; nothing was sent. */
type Waiting = { tries: number; scheduledFor: Date };

const firstPauseMs = 1_000;
// Even long after its time, such as after a manual retry, the tries continue for about 23 minutes.
const triesMin = 12;

/**
 * The pause before the next try: doubles from 1 s to 5 min. Nothing was sent, so waiting is safe; an
 * outage of less than two hours costs no post.
 * @param tries number of earlier tries in this run.
 * @returns null if it is too late: past `tryWithinMs` after its time and after 12 tries.
 */
export function nextTryMs(
  { tries, scheduledFor }: Waiting,
  { tryWithinMs, tryPauseMaxMs }: Pick<Timings, 'tryWithinMs' | 'tryPauseMaxMs'>,
  now: Date,
): number | null {
  const lastMs = scheduledFor.getTime() + tryWithinMs;
  const pauseMs = Math.min(firstPauseMs * 2 ** Math.min(tries, 20), tryPauseMaxMs);
  if (now.getTime() + pauseMs <= lastMs || tries < triesMin) return pauseMs;
  // The last try comes at the last moment, so that an outage that just ended is not missed.
  return now.getTime() < lastMs ? lastMs - now.getTime() : null;
}
