import { setTimeout as delay } from 'node:timers/promises';
import { dayMs } from '@hookline/shared/kernel/durations';
import type { Sql } from '@hookline/shared/postgres';
import { ImageStoreError } from '../storage/image-store.ts';
import { recordFiles } from './queries-files.ts';

/** Longer than the lease of a deletion, which is what a reaper that died leaves. */
const waitMaxMs = 10_000;

/**
 * Longer than any generation takes to write the rows that name its files. The reaper skips them until then.
 */
export const unreferencedMs = dayMs;

export type FilesToStore = {
  digests: readonly Buffer[];
  /** The reaper leaves the files alone until then. */
  checkAt: Date;
  /** The file that they are thumbnails of. */
  thumbnailOf?: Buffer;
};

/**
 * Records files that are about to be stored. Every `put` comes after it: while a reaper deletes one of the
 * files it waits, so that the image is not deleted after it was stored again.
 * @throws ImageStoreError if the deletion does not end
 */
export async function recordBeforeStoring(sql: Sql, files: FilesToStore): Promise<void> {
  const until = performance.now() + waitMaxMs;
  for (let pauseMs = 20; !(await recordFiles(sql, files)); pauseMs = Math.min(pauseMs * 2, 250)) {
    if (performance.now() > until) throw new ImageStoreError('the image store: a deletion does not end');
    await delay(pauseMs);
  }
}
