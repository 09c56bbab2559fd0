import type { Worker } from '@hookline/shared/service';
import { pruneOldRows } from '../actions/prune-old-rows.ts';
import type { SchedulingDeps } from '../deps.ts';

/** Removes old rows: at start and every ten minutes. */
export function tidyWorker(deps: SchedulingDeps): Worker {
  return { name: 'tidy', work: () => pruneOldRows(deps), pollMs: 10 * 60_000 };
}
