import { hourMs } from '@hookline/shared/kernel/durations';
import { onePerPoll, type Worker } from '@hookline/shared/service';
import type { AnalyticsDeps } from '../deps.ts';
import { makePartitions } from './make-partitions.ts';

/** Makes partitions ahead of time, once an hour. */
export function keepPartitionsWorker(deps: AnalyticsDeps): Worker {
  return { name: 'keep-partitions', work: onePerPoll(() => makePartitions(deps)), pollMs: hourMs };
}
