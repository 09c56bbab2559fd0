/** `lastUsedAt` of keys, gathered and written beside the requests, so that no request waits for it. */

import type { Logger } from '@hookline/shared/kernel';
import type { Database } from '@hookline/shared/postgres';
import { touchApiKeys } from './queries/api-keys.ts';

export type KeyUse = {
  note(keyId: string): void;
  /** Writes what was noted. */
  flush(): Promise<void>;
};

const flushAfterMs = 2_000;
const notedMax = 10_000;

/** Nothing runs while no key is used. At most 2 s of uses are lost by a kill. */
export function createKeyUse(db: Database, log: Logger, now: () => Date): KeyUse {
  let noted = new Map<string, Date>();
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (noted.size === 0) return;
    const batch = noted;
    noted = new Map();
    await touchApiKeys(db, [...batch.keys()], [...batch.values()]).catch(error => {
      log.warn({ err: error }, 'the last use of keys was not written');
    });
  }

  return {
    flush,
    note(keyId) {
      if (noted.size < notedMax || noted.has(keyId)) noted.set(keyId, now());
      timer ??= setTimeout(flush, flushAfterMs).unref();
    },
  };
}
