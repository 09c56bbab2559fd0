/** Ways to stop a claimed schedule without a post: put off, or ended. */
import type { ScheduleFailure } from '@hookline/shared/contracts/schedules';
import type { Transaction } from '@hookline/shared/postgres';
import type { Parts } from '../parts.ts';
import type { Claim } from '../queries/claims.ts';
import { checkClaim, defer } from '../queries/due-schedules.ts';
import { returnToPending } from '../queries/schedule-ends.ts';
import { lockScheduleById, type ScheduleRow } from '../queries/schedules.ts';
import { addTimeline } from '../queries/timeline.ts';
import { accountFailure, ownFailure, platformFailure, unreachable } from '../rules/failures.ts';
import { nextTryMs } from '../rules/try-again.ts';
import { failSchedule, tellRequeued } from './end-schedule.ts';

// A shorter pause is over before anybody could withdraw the schedule.
const pendingFromMs = 30_000;

/**
 * Puts a schedule off with growing pauses, or ends it as unreachable, retryable, when it is too late. The row must be
 * locked and the claim checked.
 */
export async function deferOrEnd(
  tx: Transaction,
  { now, timings }: Pick<Parts, 'now' | 'timings'>,
  claim: Claim,
  row: ScheduleRow,
  reason: string,
): Promise<void> {
  const pauseMs = nextTryMs(row, timings, now());
  if (pauseMs === null) await failSchedule(tx, row, unreachable(row.mode, reason), now());
  else await putOff(tx, claim, pauseMs, now());
}

/**
 * Lets go of the claim, no call being open. Through a long pause the schedule waits as `pending`: it can be withdrawn or
 * moved, and content's permit goes back with the event.
 */
export async function putOff(tx: Transaction, claim: Claim, pauseMs: number, now: Date): Promise<void> {
  await defer(tx, claim, pauseMs, true);
  if (pauseMs >= pendingFromMs)
    await tellRequeued(tx, await returnToPending(tx, claim.id, pauseMs, now), now);
}

/** Ends a claimed schedule without a call. */
export async function fail(parts: Parts, claim: Claim, failure: ScheduleFailure): Promise<void> {
  await parts.db.transaction(async tx => {
    const row = await lockScheduleById(tx, claim.id);
    const { isMine } = await checkClaim(tx, claim);
    if (row && isMine) await failSchedule(tx, row, failure, parts.now());
  });
}

/** Something that the send needs is away for a moment; nothing was sent. */
export async function retryLater(parts: Parts, claim: Claim, reason: string): Promise<void> {
  await parts.db.transaction(async tx => {
    const current = await lockScheduleById(tx, claim.id);
    const { isMine } = await checkClaim(tx, claim);
    if (!current || !isMine) return;
    await addTimeline(tx, claim.id, parts.now(), 'put_off', reason);
    await deferOrEnd(tx, parts, claim, current, reason);
  });
}

/** An answer of the platform to a question before the call, as a failure. */
export function refusedBefore(row: ScheduleRow, code: string, message: string): ScheduleFailure {
  return code === 'scope_not_authorized'
    ? accountFailure('account_needs_reauth')
    : platformFailure(row.mode, code, message);
}

export function notPostable(code: string, message: string): ScheduleFailure {
  return ownFailure(code, 'content', message, false);
}
