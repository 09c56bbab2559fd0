import { dayMs, hourMs } from '@hookline/shared/kernel/durations';
import type { Worker } from '@hookline/shared/service';
import type { AutomationDeps } from '../deps.ts';
import { pruneEvents, pruneFirings } from './queries.ts';

/** Polls once an hour, and on while there is more. */
export function pruneOldWorker(deps: AutomationDeps): Worker {
  return { name: 'prune-old', work: () => pruneHistory(deps), pollMs: hourMs };
}

/**
 * Deletes events, deliveries and ended firings past EVENT_RETENTION_DAYS.
 * @returns true if there may be more.
 */
async function pruneHistory({
  db,
  now,
  retentionDays,
}: Pick<AutomationDeps, 'db' | 'now' | 'retentionDays'>): Promise<boolean> {
  const before = new Date(now().getTime() - retentionDays * dayMs);
  const more = await Promise.all([pruneEvents(db, before), pruneFirings(db, before)]);
  return more.includes(true);
}
