import type { Worker } from '@hookline/shared/service';
import type { IdentityDeps } from '../../identity-deps.ts';
import { startWeek } from './start.ts';

export function startWeeksWorker(deps: IdentityDeps): Worker {
  return { name: 'start-weeks', work: () => startWeek(deps), pollMs: 60_000 };
}
