import { setTimeout as delay } from 'node:timers/promises';
import { onePerPoll, type Worker } from '@hookline/shared/service';
import type { SiteDeps } from '../../site-deps.ts';
import { recordChanges } from './record-changes.ts';

/** Five transactions a second at most, however many requests there are. */
const gatherMs = 200;

export function writeChangesWorker(deps: SiteDeps, wake: () => void): Worker {
  deps.changes.onAdd(wake);
  return {
    name: 'write-changes',
    work: onePerPoll(async () => {
      if (deps.changes.isEmpty) return;
      await delay(gatherMs);
      await recordChanges(deps);
    }),
    pollMs: 600_000,
    // The server has stopped: write the changes of its last requests too.
    async stop(endLoop) {
      await endLoop();
      await recordChanges(deps);
    },
  };
}
