/** Ways to release a claimed schedule that is not sent now: ended, retried later, held. */
import type { ScheduleFailure } from '@hookline/shared/contracts/schedules';
import type { Transaction } from '@hookline/shared/postgres';
import type { SchedulingDeps } from '../deps.ts';
import { notRenewed, ownServiceAway, unreachable } from '../platform/failures.rules.ts';
import { returnToPending } from '../schedules/queries-ends.ts';
import { addTimeline } from '../schedules/queries-timeline.ts';
import type { ScheduleRow } from '../schedules/record.ts';
import { requireTransition } from '../schedules/states.rules.ts';
import { failSchedule, publishRequeued } from '../schedules/transition.ts';
import { withClaim } from './claim.ts';
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
  const { db, now } = deps;
  await db.transaction(tx =>
    withClaim(tx, claim, async row => {
      switch (release.kind) {
        case 'fail':
          await failSchedule(tx, row, release.failure, now());
          return;
        case 'retry': {
          const { source, reason } = release;
          const failure = failureAfter(source, row, reason);
          const detail = source === 'renewal' ? failure.message : reason;
          await addTimeline(tx, claim.id, now(), 'put_off', detail);
          return await deferOrFail(tx, deps, claim, row, failure);
        }
        case 'queue':
          await defer(tx, claim, queuedMs, false);
          return;
        case 'hold':
          requireTransition('returned', row);
          if (!row.heldSince)
            await addTimeline(tx, claim.id, now(), 'held', 'waits for the approval of its content');
          return await hold(tx, claim, release.checkInMs, now());
      }
    }),
  );
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

/** Puts a schedule off with growing pauses, or ends it if it is too late. Run it inside `withClaim`. */
export async function deferOrFail(
  tx: Transaction,
  { now, timings }: Pick<SchedulingDeps, 'now' | 'timings'>,
  claim: Claim,
  row: ScheduleRow,
  failure: ScheduleFailure,
): Promise<void> {
  const pauseMs = nextTryMs(row, timings, now());
  if (pauseMs === null) await failSchedule(tx, row, failure, now());
  else await putOff(tx, claim, pauseMs, now());
}

/**
 * Releases the claim for `pauseMs`, with no call open. During a long pause the schedule waits as
 * `pending`: it can be withdrawn or moved, and content's permit is released with the event.
 */
export async function putOff(tx: Transaction, claim: Claim, pauseMs: number, now: Date): Promise<void> {
  await defer(tx, claim, pauseMs, true);
  if (pauseMs >= pendingFromMs)
    await publishRequeued(tx, await returnToPending(tx, claim.id, pauseMs, now), now);
}
