import { randomUUID } from 'node:crypto';
import { linkLifetimeMs } from '@hookline/shared/kernel';
import { dayMs, hourMs } from '@hookline/shared/kernel/durations';
import type { ContentDeps } from '../deps.ts';
import { type ImageStore, ImageStoreError } from '../storage/image-store.ts';
import { claimDueFiles, deleteFiles, holdFiles, releaseFiles } from './queries-files.ts';

const batchMax = 100;

/** A generation that stores the same slide waits for a batch that is being deleted. */
const deletingMs = 3_000;

/** A store may carry out a deletion after the request was abandoned; nobody stores the file before then. */
const lateMs = 5_000;

/** A generation waits 10 s (`record-files.ts`), longer than this lease. */
const leaseMs = deletingMs + lateMs;

/** A volume that hangs does not end a call at its limit, so the lease is renewed until the call is over. */
const renewMs = 2_000;

const deletedAtOnce = 8;

/** Checking a needed file every week costs about 600 index lookups per hour for 100,000 files. */
const checkEveryMs = 7 * dayMs;

const retryMs = hourMs;

type Deps = Pick<ContentDeps, 'db' | 'log' | 'now' | 'images' | 'eventRetentionDays'>;

/**
 * Deletes slide images that no content needs: those of failed generations and edits, and of replaced versions
 * after `EVENT_RETENTION_DAYS` plus the lifetime of a link. Versions with a send permit are kept.
 *
 * A file is deleted under a lease on its row, with no transaction open: a store that hangs holds no
 * connection. A generation records its files before it stores them, so it either waits for the lease and
 * stores the file again, or its file is not due for a day. The row goes after the file: a reaper that died in
 * between deletes it again.
 * @returns true if more may be due
 */
export async function reapImages({ db, log, now, images, eventRetentionDays }: Deps): Promise<boolean> {
  const at = now();
  const after = (ms: number): Date => new Date(at.getTime() + ms);
  const holder = randomUUID();
  const signal = AbortSignal.timeout(deletingMs);
  const due = await claimDueFiles(db, {
    holder,
    leaseMs,
    at,
    limit: batchMax,
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
 * Waits for every deletion, so that none runs once the leases are over. The store may still carry out `late`
 * ones.
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
    const deletion = settled[index]!;
    if (deletion.status === 'fulfilled') {
      done.deleted.push(digest);
      continue;
    }
    if (!(deletion.reason instanceof ImageStoreError)) throw deletion.reason;
    done.errors.push(deletion.reason);
    (deletion.reason.mayStillHappen ? done.late : done.refused).push(digest);
  }
  return done;
}
