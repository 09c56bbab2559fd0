import type { Transaction } from '@hookline/shared/postgres';
import { wakeSenders } from '../channels.ts';
import type { SchedulingDeps } from '../deps.ts';
import { findOpenPause, openPause } from '../pauses/queries.ts';
import { forgetServer } from '../pauses/queries-witness.ts';
import { keptBackSince, unknownSince } from '../platform/failures.rules.ts';
import { failSchedule } from '../schedules/transition.ts';
import type { Evidence } from './evidence.ts';
import { endOpenAttempts, insertRestore, keepBack, lockUncertain, releaseKeptBack } from './queries.ts';

const batchMax = 500;

export type Closed = { sending: number; overdue: number; onBus: number; keptBack: number };

/**
 * The data are those of `backupAt`, and the platform has moved on since. Schedules that were being sent then,
 * have become due since, or have later events on the bus may already be posted: they end as `outcome_unknown`
 * and are never sent again automatically. Without a bus that reaches back to the backup, what waited for a
 * person's post ends so too, and any of the others may have been moved to an earlier time and sent: they are
 * kept back for a person. Nothing is sent until an operator resumes sending. Runs in the transaction of the
 * whole restore.
 * @param evidence null: no bus outlived the loss
 */
export async function closeAfterRestore(
  tx: Transaction,
  { backupAt, now, evidence }: { backupAt: Date; now: Date; evidence: Evidence | null },
): Promise<Closed> {
  const closed = { sending: 0, overdue: 0, onBus: 0, keptBack: 0 };
  // Nothing was sent from this database since a pause on it began, so schedules that became due later still
  // wait. A pause from before the backup came back with the data: it may have ended since, with posts after
  // its end.
  const pause = await findOpenPause(tx);
  const isSince = pause !== null && pause.cause !== 'failover' && pause.pausedAt > backupAt;
  const until = isSince ? pause.pausedAt : now;
  const scheduleIds = [...(evidence?.scheduleIds ?? [])];
  const isWhole = evidence?.isWhole ?? false;
  for (;;) {
    const rows = await lockUncertain(tx, { until, scheduleIds, isWhole }, batchMax);
    for (const row of rows) {
      await endOpenAttempts(tx, row.id, now);
      await failSchedule({ tx, now }, row, unknownSince(backupAt));
      if (row.status === 'sending') closed.sending += 1;
      else closed[evidence?.scheduleIds.has(row.id) ? 'onBus' : 'overdue'] += 1;
    }
    if (rows.length < batchMax) break;
  }
  if (!isWhole) closed.keptBack = await keepBack({ tx, now }, backupAt, keptBackSince(backupAt));
  await insertRestore(tx, backupAt, now);
  await openPause(tx, { reason: `restored to ${backupAt.toISOString()}`, cause: 'restored' }, now);
  await forgetServer(tx);
  return closed;
}

/** An operator has looked at TikTok: what is kept back goes out at its time, or ends as `missed`. */
export async function releaseAllKeptBack({ db, now }: Pick<SchedulingDeps, 'db' | 'now'>): Promise<number> {
  for (let total = 0; ; ) {
    const count = await db.transaction(async tx => {
      wakeSenders(tx);
      return await releaseKeptBack(tx, now(), batchMax);
    });
    total += count;
    if (count < batchMax) return total;
  }
}
