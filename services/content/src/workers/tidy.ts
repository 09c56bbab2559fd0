import type { Worker } from '@hookline/shared/service';
import { releaseDeadReservations } from '../actions/release-dead-reservations.ts';
import type { ContentDeps } from '../deps.ts';

/** Gives back the credits of work that died, every 15 s. */
export function tidy(deps: ContentDeps): Worker {
  async function release(): Promise<false> {
    await releaseDeadReservations(deps);
    return false;
  }
  return { name: 'tidy', work: release, pollMs: 15_000 };
}
