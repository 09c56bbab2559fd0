import { startWorkerLoop } from '@hookline/shared/kernel';
import { openWakeUp, pruneKeys } from '@hookline/shared/postgres';
import type { Consumer } from '@hookline/shared/service';
import { collectInstagram } from '../actions/collect-instagram.ts';
import { collectYoutube } from '../actions/collect-youtube.ts';
import { refreshSource } from '../actions/refresh-source.ts';
import { watchQuota } from '../analytics-metrics.ts';
import { consumers } from '../consumers/registry.ts';
import type { AnalyticsRuntime, Parts } from '../parts.ts';
import { keepPartitions } from './keep-partitions.ts';
import { workChannel } from './work-channel.ts';

const hourMs = 3_600_000;

/** Starts the collectors and what keeps tokens and partitions; returns the consumers. */
export async function startWorkers(
  { db, log, shutdown }: AnalyticsRuntime,
  parts: Parts,
): Promise<readonly Consumer[]> {
  const { pollMs } = parts.timings;
  const wakeUp = openWakeUp(db.connectionString, 'hookline analytics wake-up', [workChannel], log);
  shutdown.add('workers', 'analytics wake-up', () => wakeUp.close());
  const collectors = [
    startWorkerLoop({
      name: 'collect-youtube',
      work: () => collectYoutube(parts),
      pollMs,
      log,
      concurrency: 2,
    }),
    startWorkerLoop({
      name: 'collect-instagram',
      work: () => collectInstagram(parts),
      pollMs,
      log,
      concurrency: 4,
    }),
  ];
  for (const collector of collectors) wakeUp.on(workChannel, collector.wake);
  const keepers = [
    startWorkerLoop({ name: 'refresh-sources', work: () => refreshSource(parts), pollMs: 12 * pollMs, log }),
    startWorkerLoop({
      name: 'prune-keys',
      work: async () => (await pruneKeys(db, parts.now())) === 1_000,
      pollMs: hourMs,
      log,
    }),
    startWorkerLoop({ name: 'keep-partitions', work: () => keepPartitions(parts), pollMs: hourMs, log }),
  ];
  shutdown.add('workers', 'analytics workers', async () => {
    await Promise.all([...collectors, ...keepers].map(worker => worker.stop()));
  });
  watchQuota(parts);
  return consumers;
}
