import { startWorkerLoop, type WorkerLoop } from '@hookline/shared/kernel';
import { pruneKeys } from '@hookline/shared/postgres';
import type { AutomationDeps } from '../deps.ts';
import { pruneEvents, pruneFirings } from '../queries/retention.ts';

const dayMs = 24 * 3_600_000;
const pollMs = 3_600_000;

/** Keeps events, deliveries and firings for EVENT_RETENTION_DAYS, idempotency records for 24 h. Looks once an hour, and on while it finds much. */
export function startPruneOld({
  db,
  now,
  log,
  retentionDays,
}: Pick<AutomationDeps, 'db' | 'now' | 'log' | 'retentionDays'>): WorkerLoop {
  async function prune(): Promise<boolean> {
    const before = new Date(now().getTime() - retentionDays * dayMs);
    const [keysGone, ...more] = await Promise.all([
      pruneKeys(db, now()),
      pruneEvents(db, before),
      pruneFirings(db, before),
    ]);
    return keysGone === 1_000 || more.includes(true);
  }
  return startWorkerLoop({ name: 'prune-old', work: prune, pollMs, log });
}
