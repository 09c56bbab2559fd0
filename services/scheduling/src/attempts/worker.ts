import type { Worker } from '@hookline/shared/service';
import { channels } from '../channels.ts';
import type { SchedulingDeps } from '../deps.ts';
import { pollAttempts } from './poll.ts';

export function pollStatusWorker(deps: SchedulingDeps, wake: () => void): Worker {
  return {
    name: 'poll-status',
    work: () => pollAttempts(deps),
    pollMs: deps.timings.pollMs,
    channels: { [channels.accepted]: wake },
  };
}
