import type { Worker } from '@hookline/shared/service';
import { renewGrants } from '../actions/renew-grants.ts';
import type { SchedulingDeps } from '../deps.ts';

/** Renews grants ahead of their posts: at start and every five minutes. */
export function keepAccountsWorker(deps: SchedulingDeps): Worker {
  return { name: 'keep-accounts', work: () => renewGrants(deps), pollMs: 5 * 60_000 };
}
