import { pageByPage, type Worker } from '@hookline/shared/service';
import { type PermitCursor, reconcilePermits } from '../actions/reconcile-permits.ts';
import type { SchedulingDeps } from '../deps.ts';

/** Releases permits that outlived their schedule: at start and every five minutes, 200 at a time. */
export function reconcilePermitsWorker(deps: SchedulingDeps): Worker {
  const complaint = 'open permits could not be compared; they are at the next poll';
  return {
    name: 'reconcile-permits',
    work: pageByPage<PermitCursor>(deps.log, after => reconcilePermits(deps, after), complaint),
    pollMs: 5 * 60_000,
  };
}
