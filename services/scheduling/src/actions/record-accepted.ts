import { isUniqueViolation } from '@hookline/shared/postgres';
import type { Parts } from '../parts.ts';
import { acceptAttempts, takeIdsFromClosed } from '../queries/begun-attempts.ts';
import { type Claim, lockClaims, parkAll } from '../queries/claims.ts';
import { wakePolls } from '../queries/due-schedules.ts';

type Needed = Pick<Parts, 'db' | 'now' | 'timings'>;

export type AcceptedCall = { claim: Claim; attemptId: string; publishId: string };

/**
 * Writes down the platform's yes for a batch of calls, but for claims that another worker took over meanwhile: what
 * became of their calls is settled by the fence, webhooks and status.
 */
export async function recordAccepted(parts: Needed, calls: readonly AcceptedCall[]): Promise<null[]> {
  try {
    return await write(parts, calls, false);
  } catch (error) {
    if (!isUniqueViolation(error, 'attempts_publish_id')) throw error;
    // News of a failure was faster than the answer, and was taken for that of an older call without an id.
    return await write(parts, calls, true);
  }
}

function write(
  { db, now, timings }: Needed,
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
    await acceptAttempts(
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
