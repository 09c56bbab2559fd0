import { hourMs } from '@hookline/shared/kernel/durations';
import type { Worker } from '@hookline/shared/service';
import { pruneAudit } from '../actions/prune-audit.ts';
import type { GatewayDeps } from '../deps.ts';

export function pruneAuditWorker(deps: GatewayDeps): Worker {
  return { name: 'prune-audit', work: () => pruneAudit(deps), pollMs: hourMs };
}
