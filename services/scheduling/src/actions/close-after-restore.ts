import type { Transaction } from '@hookline/shared/db';
import { endOpenAttempts, insertRestore, lockUncertain } from '../queries/restores.ts';
import { openPause } from '../queries/sending-pauses.ts';
import { unknownSince } from '../rules/failures.ts';
import { failSchedule } from './end-schedule.ts';

const batchMax = 500;

/**
 * The data are those of `backupAt`, and the platform has gone on since. What was being sent then, and what has become
 * due by now, may be posted already: it ends as `outcome_unknown`, with its event, and never goes out by itself. The
 * rest waits, and nothing is sent until an operator lets it. For the transaction that fills the tables.
 */
export async function closeAfterRestore(
  tx: Transaction,
  { backupAt, now }: { backupAt: Date; now: Date },
): Promise<{ sending: number; overdue: number }> {
  const closed = { sending: 0, overdue: 0 };
  for (;;) {
    const rows = await lockUncertain(tx, now, batchMax);
    for (const row of rows) {
      await endOpenAttempts(tx, row.id, now);
      await failSchedule(tx, row, unknownSince(backupAt), now);
      closed[row.status === 'sending' ? 'sending' : 'overdue'] += 1;
    }
    if (rows.length < batchMax) break;
  }
  await insertRestore(tx, backupAt, now);
  await openPause(tx, `restored from a backup of ${backupAt.toISOString()}`, now);
  return closed;
}
