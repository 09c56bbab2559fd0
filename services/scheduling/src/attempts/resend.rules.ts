import type { Carrier } from '../platform/carrier.rules.ts';
import { reasonOf } from '../platform/failures.rules.ts';
import { lastMomentOf } from '../schedules/lateness.rules.ts';
import type { Timings } from '../timings.ts';

type Run = { resends: number; scheduledFor: Date; heldSince?: Date | null };
type ResendTimings = Pick<Timings, 'resendPausesMs' | 'lateMaxMs' | 'holdMs' | 'tryPauseMaxMs'>;

/**
 * A post that the platform ended as failed is sent again for temporary trouble, and not too long after its
 * time: an outage of less than two hours costs no post. One that was held has the day of the hold.
 * @returns null if the failure is final; `why` is for the timeline.
 */
export function findResend(
  carrier: Pick<Carrier, 'reasons'>,
  reason: string,
  { resends, ...run }: Run,
  timings: ResendTimings,
  now: Date,
): { pauseMs: number; why: string } | null {
  const trouble = reasonOf(carrier, reason)?.passing;
  if (trouble === undefined) return null;
  const lastMs = lastMomentOf(run, timings);
  const lateMs = now.getTime() - run.scheduledFor.getTime();
  const pauseMs = findPause(resends, { lateMs, leftMs: lastMs - now.getTime() }, timings);
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
  { lateMs, leftMs }: { lateMs: number; leftMs: number },
  { resendPausesMs, tryPauseMaxMs }: ResendTimings,
): number | null {
  if (leftMs <= 0) return null;
  const grownMs = Math.max(resendPausesMs.at(-1) ?? 0, Math.min(Math.ceil(lateMs / 10), tryPauseMaxMs));
  // The last call comes at the last moment, so that an outage that just ended is not missed.
  return Math.min(resendPausesMs[resends] ?? grownMs, leftMs);
}
