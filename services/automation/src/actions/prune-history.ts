import { dayMs } from '@hookline/shared/kernel/durations';
import type { AutomationDeps } from '../deps.ts';
import { pruneEvents, pruneFirings } from '../queries/retention.ts';

/**
 * Deletes events, deliveries and ended firings past EVENT_RETENTION_DAYS.
 * @returns true if there may be more.
 */
export async function pruneHistory({
  db,
  now,
  retentionDays,
}: Pick<AutomationDeps, 'db' | 'now' | 'retentionDays'>): Promise<boolean> {
  const before = new Date(now().getTime() - retentionDays * dayMs);
  const more = await Promise.all([pruneEvents(db, before), pruneFirings(db, before)]);
  return more.includes(true);
}
