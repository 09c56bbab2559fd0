import type { Worker } from '@hookline/shared/service';
import type { SchedulingDeps } from '../deps.ts';
import { readNumbers } from './read.ts';

/** Posts are due minutes apart, so nobody wakes it. */
export function readNumbersWorker(deps: SchedulingDeps): Worker {
  return {
    name: 'read-numbers',
    work: () => readNumbers(deps),
    pollMs: 2 * deps.timings.pollMs,
    concurrency: 2,
    needsSteadyClock: true,
  };
}
