import { onePerPoll, type Worker } from '@hookline/shared/service';
import type { IdentityDeps } from '../../identity-deps.ts';
import { recordKeyUse } from './record-use.ts';

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
