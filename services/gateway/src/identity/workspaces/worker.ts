import type { Worker } from '@hookline/shared/service';
import type { IdentityDeps } from '../../identity-deps.ts';
import { settleSendingOf } from './update.ts';

export function settleSendingWorker(deps: IdentityDeps): Worker {
  return { name: 'settle-sending', work: () => settleSendingOf(deps), pollMs: 60_000 };
}
