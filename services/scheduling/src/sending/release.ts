import type { ScheduleFailure } from '@hookline/shared/contracts/schedules';
import type { SchedulingDeps } from '../deps.ts';
import { isHeld, nextTryMs } from '../schedules/lateness.rules.ts';
import { type PhonePost, returnToPending } from '../schedules/queries-ends.ts';
import { addTimeline, removeClaimLine } from '../schedules/queries-timeline.ts';
import { requireTransition } from '../schedules/states.rules.ts';
import { failSchedule, handOver, publishRequeued } from '../schedules/transition.ts';
import type { Timings } from '../timings.ts';
import { type LockedClaim, withClaim } from './claim.ts';
import type { Claim } from './queries.ts';
import { defer, hold } from './queries-claimed.ts';

/** A claimed schedule is not sent now, for one of these reasons. */
export type Release =
  | { kind: 'fail'; failure: ScheduleFailure }
  /** Something is unavailable for a while; if it lasts too long, the schedule ends with the failure. */
  | { kind: 'retry'; failure: ScheduleFailure; reason: string }
  /** Only its turn is missing: it is next in a second, and nothing is written. */
  | { kind: 'queue' }
  /** A person posts it by phone. */
  | { kind: 'hand_over'; post: PhonePost }
  /** Its content waits for a decision, whose event may be lost. */
  | { kind: 'hold'; checkInMs: number };

const queuedMs = 1_000;

// A shorter pause ends before anyone could withdraw the schedule.
const pendingFromMs = 30_000;

/** No call may be open. Nothing is written if another worker took over. */
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
      case 'retry':
        await addTimeline(locked, claim.id, 'put_off', release.reason);
        return await deferOrFail(locked, deps.timings, release.failure);
      case 'hand_over':
        return await handOver(locked, row, release.post);
      case 'queue':
        return void (await defer(tx, claim, queuedMs, false));
      case 'hold':
        requireTransition('returned', row);
        // The sender asks every minute: of that, only the first answer is news.
        if (isHeld(row)) await removeClaimLine(locked, claim.id);
        else await addTimeline(locked, claim.id, 'held', 'waits for the approval of its content');
        return await hold(locked, claim, release.checkInMs);
    }
  });
}

export async function deferOrFail(
  locked: LockedClaim,
  timings: Timings,
  failure: ScheduleFailure,
): Promise<void> {
  const pauseMs = nextTryMs(locked.row, timings, locked.now);
  if (pauseMs === null) await failSchedule(locked, locked.row, failure);
  else await putOff(locked, pauseMs);
}

/** A long pause is spent as `pending`: the schedule can be withdrawn or moved, and has no permit. */
export async function putOff(locked: LockedClaim, pauseMs: number): Promise<void> {
  const { tx, claim } = locked;
  await defer(tx, claim, pauseMs, true);
  if (pauseMs >= pendingFromMs)
    await publishRequeued(locked, await returnToPending(locked, claim.id, pauseMs));
}
