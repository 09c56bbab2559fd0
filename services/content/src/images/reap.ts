import { randomUUID } from 'node:crypto';
import { linkLifetimeMs } from '@hookline/shared/kernel';
import { dayMs, hourMs } from '@hookline/shared/kernel/durations';
import type { ContentDeps } from '../deps.ts';
import { type ImageStore, ImageStoreError } from '../storage/image-store.ts';
import { claimDueFiles, deleteFiles, holdFiles, releaseFiles } from './queries-files.ts';

/** Files checked per claim. */
const batchMax = 100;

/** Longest time a batch may spend deleting: a generation that stores the same slide waits for it. */
const deletingMs = 3_000;

/**
 * A store may carry out a deletion after the request was abandoned, or after the process died. Nobody stores
 * the file before this time is over.
 */
const lateMs = 5_000;

/** Below the 10 s for which a generation waits (`record-files.ts`). */
const leaseMs = deletingMs + lateMs;

/** A volume that hangs does not end a call at its limit: the lease is renewed until the call is over. */
const renewMs = 2_000;

/** Files deleted concurrently. */
const deletedAtOnce = 8;

/**
 * A file that is needed is checked again after a week: 100,000 files cost about 600 index lookups per hour.
 */
const checkEveryMs = 7 * dayMs;

/** A file that could not be deleted is tried again after an hour, behind the others that are due. */
const retryMs = hourMs;

type Deps = Pick<ContentDeps, 'db' | 'log' | 'now' | 'images' | 'eventRetentionDays'>;

/**
 * Deletes slide images that no content needs: those of failed generations and edits, and of versions that an
 * edit replaced. Images of a replaced version are kept for `EVENT_RETENTION_DAYS` plus the lifetime of a
 * link, since an event of that age still links to them. The version that a schedule was last permitted to
 * send is kept forever.
 *
 * A file is deleted under a lease on its row, with no transaction open: a store that hangs holds no
 * connection and no lock. A generation records its files before it stores them, so it either waits for the
 * lease and stores the file again, or its file is not due for a day. The row is deleted after the file: the
 * row of a reaper that died in between is due again, and its file is deleted once more.
 * @returns true if more may be due
 */
export async function reapImages({ db, log, now, images, eventRetentionDays }: Deps): Promise<boolean> {
  const at = now();
  const after = (ms: number): Date => new Date(at.getTime() + ms);
  const holder = randomUUID();
  const signal = AbortSignal.timeout(deletingMs);
  const due = await claimDueFiles(db, {
    ...{ holder, leaseMs, at, limit: batchMax },
    unchangedSince: after(-eventRetentionDays * dayMs - linkLifetimeMs),
    neededAt: after(checkEveryMs),
    retryAt: after(retryMs),
  });
  const unneeded = due.filter(file => !file.isNeeded).map(file => file.digest);
  const errors: ImageStoreError[] = [];
  let deleted = 0;
  let reached = 0;
  while (reached < unneeded.length && !signal.aborted) {
    const part = unneeded.slice(reached, reached + deletedAtOnce);
    reached += part.length;
    const renewal = setInterval(() => {
      holdFiles(db, holder, part, leaseMs).catch(error => {
        log.warn({ err: error }, 'the lease of slide images that are being deleted could not be renewed');
      });
    }, renewMs);
    const done = await deleteAll(images, part, signal).finally(() => clearInterval(renewal));
    await deleteFiles(db, holder, done.deleted);
    await releaseFiles(db, holder, done.refused);
    await holdFiles(db, holder, done.late, lateMs);
    errors.push(...done.errors);
    deleted += done.deleted.length;
  }
  await releaseFiles(db, holder, unneeded.slice(reached));
  if (deleted > 0)
    log.info({ checked: due.length, deleted }, 'slide images that no content needs were deleted');
  if (errors.length > 0) {
    log.warn({ err: errors[0], files: errors.length }, 'slide images could not be deleted');
  }
  return due.length === batchMax;
}

/**
 * Waits for every deletion, even after one failed, so that none of this process runs once the leases are
 * over. `late`: the store may still carry them out.
 */
async function deleteAll(images: ImageStore, digests: readonly string[], signal: AbortSignal) {
  const done = {
    deleted: [] as string[],
    refused: [] as string[],
    late: [] as string[],
    errors: [] as ImageStoreError[],
  };
  const settled = await Promise.allSettled(digests.map(digest => images.delete(digest, signal)));
  for (const [index, digest] of digests.entries()) {
    const one = settled[index]!;
    if (one.status === 'fulfilled') {
      done.deleted.push(digest);
      continue;
    }
    if (!(one.reason instanceof ImageStoreError)) throw one.reason;
    done.errors.push(one.reason);
    (one.reason.mayStillHappen ? done.late : done.refused).push(digest);
  }
  return done;
}
