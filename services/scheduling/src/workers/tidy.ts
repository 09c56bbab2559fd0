import { pruneKeys } from '@hookline/shared/idempotency';
import { startWorkerLoop, type WorkerLoop } from '@hookline/shared/worker-loop';
import type { Parts } from '../parts.ts';
import { prunePlatformEvents } from '../queries/platform-events.ts';

const everyMs = 10 * 60_000;

/** Removes idempotency records past their 24 h, and webhooks that the platform no longer repeats. */
export function startTidy({ db, now, log }: Parts): WorkerLoop {
  return startWorkerLoop({
    name: 'tidy',
    pollMs: everyMs,
    log,
    async work() {
      const gone = await Promise.all([pruneKeys(db, now()), prunePlatformEvents(db, now())]);
      return gone.some(count => count === 1_000);
    },
  });
}
