import type { Timings } from '../timings.ts';
import { lastMomentOf } from './lateness.ts';

/** A schedule or request that was put off because a dependency was down; nothing was sent. */
type Waiting = { tries: number; scheduledFor: Date; heldSince?: Date | null };

const firstPauseMs = 1_000;

/**
 * The pause before the next try: doubles from 1 s to 5 min. Nothing was sent, so waiting is safe; an
 * outage of less than two hours costs no post.
 * @param tries number of earlier tries in this run.
 * @returns null if it is too late.
 */
export function nextTryMs(
  { tries, ...run }: Waiting,
  timings: Pick<Timings, 'lateMaxMs' | 'holdMs' | 'tryPauseMaxMs'>,
  now: Date,
): number | null {
  const leftMs = lastMomentOf(run, timings) - now.getTime();
  const pauseMs = Math.min(firstPauseMs * 2 ** Math.min(tries, 20), timings.tryPauseMaxMs);
  // The last try comes at the last moment, so that an outage that just ended is not missed.
  return leftMs > 0 ? Math.min(pauseMs, leftMs) : null;
}
