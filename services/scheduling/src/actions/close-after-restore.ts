import type { Transaction } from '@hookline/shared/postgres';
import { forgetServer } from '../queries/database-witness.ts';
import { endOpenAttempts, insertRestore, lockUncertain } from '../queries/restores.ts';
import { findOpenPause, openPause } from '../queries/sending-pauses.ts';
import { unknownSince } from '../rules/failures.ts';
import { failSchedule } from './record-transition.ts';

const batchMax = 500;

/**
 * The data are those of `backupAt`, and the platform has moved on since. Schedules that were being sent then,
 * or have become due since, may already be posted: they end as `outcome_unknown`, with an event, and are
 * never sent again automatically. The others wait, and nothing is sent until an operator resumes sending.
 * Runs in the transaction of the whole restore.
 */
export async function closeAfterRestore(
  tx: Transaction,
  { backupAt, now }: { backupAt: Date; now: Date },
): Promise<{ sending: number; overdue: number }> {
  const closed = { sending: 0, overdue: 0 };
  // Nothing was sent from this database since a pause on it began, so schedules that became due
  // later still wait. A pause from before the backup came back with the data: it may have ended
  // since, with posts after its end.
  const pause = await findOpenPause(tx);
  const isSince = pause !== null && pause.cause !== 'failover' && pause.pausedAt > backupAt;
  const until = isSince ? pause.pausedAt : now;
  for (;;) {
    const rows = await lockUncertain(tx, until, batchMax);
    for (const row of rows) {
      await endOpenAttempts(tx, row.id, now);
      await failSchedule(tx, row, unknownSince(backupAt), now);
      closed[row.status === 'sending' ? 'sending' : 'overdue'] += 1;
    }
    if (rows.length < batchMax) break;
  }
  await insertRestore(tx, backupAt, now);
  await openPause(tx, { reason: `restored to ${backupAt.toISOString()}`, cause: 'restored' }, now);
  await forgetServer(tx);
  return closed;
}
