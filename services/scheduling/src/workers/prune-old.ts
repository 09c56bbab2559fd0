import type { Worker } from '@hookline/shared/service';
import { pruneOld } from '../actions/prune-old.ts';
import type { SchedulingDeps } from '../deps.ts';

/** Removes old rows: at start and every ten minutes. Dashboards know it by its first name, `tidy`. */
export function pruneOldWorker(deps: SchedulingDeps): Worker {
  return { name: 'tidy', work: () => pruneOld(deps), pollMs: 10 * 60_000 };
}
