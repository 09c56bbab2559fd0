import { startWorkerLoop, type WorkerLoop } from '@hookline/shared/kernel';
import { pruneKeys } from '@hookline/shared/postgres';
import type { Parts } from '../parts.ts';
import { pruneWithdrawnAttempts } from '../queries/attempts.ts';
import { pruneConnectStates } from '../queries/connect-states.ts';
import { prunePlatformEvents } from '../queries/platform-events.ts';
import { pruneScheduleRequests } from '../queries/schedule-requests.ts';

const everyMs = 10 * 60_000;
// A batch holds its locks for milliseconds; a full one is followed by the next at once.
const batchMax = 1_000;

/**
 * Removes, at start and every ten minutes, what can never matter again: idempotency records past their 24 h,
 * webhooks that the platform no longer repeats, connections nobody finished, requests answered long ago,
 * attempts of withdrawn schedules that nothing can be told of any more.
 */
export function startTidy({ db, now, log }: Parts): WorkerLoop {
  return startWorkerLoop({
    name: 'tidy',
    pollMs: everyMs,
    log,
    async work() {
      const steps = {
        keys: () => pruneKeys(db, now()),
        platformEvents: () => prunePlatformEvents(db, now(), batchMax),
        connectStates: () => pruneConnectStates(db, now(), batchMax),
        requests: () => pruneScheduleRequests(db, now(), batchMax),
        withdrawnAttempts: () => pruneWithdrawnAttempts(db, now(), batchMax),
      };
      const gone: number[] = [];
      for (const [what, prune] of Object.entries(steps)) {
        // One table that cannot be pruned does not keep the others from it.
        gone.push(
          await prune().catch(error => {
            log.error({ err: error, what }, 'old rows could not be removed');
            return 0;
          }),
        );
      }
      return gone.some(count => count === batchMax);
    },
  });
}
