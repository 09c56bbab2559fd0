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
      const gone = [
        await pruneKeys(db, now()),
        await prunePlatformEvents(db, now(), batchMax),
        await pruneConnectStates(db, now(), batchMax),
        await pruneScheduleRequests(db, now(), batchMax),
        await pruneWithdrawnAttempts(db, now(), batchMax),
      ];
      return gone.some(count => count === batchMax);
    },
  });
}
