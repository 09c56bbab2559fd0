import { pageByPage, type Worker } from '@hookline/shared/service';
import { type FiringCursor, reconcileFirings } from '../actions/reconcile-firings.ts';
import type { AutomationDeps } from '../deps.ts';

/** Applies what firings missed: at start and every five minutes, 200 at a time. */
export function reconcileFiringsWorker(deps: AutomationDeps): Worker {
  const complaint = 'open firings could not be compared; they are at the next poll';
  return {
    name: 'reconcile-firings',
    work: pageByPage<FiringCursor>(deps.log, after => reconcileFirings(deps, after), complaint),
    pollMs: 5 * 60_000,
  };
}
