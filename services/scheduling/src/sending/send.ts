/** The posting protocol makes at most one post, even after a crash: permit, attempt row, one call, answer. */
import { setTimeout as delay } from 'node:timers/promises';
import { doLaterWork } from '@hookline/shared/kernel';
import { isConnectionError, isPassingFault } from '@hookline/shared/postgres';
import { getPlatformAccount, type StoredTokens } from '../accounts/queries.ts';
import { getAccessToken } from '../accounts/tokens.ts';
import { findOpenAttempt } from '../attempts/queries.ts';
import type { SchedulingDeps } from '../deps.ts';
import { measureLateness, schedulingMetrics } from '../metrics.ts';
import { carrierOf } from '../platform/carrier.rules.ts';
import { accountFailure } from '../platform/failures.rules.ts';
import type { AcceptedCall } from './batches.ts';
import type { HeldClaim } from './claim.ts';
import { withClaim } from './claim.ts';
import { closeAttempt, closeSilentAttempt } from './close.ts';
import { findAccountFailure, platformRetry, preparePost, renewalRetry, type ToSend } from './prepare.ts';
import type { Claim } from './queries.ts';
import { release } from './queries-claimed.ts';
import { releaseClaim } from './release.ts';

// A deadlock is over at once; a lost connection takes until a new one is made. A lease lasts 8 s.
const acceptPauseMs = 50;
const acceptPauseMaxMs = 1_000;

/** The tokens and the sequence of the last event are known right after the claim. */
type Opened = ToSend & { tokens?: StoredTokens };

/** Advances the schedule as far as possible now. Every write is guarded by the claim's fence. */
export function sendSchedule(deps: SchedulingDeps, claim: HeldClaim): Promise<void> {
  const { requestId, traceparent, createdAt } = claim.row;
  return doLaterWork(
    schedulingMetrics.spans.send,
    { requestId, traceparent, at: createdAt },
    deps.now(),
    () => send(deps, claim),
  );
}

async function send(deps: SchedulingDeps, claim: HeldClaim): Promise<void> {
  const { batches, now } = deps;
  const carrier = carrierOf(deps, claim.account);
  let rejectedToken: string | undefined;
  // The claim's data are fresh; after a call without an answer all of it is read again.
  let opened: Opened | null = claim.row.hasOpenAttempt ? await openSend(deps, claim) : claim;
  for (; opened; opened = await openSend(deps, claim)) {
    const { row, account } = opened;
    const failure = findAccountFailure(account);
    if (failure) return releaseClaim(deps, claim, { kind: 'fail', failure });
    if (account.kind === 'phone') {
      const ready = await preparePost(deps, opened);
      const isReady = ready.kind === 'ready';
      return releaseClaim(deps, claim, isReady ? { kind: 'hand_over', post: ready.value } : ready);
    }
    // The token comes first: a schedule that waits for its turn must not keep content's permit.
    const token = await getAccessToken(deps, account.id, { rejected: rejectedToken, tokens: opened.tokens });
    if (token.kind === 'account') {
      return releaseClaim(deps, claim, { kind: 'fail', failure: accountFailure(token.code) });
    }
    if (token.kind === 'not_renewed') {
      return releaseClaim(deps, claim, renewalRetry(token));
    }
    if (token.kind === 'unavailable') {
      const { reason, hasNoTurn } = token;
      return releaseClaim(deps, claim, hasNoTurn ? { kind: 'queue' } : platformRetry(carrier, row, reason));
    }
    const step = await preparePost(deps, opened);
    if (step.kind !== 'ready') return releaseClaim(deps, claim, step);
    const prepared = step.value;
    const attempt = await batches.begin({ claim, openId: account.openId, content: prepared });
    if (!attempt) return;
    // After the lease another worker may have closed this attempt: a call now would be wasted at best.
    const post = { ...prepared.post, imageUrls: attempt.imageUrls };
    if (rejectedToken === undefined) measureLateness(row, now());
    const answer = await carrier.send(token.token, post, claim.hasLease);
    if (answer.kind === 'unreachable' && !claim.hasLease()) return;
    if (answer.kind === 'ok') {
      return recordAccepted(deps, claim, { attemptId: attempt.id, publishId: answer.value.publishId });
    }
    const call = { attemptId: attempt.id, openId: account.openId, carrier };
    const next = await closeAttempt(deps, { claim, ...call }, answer);
    if (next === 'over') return;
    if (next === 'new-token') {
      if (rejectedToken !== undefined) {
        const failure = accountFailure('account_needs_reauth');
        return releaseClaim(deps, claim, { kind: 'fail', failure });
      }
      rejectedToken = token.token;
    }
  }
}

/**
 * Faults that pass are tried again while the claim holds: without its id a post cannot be polled, and one
 * whose slides were pulled blocks its creator for 70 minutes. A write whose commit got no answer released the
 * claim if it was done, so its repeat changes nothing.
 */
async function recordAccepted(
  { batches, log }: Pick<SchedulingDeps, 'batches' | 'log'>,
  claim: HeldClaim,
  accepted: Omit<AcceptedCall, 'claim'>,
): Promise<void> {
  for (let pauseMs = acceptPauseMs; ; pauseMs = Math.min(2 * pauseMs, acceptPauseMaxMs)) {
    try {
      await batches.accept({ claim, ...accepted });
      return;
    } catch (error) {
      const isPassing = isConnectionError(error) || isPassingFault(error);
      if (isPassing) await delay(pauseMs);
      if (isPassing && claim.hasLease()) continue;
      log.error(
        { schedule: claim.id, ...accepted },
        'the publish id of an accepted post could not be recorded',
      );
      throw error;
    }
  }
}

/** A dead worker may have left a call behind, which is settled first. Null: nothing more to do now. */
function openSend(deps: SchedulingDeps, claim: Claim): Promise<Opened | null> {
  return withClaim(deps, claim, async locked => {
    const { tx, row } = locked;
    if (!locked.isDue) {
      // The webhook or a status call was faster: an accepted call waits for its outcome.
      await release(tx, claim);
      return null;
    }
    const open = await findOpenAttempt(tx, claim.id);
    const closing = open && { ...locked, timings: deps.timings, attemptId: open.id };
    const isSafe = !closing || (await closeSilentAttempt(closing, 'the worker died during the call'));
    return isSafe ? { row, account: await getPlatformAccount(tx, row.platformAccountId) } : null;
  });
}
