import { hourMs } from '@hookline/shared/kernel/durations';
import type { Worker } from '@hookline/shared/service';
import type { GatewayDeps } from '../../deps.ts';
import { pruneAudit } from './prune.ts';

export function pruneAuditWorker(deps: GatewayDeps): Worker {
  return { name: 'prune-audit', work: () => pruneAudit(deps), pollMs: hourMs };
}
