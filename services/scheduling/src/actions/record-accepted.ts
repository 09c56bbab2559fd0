import type { Parts } from '../parts.ts';
import { acceptAttempts } from '../queries/begun-attempts.ts';
import { type Claim, lockClaims, parkAll } from '../queries/claims.ts';
import { wakePolls } from '../queries/due-schedules.ts';

export type AcceptedCall = { claim: Claim; attemptId: string; publishId: string };

/**
 * Writes down the platform's yes for a batch of calls, but for claims that another worker took over meanwhile: what
 * became of their calls is settled by the fence, webhooks and status.
 */
export function recordAccepted(
  { db, now, timings }: Pick<Parts, 'db' | 'now' | 'timings'>,
  calls: readonly AcceptedCall[],
): Promise<null[]> {
  return db.transaction(async tx => {
    const mine = await lockClaims(
      tx,
      calls.map(call => call.claim),
    );
    const held = calls.filter(call => mine.has(call.claim.id));
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
    await wakePolls(tx);
    return calls.map(() => null);
  });
}
