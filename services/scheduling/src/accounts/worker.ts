import type { Worker } from '@hookline/shared/service';
import type { SchedulingDeps } from '../deps.ts';
import { renewGrants } from './renew.ts';

/** A round runs at the start and every five minutes. */
export function keepAccountsWorker(deps: SchedulingDeps): Worker {
  return { name: 'keep-accounts', work: () => renewGrants(deps), pollMs: 5 * 60_000 };
}
