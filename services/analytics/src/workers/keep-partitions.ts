import type { Parts } from '../parts.ts';
import { ensureSnapshotPartition } from '../queries/partitions.ts';

/** Months after the current one whose partitions are made ahead. */
const monthsAhead = 2;

/** Makes the partitions of this month and the next two. @returns false: nothing more to do until the next look. */
export async function keepPartitions({ db, log, now }: Pick<Parts, 'db' | 'log' | 'now'>): Promise<false> {
  const at = now();
  for (let ahead = 0; ahead <= monthsAhead; ahead += 1) {
    const month = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + ahead, 1));
    const isMade = await ensureSnapshotPartition(db, month);
    if (isMade) log.info({ month: month.toISOString().slice(0, 7) }, 'a partition of snapshots was made');
  }
  return false;
}
