import { startWorkerLoop, type WorkerLoop } from '@hookline/shared/kernel';
import { answerRequest } from '../actions/answer-request.ts';
import type { Parts } from '../parts.ts';
import { claimScheduleRequest, findNextRequestMs } from '../queries/schedule-requests.ts';
import { untilNext } from './work-channel.ts';

// Longer than all checks of one request, slide downloads included.
const claimedForMs = 60_000;

/** Makes the schedules that automations asked for. */
export function startAnswerRequests(parts: Parts): WorkerLoop {
  const { db, log, timings } = parts;
  return startWorkerLoop({
    name: 'answer-requests',
    pollMs: timings.pollMs,
    log,
    async work() {
      const request = await claimScheduleRequest(db, claimedForMs);
      if (!request) return untilNext(await findNextRequestMs(db));
      await answerRequest(parts, request);
      return true;
    },
  });
}
