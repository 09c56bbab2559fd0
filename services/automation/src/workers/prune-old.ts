import { hourMs } from '@hookline/shared/kernel/durations';
import type { Worker } from '@hookline/shared/service';
import { pruneHistory } from '../actions/prune-history.ts';
import type { AutomationDeps } from '../deps.ts';

/** Polls once an hour, and on while there is more. */
export function pruneOldWorker(deps: AutomationDeps): Worker {
  return { name: 'prune-old', work: () => pruneHistory(deps), pollMs: hourMs };
}
