import { startWorkerLoop, type WorkerLoop } from '@hookline/shared/kernel';
import { pollAttempt } from '../actions/poll-attempt.ts';
import type { Parts } from '../parts.ts';
import { claimPolls, findNextPollMs } from '../queries/attempts.ts';
import { untilNext } from './work-channel.ts';

const pollsAtOnceMax = 8;
// Longer than a status call with a token refresh before it, so that one process asks at a time.
const claimedForMs = 30_000;

/** Asks the platform for the outcome of accepted attempts, and ends those that stay open too long. */
export function startPollStatus(parts: Parts): WorkerLoop {
  const { db, log, timings } = parts;
  return startWorkerLoop({
    name: 'poll-status',
    pollMs: timings.pollMs,
    log,
    async work() {
      const attempts = await claimPolls(db, claimedForMs, pollsAtOnceMax);
      await Promise.all(
        attempts.map(attempt =>
          pollAttempt(parts, attempt).catch(error => log.warn({ err: error }, 'a poll met a fault')),
        ),
      );
      return attempts.length > 0 ? true : untilNext(await findNextPollMs(db));
    },
  });
}
