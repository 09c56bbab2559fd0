import { onePerPoll, type Worker } from '@hookline/shared/service';
import type { IdentityDeps } from '../../identity-deps.ts';
import { touchLastUsed } from './queries.ts';

/** Writes `lastUsedAt` every 2 s, so that no request waits for it. A kill loses at most that. */
export function writeKeyUseWorker(deps: IdentityDeps): Worker {
  return {
    name: 'write-key-use',
    work: onePerPoll(() => recordKeyUse(deps)),
    pollMs: 2_000,
    // The server has stopped: write the uses of its last requests too.
    async stop(endLoop) {
      await endLoop();
      await recordKeyUse(deps);
    },
  };
}

/**
 * Writes the uses of keys and sessions since the last call. If the write fails, they are logged and dropped.
 */
async function recordKeyUse({ db, log, uses }: Pick<IdentityDeps, 'db' | 'log' | 'uses'>): Promise<void> {
  for (const [table, use] of [
    ['api_keys', uses.keys],
    ['sessions', uses.sessions],
  ] as const) {
    const used = use.take();
    if (used.size === 0) continue;
    await touchLastUsed(db, table, [...used.keys()], [...used.values()]).catch(error => {
      log.warn({ err: error }, 'the last use of keys or sessions was not written');
    });
  }
}
