import { pruneBatch } from '@hookline/shared/kernel';
import { dayMs } from '@hookline/shared/kernel/durations';
import type { SiteDeps } from '../../site-deps.ts';
import { deleteOldChanges, upsertChanges } from './queries.ts';

const keptMs = 30 * dayMs;

/**
 * Writes the changes since the last call. If that fails, they are dropped: a browser
 * then sees them a poll later.
 */
export async function recordChanges({
  db,
  log,
  now,
  changes,
}: Pick<SiteDeps, 'db' | 'log' | 'now' | 'changes'>): Promise<void> {
  const taken = changes.take();
  if (taken.length === 0) return;
  await db
    .transaction(tx => upsertChanges(tx, taken, now()))
    .catch(error => log.warn({ err: error }, 'changes for browsers were not written'));
}

/** Deletes up to 1,000 changes older than 30 days, the lifetime of a session. */
export async function pruneChanges({ db, now }: Pick<SiteDeps, 'db' | 'now'>): Promise<boolean> {
  return (await deleteOldChanges(db, new Date(now().getTime() - keptMs))) === pruneBatch;
}
