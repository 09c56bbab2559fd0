import { startWorkerLoop, type WorkerLoop } from '@hookline/shared/kernel';
import { type PermitCursor, reconcilePermits } from '../actions/reconcile-permits.ts';
import type { Parts } from '../parts.ts';

const everyMs = 5 * 60_000;
// Between two pages, so that many permits (TikTok is silent) are not many calls at once.
const pagePauseMs = 1_000;

/** Has permits released that outlived their schedule: at start and every five minutes, 200 at a time. */
export function startReconcilePermits({ db, peers, log }: Pick<Parts, 'db' | 'peers' | 'log'>): WorkerLoop {
  let after: PermitCursor | null = null;
  async function work(): Promise<false | Date> {
    try {
      after = await reconcilePermits({ db, peers }, after);
    } catch (error) {
      log.warn({ err: error }, 'open permits could not be compared; they are at the next look');
      return false;
    }
    return after === null ? false : new Date(Date.now() + pagePauseMs);
  }
  return startWorkerLoop({ name: 'reconcile-permits', work, pollMs: everyMs, log });
}
