import { hourMs } from '@hookline/shared/kernel/durations';
import type { Worker } from '@hookline/shared/service';
import type { IdentityDeps } from '../../identity-deps.ts';
import { pruneAudit } from './prune.ts';

export function pruneAuditWorker(deps: IdentityDeps): Worker {
  return { name: 'prune-audit', work: () => pruneAudit(deps), pollMs: hourMs, needsSteadyClock: true };
}
