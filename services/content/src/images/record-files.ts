import { setTimeout as delay } from 'node:timers/promises';
import { dayMs } from '@hookline/shared/kernel/durations';
import type { Sql } from '@hookline/shared/postgres';
import { ImageStoreError } from '../storage/image-store.ts';
import { recordFiles } from './queries-files.ts';

/** A reaper that died leaves a lease shorter than this. */
const waitMaxMs = 10_000;

/** The reaper skips files for this long, which is longer than any generation takes to name them in rows. */
export const unreferencedMs = dayMs;

export type FilesToStore = {
  digests: readonly Buffer[];
  checkAt: Date;
  thumbnailOf?: Buffer;
};

/**
 * Records files before every `put`. It waits while a reaper deletes one of them, so that no image is deleted
 * after it was stored again.
 * @throws ImageStoreError if the deletion does not end
 */
export async function recordBeforeStoring(sql: Sql, files: FilesToStore): Promise<void> {
  const until = performance.now() + waitMaxMs;
  for (let pauseMs = 20; !(await recordFiles(sql, files)); pauseMs = Math.min(pauseMs * 2, 250)) {
    if (performance.now() > until) throw new ImageStoreError('the image store: a deletion does not end');
    await delay(pauseMs);
  }
}
