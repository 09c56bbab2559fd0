import type { Worker } from '@hookline/shared/service';
import { pruneDailyCounts } from '../actions/prune-daily-counts.ts';
import type { ContentDeps } from '../deps.ts';

/** Deletes old counts of generations once an hour. */
export function pruneOldWorker(deps: ContentDeps): Worker {
  return { name: 'prune-old', work: () => pruneDailyCounts(deps), pollMs: 3_600_000 };
}
