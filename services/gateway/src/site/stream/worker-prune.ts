import { hourMs } from '@hookline/shared/kernel/durations';
import type { Worker } from '@hookline/shared/service';
import type { SiteDeps } from '../../site-deps.ts';
import { pruneChanges } from './record-changes.ts';

export function pruneChangesWorker(deps: SiteDeps): Worker {
  return { name: 'prune-changes', work: () => pruneChanges(deps), pollMs: hourMs, needsSteadyClock: true };
}
