/** The posting protocol for one claimed schedule: permit, attempt row, one call, answer. At most one post, whatever dies. */
import { createHash, randomBytes } from 'node:crypto';
import type { Transaction } from '@hookline/shared/db';
import { newId } from '@hookline/shared/ids';
import type { Parts } from '../parts.ts';
import type { Answer } from '../platform/platform-http.ts';
import {
  acceptAttempt,
  fenceAttempt,
  findOpenAttempt,
  hasOpenCall,
  insertAttempt,
  setAttemptState,
} from '../queries/attempts.ts';
import { isCreatorBusy, lockCreator, pauseInits, takeInitSlot } from '../queries/creators.ts';
import {
  type Claim,
  checkClaim,
  countTry,
  defer,
  letGo,
  park,
  setPrepared,
  startSending,
  wakeWorkers,
} from '../queries/due-schedules.ts';
import { getPlatformAccount, type PlatformAccount } from '../queries/platform-accounts.ts';
import { lockScheduleById, type ScheduleRow } from '../queries/schedules.ts';
import { addTimeline } from '../queries/timeline.ts';
import { accountFailure, platformFailure, unreachable } from '../rules/failures.ts';
import { getAccessToken } from './access-token.ts';
import { failSchedule } from './end-schedule.ts';
import { type Prepared, preparePost } from './prepare-post.ts';
import { deferOrEnd, fail, retryLater, triesMax } from './stop-sending.ts';

/** A claim in hand. `isHeld` turns false once the lease could not be renewed in time: no call may start then. */
export type HeldClaim = Claim & { isHeld(): boolean };

const limitedPauseMs = 60_500;
// How long after its start an open call of another schedule is waited for; its end wakes us anyway.
const blockedMs = 1_000;

/** Takes the schedule as far as it goes now. Every write is made under the claim's fencing token. */
export async function sendSchedule(parts: Parts, claim: HeldClaim): Promise<void> {
  let rejectedToken: string | undefined;
  for (;;) {
    const opened = await openSend(parts, claim);
    if (!opened) return;
    const { row, account } = opened;
    const prepared = await preparePost(parts, claim, row, account);
    if (!prepared) return;
    const token = await getAccessToken(parts, account.id, rejectedToken);
    if (token.kind === 'account') return fail(parts, claim, accountFailure(token.code));
    if (token.kind === 'unavailable') return retryLater(parts, claim, token.reason);
    const attempt = await beginAttempt(parts, claim, account, prepared);
    if (!attempt) return;
    // Past the lease another worker may already have closed this attempt: a call now would be wasted at best.
    const post = { ...prepared.post, imageUrls: attempt.imageUrls };
    const answer = await parts.tiktok.initPhotoPost(token.token, post, claim.isHeld);
    if (answer.kind === 'unreachable' && !claim.isHeld()) return;
    const next = await recordAnswer(parts, claim, attempt.id, account, answer);
    if (next === 'over') return;
    if (next === 'new-token') {
      if (rejectedToken !== undefined) return fail(parts, claim, accountFailure('account_needs_reauth'));
      rejectedToken = token.token;
    }
  }
}

/** Locks, checks the claim, and settles a call that a dead worker left behind. Null: nothing more to do now. */
function openSend(
  parts: Parts,
  claim: HeldClaim,
): Promise<{ row: ScheduleRow; account: PlatformAccount } | null> {
  const { db, now } = parts;
  return db.transaction(async tx => {
    const row = await lockScheduleById(tx, claim.id);
    const { isMine, isDue } = await checkClaim(tx, claim);
    if (!row || !isMine) return null;
    if (!isDue) {
      // Moved meanwhile: the claim was for the old time.
      await letGo(tx, claim);
      return null;
    }
    const open = await findOpenAttempt(tx, claim.id);
    if (open && !(await settleSilence(tx, parts, claim, open.id, 'the worker died during the call')))
      return null;
    const account = await getPlatformAccount(tx, row.platformAccountId);
    if (row.status === 'pending') {
      await lockCreator(tx, account.openId);
      if (await isCreatorBusy(tx, account.openId, claim.id)) {
        await letGo(tx, claim);
        return null;
      }
      await startSending(tx, claim.id, now());
      await addTimeline(tx, claim.id, now(), 'sending');
    }
    return { row: { ...row, status: 'sending' }, account };
  });
}

/**
 * No answer came. Fenced, a new attempt is safe at once (true); with a pull recorded the call arrived and is never
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
  await wakeWorkers(tx);
  return false;
}

type Begun = { id: string; imageUrls: string[] };

/** Commits the attempt with its own links before the call (step 1 of the protocol). Null: paced, or another call is open. */
function beginAttempt(
  { db, now, publicUrl }: Parts,
  claim: HeldClaim,
  account: PlatformAccount,
  prepared: Prepared,
): Promise<Begun | null> {
  const token = randomBytes(24).toString('base64url');
  const id = newId('attempt', now().getTime());
  return db.transaction(async tx => {
    const row = await lockScheduleById(tx, claim.id);
    const { isMine } = await checkClaim(tx, claim);
    if (!row || !isMine) return null;
    await lockCreator(tx, account.openId);
    if (await hasOpenCall(tx, account.openId)) {
      await defer(tx, claim, blockedMs, false);
      return null;
    }
    const waitMs = await takeInitSlot(tx, account.openId);
    if (waitMs > 0) {
      await addTimeline(
        tx,
        claim.id,
        now(),
        'paced',
        `${Math.ceil(waitMs / 1_000)} s until the account's next post`,
      );
      await defer(tx, claim, waitMs, false);
      return null;
    }
    await setPrepared(tx, claim, prepared);
    await insertAttempt(tx, {
      id,
      scheduleId: claim.id,
      openId: account.openId,
      fence: claim.fence,
      mediaDigest: createHash('sha256').update(token).digest(),
      imageIds: prepared.imageIds,
      startedAt: now(),
    });
    await addTimeline(tx, claim.id, now(), 'attempt_started', id);
    const imageUrls = prepared.imageIds.map((_, at) => `${publicUrl}/media/posts/${token}/${at + 1}`);
    return { id, imageUrls };
  });
}

type Next = 'over' | 'again' | 'new-token';

/** Writes the answer down, unless another worker took over meanwhile. */
function recordAnswer(
  parts: Parts,
  claim: HeldClaim,
  attemptId: string,
  account: PlatformAccount,
  answer: Answer<{ publishId: string }>,
): Promise<Next> {
  const { db, now, timings } = parts;
  return db.transaction(async tx => {
    const current = await lockScheduleById(tx, claim.id);
    const { isMine } = await checkClaim(tx, claim);
    if (!current || !isMine) return 'over';
    switch (answer.kind) {
      case 'ok':
        await acceptAttempt(tx, attemptId, answer.value.publishId, timings.firstPollMs);
        await addTimeline(tx, claim.id, now(), 'accepted', answer.value.publishId);
        await park(tx, claim);
        await wakeWorkers(tx);
        return 'over';
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
        await setAttemptState(tx, attemptId, 'unreachable', now());
        await addTimeline(tx, claim.id, now(), 'unreachable', answer.reason);
        if (current.isImmediate) {
          await failSchedule(tx, current, unreachable(current.mode, answer.reason), now());
        } else await deferOrEnd(tx, parts, claim, current, answer.reason);
        return 'over';
      case 'refused':
        await setAttemptState(tx, attemptId, 'refused', now());
        await addTimeline(tx, claim.id, now(), 'refused', `${answer.code}: ${answer.message}`);
        return await recordRefusal(tx, parts, claim, current, account, answer);
    }
  });
}

async function recordRefusal(
  tx: Transaction,
  { now }: Parts,
  claim: Claim,
  row: ScheduleRow,
  account: PlatformAccount,
  refused: { code: string; message: string },
): Promise<Next> {
  if (refused.code === 'access_token_invalid') return 'new-token';
  if (refused.code === 'rate_limit_exceeded' && row.tries < triesMax) {
    await pauseInits(tx, account.openId, limitedPauseMs);
    await defer(tx, claim, limitedPauseMs, true);
    return 'over';
  }
  const failure =
    refused.code === 'scope_not_authorized'
      ? accountFailure('account_needs_reauth')
      : platformFailure(row.mode, refused.code, refused.message);
  await failSchedule(tx, row, failure, now());
  return 'over';
}
