import type { Worker } from '@hookline/shared/service';
import { type FiringCursor, reconcileFirings } from '../actions/reconcile-firings.ts';
import type { AutomationDeps } from '../deps.ts';

// Many firings may wait for their approvals: they are compared over minutes, not at once.
const pagePauseMs = 1_000;

/** Applies what firings missed: at start and every five minutes, 200 at a time. */
export function reconcile(deps: AutomationDeps): Worker {
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
  return { name: 'reconcile-firings', work, pollMs: 5 * 60_000 };
}
