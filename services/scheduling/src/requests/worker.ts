import type { Worker } from '@hookline/shared/service';
import { channels } from '../channels.ts';
import type { SchedulingDeps } from '../deps.ts';
import { answerNextRequest } from './answer.ts';

export function answerRequestsWorker(deps: SchedulingDeps, wake: () => void): Worker {
  return {
    name: 'answer-requests',
    work: () => answerNextRequest(deps),
    pollMs: deps.timings.pollMs,
    // Workers mostly wait for content or the platform, up to 20 s each where the platform hangs.
    concurrency: 8,
    channels: { [channels.requested]: wake },
  };
}
