import { ensureSnapshotPartition } from '../collecting/queries-partitions.ts';
import type { AnalyticsDeps } from '../deps.ts';

/** Number of months after the current one whose partitions are created ahead. */
const monthsAhead = 2;

/** Creates the partitions of this month and the next two. */
export async function makePartitions({
  db,
  log,
  now,
}: Pick<AnalyticsDeps, 'db' | 'log' | 'now'>): Promise<void> {
  const at = now();
  for (let ahead = 0; ahead <= monthsAhead; ahead += 1) {
    const month = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + ahead, 1));
    const isMade = await ensureSnapshotPartition(db, month);
    if (isMade) log.info({ month: month.toISOString().slice(0, 7) }, 'a partition of snapshots was created');
  }
}
