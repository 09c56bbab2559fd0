/** Ways to release a claimed schedule that is not sent now: ended, retried later, held. */
import type { ScheduleFailure } from '@hookline/shared/contracts/schedules';
import type { SchedulingDeps } from '../deps.ts';
import { notRenewed, ownServiceAway, unreachable } from '../platform/failures.rules.ts';
import { returnToPending } from '../schedules/queries-ends.ts';
import { addTimeline } from '../schedules/queries-timeline.ts';
import type { ScheduleRow } from '../schedules/record.ts';
import { requireTransition } from '../schedules/states.rules.ts';
import { failSchedule, publishRequeued } from '../schedules/transition.ts';
import type { Timings } from '../timings.ts';
import { type LockedClaim, withClaim } from './claim.ts';
import { nextTryMs } from './lateness.rules.ts';
import type { Claim } from './queries.ts';
import { defer, hold } from './queries-claimed.ts';

/** The reason why a claimed schedule is not sent now. */
export type Release =
  | { kind: 'fail'; failure: ScheduleFailure }
  /**
   * Something that the send needs is temporarily unavailable: the platform, or a service of our own. Or the
   * platform refuses to renew the grant (`renewal`), until an operator has repaired our client.
   */
  | { kind: 'retry'; source: 'platform' | 'own' | 'renewal'; reason: string }
  /** Only its turn is missing: it is next in a second, and nothing is written. */
  | { kind: 'queue' }
  /**
   * Its content waits for a decision. Checked again after `checkInMs` in case the decision's event was lost.
   */
  | { kind: 'hold'; checkInMs: number };

const queuedMs = 1_000;

// A shorter pause ends before anyone could withdraw the schedule.
const pendingFromMs = 30_000;

/** Releases a claim without an open call. Writes nothing if another worker took over. */
export async function releaseClaim(
  deps: Pick<SchedulingDeps, 'db' | 'now' | 'timings'>,
  claim: Claim,
  release: Release,
): Promise<void> {
  await withClaim(deps, claim, async locked => {
    const { tx, row } = locked;
    switch (release.kind) {
      case 'fail':
        return await failSchedule(locked, row, release.failure);
      case 'retry': {
        const { source, reason } = release;
        const failure = failureAfter(source, row, reason);
        await addTimeline(locked, claim.id, 'put_off', source === 'renewal' ? failure.message : reason);
        return await deferOrFail(locked, deps.timings, failure);
      }
      case 'queue':
        return void (await defer(tx, claim, queuedMs, false));
      case 'hold':
        requireTransition('returned', row);
        if (!row.heldSince)
          await addTimeline(locked, claim.id, 'held', 'waits for the approval of its content');
        return await hold(locked, claim, release.checkInMs);
    }
  });
}

/** How a schedule ends for which the reason lasted too long. */
function failureAfter(
  source: Extract<Release, { kind: 'retry' }>['source'],
  { mode }: ScheduleRow,
  reason: string,
): ScheduleFailure {
  if (source === 'renewal') return notRenewed(reason);
  return source === 'own' ? ownServiceAway(mode) : unreachable(mode, reason);
}

/** Puts a schedule off with growing pauses, or ends it if it is too late. */
export async function deferOrFail(
  locked: LockedClaim,
  timings: Timings,
  failure: ScheduleFailure,
): Promise<void> {
  const pauseMs = nextTryMs(locked.row, timings, locked.now);
  if (pauseMs === null) await failSchedule(locked, locked.row, failure);
  else await putOff(locked, pauseMs);
}

/**
 * Releases the claim for `pauseMs`, with no call open. During a long pause the schedule waits as
 * `pending`: it can be withdrawn or moved, and content's permit is released with the event.
 */
export async function putOff(locked: LockedClaim, pauseMs: number): Promise<void> {
  const { tx, claim } = locked;
  await defer(tx, claim, pauseMs, true);
  if (pauseMs >= pendingFromMs)
    await publishRequeued(locked, await returnToPending(locked, claim.id, pauseMs));
}
