/** Ways to stop a claimed schedule without a post: put off, or ended. */
import type { ScheduleFailure } from '@hookline/shared/contracts/schedules';
import type { Transaction } from '@hookline/shared/db';
import type { Parts } from '../parts.ts';
import type { Claim } from '../queries/claims.ts';
import { checkClaim, defer } from '../queries/due-schedules.ts';
import { lockScheduleById, type ScheduleRow } from '../queries/schedules.ts';
import { addTimeline } from '../queries/timeline.ts';
import { accountFailure, ownFailure, platformFailure, unreachable } from '../rules/failures.ts';
import { failSchedule } from './end-schedule.ts';

// Unreachable, limited or fenced: after so many tries the schedule ends, retryable, with no post made.
export const triesMax = 12;
const retryFirstMs = 1_000;
const retryMaxMs = 60_000;

/** Puts a schedule off with growing pauses, or ends it as unreachable. The row must be locked and the claim checked. */
export async function deferOrEnd(
  tx: Transaction,
  { now }: Pick<Parts, 'now'>,
  claim: Claim,
  row: ScheduleRow,
  reason: string,
): Promise<void> {
  if (row.tries >= triesMax) await failSchedule(tx, row, unreachable(row.mode, reason), now());
  else await defer(tx, claim, Math.min(retryFirstMs * 2 ** row.tries, retryMaxMs), true);
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
