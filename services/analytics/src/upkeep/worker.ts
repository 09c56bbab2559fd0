import { hourMs } from '@hookline/shared/kernel/durations';
import { onePerPoll, type Worker } from '@hookline/shared/service';
import { ensureSnapshotPartition } from '../collecting/queries-snapshots.ts';
import type { AnalyticsDeps } from '../deps.ts';

/** Number of months after the current one whose partitions are created ahead. */
const monthsAhead = 2;

/** Makes partitions ahead of time, once an hour. */
export function keepPartitionsWorker(deps: AnalyticsDeps): Worker {
  return { name: 'keep-partitions', work: onePerPoll(() => makePartitions(deps)), pollMs: hourMs };
}

async function makePartitions({ db, log, now }: Pick<AnalyticsDeps, 'db' | 'log' | 'now'>): Promise<void> {
  const at = now();
  for (let ahead = 0; ahead <= monthsAhead; ahead += 1) {
    const month = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + ahead, 1));
    const isMade = await ensureSnapshotPartition(db, month);
    if (isMade) log.info({ month: month.toISOString().slice(0, 7) }, 'a partition of snapshots was created');
  }
}
