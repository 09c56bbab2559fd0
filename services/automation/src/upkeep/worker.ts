import { dayMs, hourMs } from '@hookline/shared/kernel/durations';
import type { Worker } from '@hookline/shared/service';
import type { AutomationDeps } from '../deps.ts';
import { pruneEvents, pruneFirings } from './queries.ts';

export function pruneOldWorker(deps: AutomationDeps): Worker {
  return { name: 'prune-old', work: () => pruneHistory(deps), pollMs: hourMs, needsSteadyClock: true };
}

async function pruneHistory({
  db,
  now,
  retentionDays,
}: Pick<AutomationDeps, 'db' | 'now' | 'retentionDays'>): Promise<boolean> {
  const before = new Date(now().getTime() - retentionDays * dayMs);
  const more = await Promise.all([pruneEvents(db, before), pruneFirings(db, before)]);
  return more.includes(true);
}
