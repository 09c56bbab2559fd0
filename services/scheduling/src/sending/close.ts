/** A call that was not accepted is closed, which decides how its schedule continues. */
import { fenceAttempt, findOpenAttempt, setAttemptState } from '../attempts/queries.ts';
import { pauseInits } from '../attempts/queries-pace.ts';
import type { SchedulingDeps } from '../deps.ts';
import type { Answer, Carrier } from '../platform/carrier.rules.ts';
import { refusalFailure, unreachable } from '../platform/failures.rules.ts';
import { nextTryMs } from '../schedules/lateness.rules.ts';
import { addTimeline } from '../schedules/queries-timeline.ts';
import { failSchedule } from '../schedules/transition.ts';
import { type LockedClaim, withClaim } from './claim.ts';
import type { Claim } from './queries.ts';
import { addTry, park } from './queries-claimed.ts';
import { deferOrFail, putOff } from './release.ts';

/** The send is over, or goes on with another attempt, under a new token if need be. */
export type AfterClose = 'over' | 'again' | 'new-token';

type Unaccepted = Exclude<Answer<never>, { kind: 'ok' }>;

type Call = { attemptId: string; openId: string; carrier: Carrier };
type Closing = LockedClaim & Pick<SchedulingDeps, 'timings'> & Call;

const limitedPauseMs = 60_500;

/** Nothing is written if another worker took over. */
export async function closeAttempt(
  deps: Pick<SchedulingDeps, 'db' | 'now' | 'timings'>,
  { claim, ...call }: { claim: Claim } & Call,
  answer: Unaccepted,
): Promise<AfterClose> {
  const next = await withClaim(deps, claim, locked =>
    closeLocked({ ...locked, timings: deps.timings, ...call }, answer),
  );
  return next ?? 'over';
}

async function closeLocked(closing: Closing, answer: Unaccepted): Promise<AfterClose> {
  const { tx, claim, row, attemptId, carrier, timings } = closing;
  switch (answer.kind) {
    case 'ambiguous': {
      if (!(await closeSilentAttempt(closing, `no answer (${answer.reason})`))) return 'over';
      // The first time the call is repeated at once; a platform that stays silent gets pauses.
      if (row.tries === 0) {
        await addTry(tx, claim);
        return 'again';
      }
      await deferOrFail(closing, timings, unreachable(carrier, row.mode, answer.reason));
      return 'over';
    }
    case 'unreachable': {
      if (!(await fenceAttempt(closing, attemptId, 'unreachable')))
        return await contradicted(closing, answer.reason);
      await addTimeline(closing, claim.id, 'unreachable', answer.reason);
      const failure = unreachable(carrier, row.mode, answer.reason);
      if (isAwaited(closing)) await failSchedule(closing, row, failure);
      else await deferOrFail(closing, timings, failure);
      return 'over';
    }
    case 'refused':
      if (!(await fenceAttempt(closing, attemptId, 'refused')))
        return await contradicted(closing, answer.code);
      await addTimeline(closing, claim.id, 'refused', `${answer.code}: ${answer.message}`);
      return await endRefused(closing, answer);
  }
}

/** The request that created the schedule waits for the answer still (D-43): it was not paced or paused for longer. */
function isAwaited({ row, now, timings }: Pick<Closing, 'row' | 'now' | 'timings'>): boolean {
  return row.isImmediate && now.getTime() - row.createdAt.getTime() < timings.postNowWaitMs;
}

/**
 * @returns true: the attempt is fenced, and a new one is safe at once. False: a pull is recorded, so the call
 * arrived and is never repeated; the schedule waits for the platform's report.
 */
export async function closeSilentAttempt(
  closing: Omit<Closing, 'openId' | 'carrier'>,
  reason: string,
): Promise<boolean> {
  const { tx, claim, attemptId, timings } = closing;
  if (await fenceAttempt(closing, attemptId)) {
    const detail = `${reason}; its links are closed, so it cannot become a post`;
    await addTimeline(closing, claim.id, 'attempt_closed', detail);
    return true;
  }
  const open = await findOpenAttempt(tx, claim.id);
  if (open?.state === 'calling') {
    await setAttemptState(closing, attemptId, 'unconfirmed', timings.settleWithinMs);
    const detail = `${reason}; slides were pulled, so it is not sent again`;
    await addTimeline(closing, claim.id, 'unconfirmed', detail);
  }
  await park(tx, claim);
  return false;
}

/** The platform refused the call but pulled a slide: the pull counts. */
async function contradicted(closing: Closing, answer: string): Promise<AfterClose> {
  await closeSilentAttempt(closing, `the answer was ${answer}`);
  return 'over';
}

async function endRefused(
  closing: Closing,
  { code, message }: { code: string; message: string },
): Promise<AfterClose> {
  const { tx, row, timings, now, openId, carrier } = closing;
  if (code === 'access_token_invalid') return 'new-token';
  if (code === 'rate_limit_exceeded' && nextTryMs(row, timings, now) !== null) {
    await pauseInits(tx, openId, limitedPauseMs);
    await putOff(closing, limitedPauseMs);
    return 'over';
  }
  await failSchedule(closing, row, refusalFailure(carrier, row.mode, code, message));
  return 'over';
}
