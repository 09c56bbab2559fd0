import { startWorkerLoop, type WorkerLoop } from '@hookline/shared/kernel';
import { type FiringCursor, reconcileFirings } from '../actions/reconcile-firings.ts';
import type { AutomationDeps } from '../deps.ts';

const everyMs = 5 * 60_000;
// Many firings may wait for their approvals: they are compared over minutes, not at once.
const pagePauseMs = 1_000;

/** Moves firings on that missed what became of them: at start and every five minutes, 200 at a time. */
export function startReconcileFirings(
  deps: Pick<AutomationDeps, 'db' | 'peers' | 'now' | 'log'>,
): WorkerLoop {
  let after: FiringCursor | null = null;
  async function work(): Promise<false | Date> {
    try {
      after = await reconcileFirings(deps, after);
    } catch (error) {
      deps.log.warn({ err: error }, 'open firings could not be compared; they are at the next look');
      return false;
    }
    return after === null ? false : new Date(Date.now() + pagePauseMs);
  }
  return startWorkerLoop({ name: 'reconcile-firings', work, pollMs: everyMs, log: deps.log });
}
