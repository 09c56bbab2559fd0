import type { Timings } from '../timings.ts';
import { passingTrouble } from './failures.ts';

/** A schedule's automatic repeats in this run, and its time. */
type Run = { resends: number; scheduledFor: Date };

/**
 * Decides if a post that the platform ended as failed is sent again automatically: for temporary trouble, and
 * not too long after its time, so that an outage of less than two hours costs no post.
 * @returns the pause before the next call and the timeline's text, or null: the failure is final.
 */
export function findResend(
  reason: string,
  { resends, scheduledFor }: Run,
  timings: Pick<Timings, 'resendPausesMs' | 'resendWithinMs' | 'tryPauseMaxMs'>,
  now: Date,
): { pauseMs: number; why: string } | null {
  const trouble = passingTrouble(reason);
  if (trouble === null) return null;
  const lastMs = scheduledFor.getTime() + timings.resendWithinMs;
  const pauseMs = findPause(resends, lastMs - now.getTime(), timings);
  if (pauseMs === null) return null;
  const seconds = Math.ceil(pauseMs / 1_000);
  const until = new Date(lastMs).toISOString();
  return {
    pauseMs,
    why: `${trouble}, and no post was made (${reason}). It is sent again in ${seconds} s, try ${resends + 2}; the last is at ${until}.`,
  };
}

/** The listed pauses, then doubled ones. @returns null if none fits into the time that is left. */
function findPause(
  resends: number,
  leftMs: number,
  { resendPausesMs, tryPauseMaxMs }: Pick<Timings, 'resendPausesMs' | 'tryPauseMaxMs'>,
): number | null {
  const listedMs = resendPausesMs[resends];
  if (listedMs !== undefined) return listedMs <= leftMs ? listedMs : null;
  const doublings = Math.min(resends - resendPausesMs.length + 1, 20);
  const grownMs = Math.min((resendPausesMs.at(-1) ?? tryPauseMaxMs) * 2 ** doublings, tryPauseMaxMs);
  // The last call comes at the last moment, so that an outage that just ended is not missed.
  return leftMs > 0 ? Math.min(grownMs, leftMs) : null;
}
