import type { Timings } from '../timings.ts';
import { passingTrouble } from './failures.ts';

/** A schedule's automatic repeats in this run, and its time. */
type Run = { resends: number; scheduledFor: Date };

/**
 * Decides if a post that the platform ended as failed is sent again automatically: for temporary trouble,
 * as often as there are pauses, and not too long after its time.
 * @returns the pause before the next call and the timeline's text, or null: the failure is final.
 */
export function findResend(
  reason: string,
  { resends, scheduledFor }: Run,
  { resendPausesMs, resendWithinMs }: Pick<Timings, 'resendPausesMs' | 'resendWithinMs'>,
  now: Date,
): { pauseMs: number; why: string } | null {
  const trouble = passingTrouble(reason);
  const pauseMs = resendPausesMs[resends];
  if (trouble === null || pauseMs === undefined) return null;
  if (now.getTime() + pauseMs > scheduledFor.getTime() + resendWithinMs) return null;
  const seconds = Math.ceil(pauseMs / 1_000);
  const turn = `try ${resends + 2} of ${resendPausesMs.length + 1}`;
  return {
    pauseMs,
    why: `${trouble}, and no post was made (${reason}). It is sent again in ${seconds} s, ${turn}.`,
  };
}
