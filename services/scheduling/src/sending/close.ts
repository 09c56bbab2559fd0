/** After a call that was not accepted: closes the attempt and decides how its schedule continues. */
import type { Transaction } from '@hookline/shared/postgres';
import type { PlatformAccount } from '../accounts/record.ts';
import { fenceAttempt, findOpenAttempt, setAttemptState } from '../attempts/queries.ts';
import { pauseInits } from '../attempts/queries-pace.ts';
import type { SchedulingDeps } from '../deps.ts';
import type { Answer } from '../platform/answers.ts';
import { refusalFailure, unreachable } from '../platform/failures.rules.ts';
import { addTimeline } from '../schedules/queries-timeline.ts';
import type { ScheduleRow } from '../schedules/record.ts';
import { failSchedule } from '../schedules/transition.ts';
import { withClaim } from './claim.ts';
import { nextTryMs } from './lateness.rules.ts';
import type { Claim } from './queries.ts';
import { addTry, park } from './queries-claimed.ts';
import { deferOrFail, putOff } from './release.ts';

/** How the send continues: not at all, with another attempt, or with another attempt under a new token. */
export type AfterClose = 'over' | 'again' | 'new-token';

type CloseDeps = Pick<SchedulingDeps, 'db' | 'now' | 'timings'>;
type Unaccepted = Exclude<Answer<never>, { kind: 'ok' }>;

const limitedPauseMs = 60_500;

/** Writes nothing if another worker took over. */
export async function closeAttempt(
  deps: CloseDeps,
  claim: Claim,
  attemptId: string,
  account: PlatformAccount,
  answer: Unaccepted,
): Promise<AfterClose> {
  const next = await deps.db.transaction(tx =>
    withClaim(tx, claim, row => closeLocked(tx, deps, claim, row, attemptId, account, answer)),
  );
  return next ?? 'over';
}

async function closeLocked(
  tx: Transaction,
  deps: CloseDeps,
  claim: Claim,
  row: ScheduleRow,
  attemptId: string,
  account: PlatformAccount,
  answer: Unaccepted,
): Promise<AfterClose> {
  const { now } = deps;
  switch (answer.kind) {
    case 'ambiguous': {
      if (!(await closeSilentAttempt(tx, deps, claim, attemptId, `no answer (${answer.reason})`)))
        return 'over';
      // The first time the call is repeated at once; a platform that stays silent gets pauses.
      if (row.tries === 0) {
        await addTry(tx, claim);
        return 'again';
      }
      await deferOrFail(tx, deps, claim, row, unreachable(row.mode, answer.reason));
      return 'over';
    }
    case 'unreachable':
      if (!(await fenceAttempt(tx, attemptId, now(), 'unreachable')))
        return await contradicted(tx, deps, claim, attemptId, answer.reason);
      await addTimeline(tx, claim.id, now(), 'unreachable', answer.reason);
      if (row.isImmediate) await failSchedule(tx, row, unreachable(row.mode, answer.reason), now());
      else await deferOrFail(tx, deps, claim, row, unreachable(row.mode, answer.reason));
      return 'over';
    case 'refused':
      if (!(await fenceAttempt(tx, attemptId, now(), 'refused')))
        return await contradicted(tx, deps, claim, attemptId, answer.code);
      await addTimeline(tx, claim.id, now(), 'refused', `${answer.code}: ${answer.message}`);
      return await endRefused(tx, deps, claim, row, account, answer);
  }
}

/**
 * Handles a call without an answer, or with one that a recorded pull contradicts. Run it inside `withClaim`.
 * @returns true: the attempt is fenced, and a new one is safe at once. False: a pull is recorded, so the call
 * arrived and is never repeated; the schedule waits for the platform's webhook.
 */
export async function closeSilentAttempt(
  tx: Transaction,
  { now, timings }: CloseDeps,
  claim: Claim,
  attemptId: string,
  reason: string,
): Promise<boolean> {
  if (await fenceAttempt(tx, attemptId, now())) {
    const detail = `${reason}; no slide was pulled, its links are closed`;
    await addTimeline(tx, claim.id, now(), 'attempt_closed', detail);
    return true;
  }
  const open = await findOpenAttempt(tx, claim.id);
  if (open?.state === 'calling') {
    await setAttemptState(tx, attemptId, 'unconfirmed', now(), timings.settleWithinMs);
    const detail = `${reason}; slides were pulled, so it is not sent again`;
    await addTimeline(tx, claim.id, now(), 'unconfirmed', detail);
  }
  await park(tx, claim);
  return false;
}

/** The platform refused the call but pulled a slide: the pull counts. */
async function contradicted(
  tx: Transaction,
  deps: CloseDeps,
  claim: Claim,
  attemptId: string,
  said: string,
): Promise<AfterClose> {
  await closeSilentAttempt(tx, deps, claim, attemptId, `the answer was ${said}`);
  return 'over';
}

async function endRefused(
  tx: Transaction,
  { now, timings }: CloseDeps,
  claim: Claim,
  row: ScheduleRow,
  account: PlatformAccount,
  refused: { code: string; message: string },
): Promise<AfterClose> {
  if (refused.code === 'access_token_invalid') return 'new-token';
  if (refused.code === 'rate_limit_exceeded' && nextTryMs(row, timings, now()) !== null) {
    await pauseInits(tx, account.openId, limitedPauseMs);
    await putOff(tx, claim, limitedPauseMs, now());
    return 'over';
  }
  await failSchedule(tx, row, refusalFailure(row.mode, refused.code, refused.message), now());
  return 'over';
}
