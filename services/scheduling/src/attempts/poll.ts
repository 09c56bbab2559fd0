import { dayMs, hourMs } from '@hookline/shared/kernel/durations';
import { askAsAccount } from '../accounts/ask.ts';
import { findAccountForAttempt } from '../accounts/queries.ts';
import type { SchedulingDeps } from '../deps.ts';
import { nextPollAt } from '../timings.ts';
import { claimPolls, findNextPollMs, setNextPoll, stopPolls } from './queries.ts';
import { takeStatusSlot } from './queries-pace.ts';
import type { AttemptRow } from './record.ts';
import { giveUpOnAttempt, settleAttempt } from './settle.ts';

const pollsAtOnceMax = 8;
// A claim outlives a token refresh and a status call, so that one process asks at a time.
const claimedForMs = 30_000;
const pollMaxMs = 60_000;
// A post may be public days after it was delivered: a draft, once its creator has posted it.
const publicIdWithinMs = 3 * dayMs;

export async function pollAttempts(deps: SchedulingDeps): Promise<boolean | Date> {
  const { db, log } = deps;
  const attempts = await claimPolls(db, claimedForMs, pollsAtOnceMax);
  await Promise.all(
    attempts.map(attempt =>
      pollAttempt(deps, attempt).catch(error => log.warn({ err: error }, 'a poll failed')),
    ),
  );
  return attempts.length > 0 ? true : nextPollAt(await findNextPollMs(db), Date.now());
}

/**
 * Pauses grow, within 30 calls a minute per creator; after `outcome_unknown` the platform is asked hourly.
 */
async function pollAttempt(deps: SchedulingDeps, attempt: AttemptRow): Promise<void> {
  const ageMs = deps.now().getTime() - attempt.startedAt.getTime();
  const { db, timings } = deps;
  const isDelivered = attempt.state === 'delivered';
  if (isDelivered && ageMs > publicIdWithinMs) return await stopPolls(db, attempt.id);
  if (attempt.state === 'unknown' && ageMs > timings.pollAgainForMs) return await stopPolls(db, attempt.id);
  const { publishId } = attempt;
  if (publishId !== null && (await takeStatusSlot(deps.db, attempt.openId))) {
    const isSettled = await ask(deps, attempt, publishId);
    if (isSettled) return;
  }
  if (attempt.state === 'unknown')
    return await setNextPoll(db, attempt.id, { stepMs: timings.pollAgainMs, stepMaxMs: timings.pollAgainMs });
  // The platform was asked once more: a last-minute answer is better than none.
  if (!isDelivered && ageMs >= timings.settleWithinMs) return await giveUpOnAttempt(deps, attempt.id);
  const stepMaxMs = isDelivered ? Math.min(hourMs, Math.max(pollMaxMs, ageMs / 8)) : pollMaxMs;
  await setNextPoll(db, attempt.id, { stepMs: timings.firstPollMs, stepMaxMs });
}

async function ask(deps: SchedulingDeps, attempt: AttemptRow, publishId: string): Promise<boolean> {
  const accountId = await findAccountForAttempt(deps.db, attempt.scheduleId);
  if (!accountId) return false;
  const answer = await askAsAccount(deps, accountId, (carrier, token) =>
    carrier.getOutcome(token, publishId),
  );
  if (answer.kind !== 'ok') {
    deps.log.debug({ answer: answer.kind, attempt: attempt.id }, 'a status could not be read');
    return false;
  }
  const outcome = answer.value;
  const saysSomething =
    outcome.kind !== 'open' &&
    !(attempt.state === 'delivered' && !(outcome.kind === 'complete' && outcome.postId));
  if (saysSomething) await settleAttempt(deps, attempt.id, outcome);
  return saysSomething;
}
