import { onePerLook, type Worker } from '@hookline/shared/service';
import { recordChanges } from '../actions/record-changes.ts';
import type { GatewayDeps } from '../deps.ts';

/** Writes what requests changed, for the streams of browsers; those that come while it writes are written together. */
export function writeChangesWorker(deps: GatewayDeps, wake: () => void): Worker {
  deps.changes.onAdd(wake);
  return {
    name: 'write-changes',
    work: onePerLook(() => recordChanges(deps)),
    pollMs: 600_000,
    // The server has stopped: write the changes of its last requests too.
    async stop(endLoop) {
      await endLoop();
      await recordChanges(deps);
    },
  };
}
