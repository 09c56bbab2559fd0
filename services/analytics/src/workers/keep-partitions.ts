import type { Worker } from '@hookline/shared/service';
import { makePartitions } from '../actions/make-partitions.ts';
import type { AnalyticsDeps } from '../deps.ts';

/** Makes partitions ahead of time, once an hour. */
export function keepPartitions(deps: AnalyticsDeps): Worker {
  async function keep(): Promise<false> {
    await makePartitions(deps);
    return false;
  }
  return { name: 'keep-partitions', work: keep, pollMs: 3_600_000 };
}
