import { pageByPage, type Worker } from '@hookline/shared/service';
import type { SchedulingDeps } from '../deps.ts';
import { pruneOld } from './prune.ts';
import { type PermitCursor, reconcilePermits } from './reconcile-permits.ts';

/** Rounds run at the start and every ten minutes. Dashboards know the worker by its first name, `tidy`. */
export function pruneOldWorker(deps: SchedulingDeps): Worker {
  return { name: 'tidy', work: () => pruneOld(deps), pollMs: 10 * 60_000, needsSteadyClock: true };
}

/** Rounds run at the start and every five minutes, 200 permits at a time. */
export function reconcilePermitsWorker(deps: SchedulingDeps): Worker {
  const complaint = 'open permits could not be compared; they are at the next poll';
  return {
    name: 'reconcile-permits',
    work: pageByPage<PermitCursor>(deps.log, after => reconcilePermits(deps, after), complaint),
    pollMs: 5 * 60_000,
  };
}
