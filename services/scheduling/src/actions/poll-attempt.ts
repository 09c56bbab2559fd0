import type { Parts } from '../parts.ts';
import { type AttemptRow, setNextPoll, stopPolls } from '../queries/attempts.ts';
import { takeStatusSlot } from '../queries/creators.ts';
import { findAccountForAttempt } from '../queries/platform-accounts.ts';
import { outcomeOfStatus } from '../rules/outcomes.ts';
import { askAsAccount } from './ask-as-account.ts';
import { giveUpOnAttempt, settleAttempt } from './settle-attempt.ts';

const pollMaxMs = 60_000;
const publicIdWithinMs = 24 * 3_600_000;

/**
 * Asks the platform what became of an attempt, within 30 calls a minute per creator, with growing pauses; hourly once
 * its schedule was given up as `outcome_unknown`.
 */
export async function pollAttempt(parts: Parts, attempt: AttemptRow): Promise<void> {
  const ageMs = parts.now().getTime() - attempt.startedAt.getTime();
  const { db, timings } = parts;
  const isDelivered = attempt.state === 'delivered';
  if (isDelivered && ageMs > publicIdWithinMs) return await stopPolls(db, attempt.id);
  if (attempt.state === 'unknown' && ageMs > timings.lookAgainForMs) return await stopPolls(db, attempt.id);
  const { publishId } = attempt;
  if (publishId !== null && (await takeStatusSlot(parts.db, attempt.openId))) {
    const isSettled = await ask(parts, attempt, publishId);
    if (isSettled) return;
  }
  if (attempt.state === 'unknown')
    return await setNextPoll(db, attempt.id, timings.lookAgainMs, timings.lookAgainMs);
  // Asked once more first: an answer in the last moment is better than none.
  if (!isDelivered && ageMs >= timings.settleWithinMs) return await giveUpOnAttempt(parts, attempt.id);
  await setNextPoll(db, attempt.id, timings.firstPollMs, pollMaxMs);
}

async function ask(parts: Parts, attempt: AttemptRow, publishId: string): Promise<boolean> {
  const accountId = await findAccountForAttempt(parts.db, attempt.scheduleId);
  if (!accountId) return false;
  const answer = await askAsAccount(parts, accountId, token => parts.tiktok.getPostStatus(token, publishId));
  if (answer.kind !== 'ok') {
    parts.log.debug({ answer: answer.kind, attempt: attempt.id }, 'a status could not be read');
    return false;
  }
  const { status, failReason, postIds } = answer.value;
  const outcome = outcomeOfStatus(status, failReason, postIds);
  const saysSomething =
    outcome.kind !== 'open' &&
    !(attempt.state === 'delivered' && !(outcome.kind === 'complete' && outcome.postId));
  if (saysSomething) await settleAttempt(parts, attempt.id, outcome);
  return saysSomething;
}
