import { hourMs } from '@hookline/shared/kernel/durations';
import type { Worker } from '@hookline/shared/service';
import { pruneChanges } from '../actions/record-changes.ts';
import type { GatewayDeps } from '../deps.ts';

export function pruneChangesWorker(deps: GatewayDeps): Worker {
  return { name: 'prune-changes', work: () => pruneChanges(deps), pollMs: hourMs };
}
