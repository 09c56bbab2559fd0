import { hourMs } from '@hookline/shared/kernel/durations';
import { onePerPoll, type Worker } from '@hookline/shared/service';
import { makePartitions } from '../actions/make-partitions.ts';
import type { AnalyticsDeps } from '../deps.ts';

/** Makes partitions ahead of time, once an hour. */
export function keepPartitionsWorker(deps: AnalyticsDeps): Worker {
  return { name: 'keep-partitions', work: onePerPoll(() => makePartitions(deps)), pollMs: hourMs };
}
