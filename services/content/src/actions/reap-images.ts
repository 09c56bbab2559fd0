import { linkLifetimeMs } from '@hookline/shared/kernel';
import { type ImageStore, ImageStoreError } from '../adapters/image-store.ts';
import type { ContentDeps } from '../deps.ts';
import { claimDueFiles, deleteFiles, postponeLooks } from '../queries/slide-files.ts';

const dayMs = 24 * 3_600_000;

/** Files checked per transaction. */
const batchMax = 100;

/**
 * Longest time a batch may spend deleting: its transaction blocks a generation that is about to store the
 * same slide.
 */
const deletingMs = 5_000;

/** Files deleted concurrently. */
const deletedAtOnce = 8;

/**
 * A file that is needed is checked again after a week: 100,000 files cost about 600 index lookups per hour.
 */
const lookEveryMs = 7 * dayMs;

/**
 * Deletes slide images that no content needs: those of failed generations and edits, and of versions that an
 * edit replaced. Images of a replaced version are kept for `EVENT_RETENTION_DAYS` plus the lifetime of a
 * link, since an event of that age still links to them. A version that a schedule was permitted to send is
 * kept forever.
 *
 * A file is deleted while its row is locked, and a generation records its files before it stores them. So it
 * either waits for the deletion and stores the file again, or its file is not due for a day.
 * @returns true if more may be due
 */
export async function reapImages({
  db,
  log,
  now,
  images,
  eventRetentionDays,
}: Pick<ContentDeps, 'db' | 'log' | 'now' | 'images' | 'eventRetentionDays'>): Promise<boolean> {
  const at = now();
  const unchangedSince = new Date(at.getTime() - eventRetentionDays * dayMs - linkLifetimeMs);
  try {
    const { checked, deleted } = await db.transaction(async tx => {
      const due = await claimDueFiles(tx, at, unchangedSince, batchMax);
      const unneeded = due.filter(file => !file.isNeeded).map(file => file.digest);
      const needed = due.filter(file => file.isNeeded).map(file => file.digest);
      const signal = AbortSignal.timeout(deletingMs);
      for (let i = 0; i < unneeded.length; i += deletedAtOnce) {
        await deleteAll(images, unneeded.slice(i, i + deletedAtOnce), signal);
      }
      await deleteFiles(tx, unneeded);
      await postponeLooks(tx, needed, new Date(at.getTime() + lookEveryMs));
      return { checked: due.length, deleted: unneeded.length };
    });
    if (deleted > 0) log.info({ checked, deleted }, 'slide images that no content needs were deleted');
    return checked === batchMax;
  } catch (error) {
    if (!(error instanceof ImageStoreError)) throw error;
    // The rows still exist, so the deletion is repeated in an hour.
    log.warn({ err: error }, 'slide images could not be deleted');
    return false;
  }
}

/** Waits for every deletion, even after one failed: none may still run after the rows are unlocked. */
async function deleteAll(images: ImageStore, digests: readonly string[], signal: AbortSignal): Promise<void> {
  const deletions = await Promise.allSettled(digests.map(digest => images.delete(digest, signal)));
  for (const deletion of deletions) if (deletion.status === 'rejected') throw deletion.reason;
}
