/** The posting protocol for one claimed schedule: permit, attempt row, one call, answer. At most one post, whatever dies. */

import { createGatherer, doLaterWork } from '@hookline/shared/kernel';
import { isConnectionError, type Transaction } from '@hookline/shared/postgres';
import type { Parts } from '../parts.ts';
import type { Answer } from '../platform/platform-http.ts';
import { noteCall } from '../posting-metrics.ts';
import { fenceAttempt, findOpenAttempt, setAttemptState } from '../queries/attempts.ts';
import type { Claim } from '../queries/claims.ts';
import { pauseInits } from '../queries/creators.ts';
import { checkClaim, countTry, letGo, park } from '../queries/due-schedules.ts';
import { getPlatformAccount, type PlatformAccount, type StoredTokens } from '../queries/platform-accounts.ts';
import { lockScheduleById, type ScheduleRow } from '../queries/schedules.ts';
import { addTimeline } from '../queries/timeline.ts';
import { accountFailure, platformFailure, unreachable } from '../rules/failures.ts';
import { nextTryMs } from '../rules/try-again.ts';
import { getAccessToken } from './access-token.ts';
import { type AskPermit, createPermitAsker } from './ask-permit.ts';
import { type Beginning, type Begun, beginAttempts } from './begin-attempts.ts';
import type { Claimed } from './claim-due.ts';
import { failSchedule } from './end-schedule.ts';
import { preparePost } from './prepare-post.ts';
import { type AcceptedCall, recordAccepted } from './record-accepted.ts';
import { deferOrEnd, fail, putOff, retryLater } from './stop-sending.ts';
import type { DatabaseWatch } from './watch-database.ts';

/** A claim in hand. `isHeld` turns false once the lease could not be renewed in time: no call may start then. */
export type HeldClaim = Claimed & { isHeld(): boolean };

export type Sender = (claim: HeldClaim) => Promise<void>;

type Opened = { row: ScheduleRow; account: PlatformAccount; tokens?: StoredTokens; lastSequence?: number };
type Gathered = {
  ask: AskPermit;
  begin: (beginning: Beginning) => Promise<Begun>;
  accept: (call: AcceptedCall) => Promise<null>;
};
type Next = 'over' | 'again' | 'new-token';

const limitedPauseMs = 60_500;
const batchMax = 32;

/** A sender of one process: what its sends write before and after their calls goes together where they meet. */
export function createSender(parts: Parts, watch: DatabaseWatch): Sender {
  const begin = createGatherer<Beginning, Begun>(
    items => beginAttempts(parts, items, watch),
    batchMax,
    isConnectionError,
  );
  const accept = createGatherer<AcceptedCall, null>(
    items => recordAccepted(parts, items),
    batchMax,
    isConnectionError,
  );
  const ask = createPermitAsker(parts, batchMax);
  return claim => {
    const { requestId, traceparent, createdAt } = claim.row;
    return doLaterWork('send schedule', { requestId, traceparent, at: createdAt }, parts.now(), () =>
      sendSchedule(parts, claim, { ask, begin, accept }),
    );
  };
}

/** Takes the schedule as far as it goes now. Every write is made under the claim's fencing token. */
async function sendSchedule(parts: Parts, claim: HeldClaim, { ask, begin, accept }: Gathered): Promise<void> {
  let rejectedToken: string | undefined;
  // Fresh from the claim; after a call without an answer all of it is read again.
  let opened: Opened | null = claim.row.hasOpenAttempt ? await openSend(parts, claim) : claim;
  for (; opened; opened = await openSend(parts, claim)) {
    const { row, account } = opened;
    const prepared = await preparePost(parts, claim, row, account, ask, opened.lastSequence);
    if (!prepared) return;
    const token = await getAccessToken(parts, account.id, rejectedToken, opened.tokens);
    if (token.kind === 'account') return fail(parts, claim, accountFailure(token.code));
    if (token.kind === 'unavailable') return retryLater(parts, claim, token.reason);
    const attempt = await begin({ claim, openId: account.openId, prepared });
    if (!attempt) return;
    // Past the lease another worker may already have closed this attempt: a call now would be wasted at best.
    const post = { ...prepared.post, imageUrls: attempt.imageUrls };
    if (rejectedToken === undefined) noteCall(row, parts.now());
    const answer = await parts.tiktok.initPhotoPost(token.token, post, claim.isHeld);
    if (answer.kind === 'unreachable' && !claim.isHeld()) return;
    if (answer.kind === 'ok') {
      await accept({ claim, attemptId: attempt.id, publishId: answer.value.publishId });
      return;
    }
    const next = await recordAnswer(parts, claim, attempt.id, account, answer);
    if (next === 'over') return;
    if (next === 'new-token') {
      if (rejectedToken !== undefined) return fail(parts, claim, accountFailure('account_needs_reauth'));
      rejectedToken = token.token;
    }
  }
}

/** Locks, checks the claim, and settles a call that a dead worker left behind. Null: nothing more to do now. */
function openSend(parts: Parts, claim: Claim): Promise<Opened | null> {
  return parts.db.transaction(async tx => {
    const row = await lockScheduleById(tx, claim.id);
    const { isMine, isDue } = await checkClaim(tx, claim);
    if (!row || !isMine) return null;
    if (!isDue) {
      // The webhook or a status call was faster: an accepted call waits for its outcome.
      await letGo(tx, claim);
      return null;
    }
    const open = await findOpenAttempt(tx, claim.id);
    if (open && !(await settleSilence(tx, parts, claim, open.id, 'the worker died during the call')))
      return null;
    return { row, account: await getPlatformAccount(tx, row.platformAccountId) };
  });
}

/**
 * No answer came, or one that a recorded pull contradicts. Fenced, a new attempt is safe at once (true); with a pull recorded the call arrived and is never
 * repeated: the schedule waits for the platform's webhook (false).
 */
async function settleSilence(
  tx: Transaction,
  { now, timings }: Parts,
  claim: Claim,
  attemptId: string,
  reason: string,
): Promise<boolean> {
  if (await fenceAttempt(tx, attemptId, now())) {
    await addTimeline(
      tx,
      claim.id,
      now(),
      'attempt_closed',
      `${reason}; no slide was pulled, its links are closed`,
    );
    return true;
  }
  const open = await findOpenAttempt(tx, claim.id);
  if (open?.state === 'calling') {
    await setAttemptState(tx, attemptId, 'unconfirmed', now(), timings.settleWithinMs);
    await addTimeline(
      tx,
      claim.id,
      now(),
      'unconfirmed',
      `${reason}; slides were pulled, so it is not sent again`,
    );
  }
  await park(tx, claim);
  return false;
}

/** Writes an answer that is no yes down, unless another worker took over meanwhile. */
function recordAnswer(
  parts: Parts,
  claim: Claim,
  attemptId: string,
  account: PlatformAccount,
  answer: Exclude<Answer<never>, { kind: 'ok' }>,
): Promise<Next> {
  const { db, now } = parts;
  return db.transaction(async tx => {
    const current = await lockScheduleById(tx, claim.id);
    const { isMine } = await checkClaim(tx, claim);
    if (!current || !isMine) return 'over';
    switch (answer.kind) {
      case 'ambiguous': {
        if (!(await settleSilence(tx, parts, claim, attemptId, `no answer (${answer.reason})`)))
          return 'over';
        // The first is repeated at once; a platform that keeps silent gets pauses.
        if (current.tries === 0) {
          await countTry(tx, claim);
          return 'again';
        }
        await deferOrEnd(tx, parts, claim, current, answer.reason);
        return 'over';
      }
      case 'unreachable':
        if (!(await fenceAttempt(tx, attemptId, now(), 'unreachable')))
          return await contradicted(tx, parts, claim, attemptId, answer.reason);
        await addTimeline(tx, claim.id, now(), 'unreachable', answer.reason);
        if (current.isImmediate) {
          await failSchedule(tx, current, unreachable(current.mode, answer.reason), now());
        } else await deferOrEnd(tx, parts, claim, current, answer.reason);
        return 'over';
      case 'refused':
        if (!(await fenceAttempt(tx, attemptId, now(), 'refused')))
          return await contradicted(tx, parts, claim, attemptId, answer.code);
        await addTimeline(tx, claim.id, now(), 'refused', `${answer.code}: ${answer.message}`);
        return await recordRefusal(tx, parts, claim, current, account, answer);
    }
  });
}

/** The platform said no, and yet it pulled: what it does counts, not what it says. */
async function contradicted(
  tx: Transaction,
  parts: Parts,
  claim: Claim,
  attemptId: string,
  said: string,
): Promise<Next> {
  await settleSilence(tx, parts, claim, attemptId, `the answer was ${said}`);
  return 'over';
}

async function recordRefusal(
  tx: Transaction,
  { now, timings }: Parts,
  claim: Claim,
  row: ScheduleRow,
  account: PlatformAccount,
  refused: { code: string; message: string },
): Promise<Next> {
  if (refused.code === 'access_token_invalid') return 'new-token';
  if (refused.code === 'rate_limit_exceeded' && nextTryMs(row, timings, now()) !== null) {
    await pauseInits(tx, account.openId, limitedPauseMs);
    await putOff(tx, claim, limitedPauseMs, now());
    return 'over';
  }
  const failure =
    refused.code === 'scope_not_authorized'
      ? accountFailure('account_needs_reauth')
      : platformFailure(row.mode, refused.code, refused.message);
  await failSchedule(tx, row, failure, now());
  return 'over';
}
