import type { Worker } from '@hookline/shared/service';
import { createRequested } from '../actions/create-requested.ts';
import { channels } from '../channels.ts';
import type { SchedulingDeps } from '../deps.ts';

/** Creates the schedules that automations asked for. */
export function answerRequests(deps: SchedulingDeps, wake: () => void): Worker {
  return {
    name: 'answer-requests',
    work: () => createRequested(deps),
    pollMs: deps.timings.pollMs,
    channels: { [channels.requested]: wake },
  };
}
