import type { Worker } from '@hookline/shared/service';
import { type PermitCursor, reconcilePermitPage } from '../actions/reconcile-permits.ts';
import type { SchedulingDeps } from '../deps.ts';

// Between two pages, so that many permits (TikTok is silent) are not many calls at once.
const pagePauseMs = 1_000;

/** Releases permits that outlived their schedule: at start and every five minutes, 200 at a time. */
export function reconcilePermits(deps: SchedulingDeps): Worker {
  let after: PermitCursor | null = null;
  async function work(): Promise<false | Date> {
    try {
      after = await reconcilePermitPage(deps, after);
    } catch (error) {
      deps.log.warn({ err: error }, 'open permits could not be compared; they are at the next look');
      return false;
    }
    return after === null ? false : new Date(Date.now() + pagePauseMs);
  }
  return { name: 'reconcile-permits', work, pollMs: 5 * 60_000 };
}
