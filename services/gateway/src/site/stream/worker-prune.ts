import { hourMs } from '@hookline/shared/kernel/durations';
import type { Worker } from '@hookline/shared/service';
import type { GatewayDeps } from '../../deps.ts';
import { pruneChanges } from './record-changes.ts';

export function pruneChangesWorker(deps: GatewayDeps): Worker {
  return { name: 'prune-changes', work: () => pruneChanges(deps), pollMs: hourMs };
}
