import { hourMs } from '@hookline/shared/kernel/durations';
import type { Worker } from '@hookline/shared/service';
import { pruneOld } from '../actions/prune-old.ts';
import type { ContentDeps } from '../deps.ts';

/** Deletes old counts of generations, store pages and ended schedules once an hour. */
export function pruneOldWorker(deps: ContentDeps): Worker {
  return { name: 'prune-old', work: () => pruneOld(deps), pollMs: hourMs };
}
