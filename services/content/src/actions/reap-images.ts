import { setTimeout as delay } from 'node:timers/promises';
import { linkLifetimeMs } from '@hookline/shared/kernel';
import { dayMs, hourMs } from '@hookline/shared/kernel/durations';
import { type ImageStore, ImageStoreError } from '../adapters/image-store.ts';
import type { ContentDeps } from '../deps.ts';
import { claimDueFiles, deleteFiles, postponeChecks } from '../queries/slide-files.ts';

/** Files checked per transaction. */
const batchMax = 100;

/**
 * Longest time a batch may spend deleting: its transaction blocks a generation that is about to store the
 * same slide.
 */
const deletingMs = 3_000;

/**
 * A store may carry out a deletion after the request was abandoned. The rows stay locked for this time then,
 * so that no slide is stored before it. With `deletingMs` below the 10 s for which a statement of somebody
 * else waits for these rows.
 */
const lateMs = 5_000;

/** Files deleted concurrently. */
const deletedAtOnce = 8;

/**
 * A file that is needed is checked again after a week: 100,000 files cost about 600 index lookups per hour.
 */
const checkEveryMs = 7 * dayMs;

/** A file that could not be deleted is tried again after an hour, behind the others that are due. */
const retryMs = hourMs;

/**
 * Deletes slide images that no content needs: those of failed generations and edits, and of versions that an
 * edit replaced. Images of a replaced version are kept for `EVENT_RETENTION_DAYS` plus the lifetime of a
 * link, since an event of that age still links to them. The version that a schedule was last permitted to
 * send is kept forever.
 *
 * A file is deleted while its row is locked, and a generation records its files before it stores them. So it
 * either waits for the deletion and stores the file again, or its file is not due for a day.
 * @returns true if more may be due
 */
export async function reapImages(
  {
    db,
    log,
    now,
    images,
    eventRetentionDays,
  }: Pick<ContentDeps, 'db' | 'log' | 'now' | 'images' | 'eventRetentionDays'>,
  waitOutLate: () => Promise<unknown> = () => delay(lateMs),
): Promise<boolean> {
  const at = now();
  const after = (ms: number): Date => new Date(at.getTime() + ms);
  const unchangedSince = after(-eventRetentionDays * dayMs - linkLifetimeMs);
  const errors: ImageStoreError[] = [];
  const { checked, deleted } = await db.transaction(async tx => {
    const due = await claimDueFiles(tx, at, unchangedSince, batchMax);
    const digestsOf = (isNeeded: boolean): string[] =>
      due.filter(file => file.isNeeded === isNeeded).map(file => file.digest);
    await postponeChecks(tx, digestsOf(true), after(checkEveryMs));
    const unneeded = digestsOf(false);
    const signal = AbortSignal.timeout(deletingMs);
    const failed: string[] = [];
    let count = 0;
    let reached = 0;
    while (reached < unneeded.length && !signal.aborted) {
      const part = await deleteAll(images, unneeded.slice(reached, reached + deletedAtOnce), signal);
      reached += deletedAtOnce;
      // Fails when the session is lost, and with it the locks: nothing more may be deleted then.
      await deleteFiles(tx, part.deleted);
      failed.push(...part.failed);
      errors.push(...part.errors);
      count += part.deleted.length;
    }
    // Also those that the time did not suffice for: a store that does not answer would
    // be asked again at once.
    await postponeChecks(tx, [...failed, ...unneeded.slice(reached)], after(retryMs));
    if (errors.some(error => error.mayStillHappen)) await waitOutLate();
    return { checked: due.length, deleted: count };
  });
  if (deleted > 0) log.info({ checked, deleted }, 'slide images that no content needs were deleted');
  if (errors.length > 0) {
    log.warn({ err: errors[0], files: errors.length }, 'slide images could not be deleted');
  }
  return checked === batchMax;
}

/**
 * Waits for every deletion, even after one failed, so that none of this process runs
 * once the rows are unlocked.
 */
async function deleteAll(images: ImageStore, digests: readonly string[], signal: AbortSignal) {
  const settled = await Promise.allSettled(digests.map(digest => images.delete(digest, signal)));
  const errors: ImageStoreError[] = [];
  for (const one of settled) {
    if (one.status === 'fulfilled') continue;
    if (!(one.reason instanceof ImageStoreError)) throw one.reason;
    errors.push(one.reason);
  }
  return {
    deleted: digests.filter((_, at) => settled[at]?.status === 'fulfilled'),
    failed: digests.filter((_, at) => settled[at]?.status === 'rejected'),
    errors,
  };
}
