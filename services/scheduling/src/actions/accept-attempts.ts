import { type Database, isUniqueViolation } from '@hookline/shared/postgres';
import { wakePolls } from '../channels.ts';
import { setAttemptsAccepted, takeIdsFromClosed } from '../queries/begun-attempts.ts';
import { type Claim, lockClaims, parkAll } from '../queries/claims.ts';
import type { Timings } from '../timings.ts';

export type AcceptDeps = { db: Database; now: () => Date; timings: Pick<Timings, 'firstPollMs'> };

export type AcceptedCall = { claim: Claim; attemptId: string; publishId: string };

/**
 * Records that the platform accepted a batch of calls. Skips claims that another worker took over: the
 * outcomes of their calls are settled by the fence, webhooks and status calls.
 */
export async function acceptAttempts(deps: AcceptDeps, calls: readonly AcceptedCall[]): Promise<null[]> {
  try {
    return await write(deps, calls, false);
  } catch (error) {
    if (!isUniqueViolation(error, 'attempts_publish_id')) throw error;
    // A report of a failure arrived before the answer and was attributed to an older call without an id.
    return await write(deps, calls, true);
  }
}

function write(
  { db, now, timings }: AcceptDeps,
  calls: readonly AcceptedCall[],
  takesIds: boolean,
): Promise<null[]> {
  return db.transaction(async tx => {
    const mine = await lockClaims(
      tx,
      calls.map(call => call.claim),
    );
    const held = calls.filter(call => mine.has(call.claim.id));
    if (takesIds) {
      await takeIdsFromClosed(
        tx,
        held.map(call => call.publishId),
      );
    }
    await setAttemptsAccepted(
      tx,
      held.map(({ claim, attemptId, publishId }) => ({ scheduleId: claim.id, attemptId, publishId })),
      timings.firstPollMs,
      now(),
    );
    await parkAll(
      tx,
      held.map(call => call.claim),
    );
    wakePolls(tx);
    return calls.map(() => null);
  });
}
