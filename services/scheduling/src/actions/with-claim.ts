import type { Transaction } from '@hookline/shared/postgres';
import { checkClaim } from '../queries/claimed-schedules.ts';
import type { Claim } from '../queries/claims.ts';
import { lockScheduleById } from '../queries/schedules.ts';
import type { ScheduleRow } from '../records/schedule.ts';

/**
 * Locks the schedule and runs `work` if it still belongs to the claim. Every write of a send goes through
 * this, or through `lockClaims` for a batch.
 * @param work gets the locked row; `isDue` is false if the schedule was moved, or its outcome came, since
 * the claim.
 * @returns null if another worker took over or the schedule is gone.
 */
export async function withClaim<T>(
  tx: Transaction,
  claim: Claim,
  work: (row: ScheduleRow, isDue: boolean) => Promise<T>,
): Promise<T | null> {
  const row = await lockScheduleById(tx, claim.id);
  // A separate statement, under the lock, so that a claim made while this one waited for the lock is seen.
  const { isMine, isDue } = await checkClaim(tx, claim);
  return row && isMine ? await work(row, isDue) : null;
}
