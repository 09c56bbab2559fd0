import type { Carrier } from '../platform/carrier.rules.ts';
import { reasonOf } from '../platform/failures.rules.ts';
import type { Timings } from '../timings.ts';

type Run = { resends: number; scheduledFor: Date };
type ResendTimings = Pick<Timings, 'resendPausesMs' | 'lateMaxMs' | 'tryPauseMaxMs'>;

/**
 * A post that the platform ended as failed is sent again for temporary trouble, and not too long after its
 * time: an outage of less than two hours costs no post.
 * @returns null if the failure is final; `why` is for the timeline.
 */
export function findResend(
  carrier: Pick<Carrier, 'reasons'>,
  reason: string,
  { resends, scheduledFor }: Run,
  timings: ResendTimings,
  now: Date,
): { pauseMs: number; why: string } | null {
  const trouble = reasonOf(carrier, reason)?.passing;
  if (trouble === undefined) return null;
  const lastMs = scheduledFor.getTime() + timings.lateMaxMs;
  const lateMs = now.getTime() - scheduledFor.getTime();
  const pauseMs = findPause(resends, lateMs, timings);
  if (pauseMs === null) return null;
  const seconds = Math.ceil(pauseMs / 1_000);
  const until = new Date(lastMs).toISOString();
  return {
    pauseMs,
    why: `${trouble}, and no post was made (${reason}). It will be sent again in ${seconds} s (attempt ${resends + 2}). Retries end at ${until}.`,
  };
}

/**
 * After the listed pauses comes a tenth of the time that the post is late: it goes out soon after a short
 * trouble, and is not sent a hundred times in a long one. Null: no time is left.
 */
function findPause(
  resends: number,
  lateMs: number,
  { resendPausesMs, lateMaxMs, tryPauseMaxMs }: ResendTimings,
): number | null {
  const leftMs = lateMaxMs - lateMs;
  if (leftMs <= 0) return null;
  const grownMs = Math.max(resendPausesMs.at(-1) ?? 0, Math.min(Math.ceil(lateMs / 10), tryPauseMaxMs));
  // The last call comes at the last moment, so that an outage that just ended is not missed.
  return Math.min(resendPausesMs[resends] ?? grownMs, leftMs);
}
