import type { ContentDeps } from '../deps.ts';
import { listExpiredReservations } from '../queries/credits.ts';
import { releaseGeneration } from './charge.ts';

/** Gives back credits that were set aside for work that died. Work that still lives sets one aside again at its end. */
export async function releaseDeadReservations(deps: Pick<ContentDeps, 'db' | 'log'>): Promise<void> {
  for (const contentId of await listExpiredReservations(deps.db)) {
    await deps.db.transaction(tx => releaseGeneration(tx, contentId));
    deps.log.info({ contentId }, 'a credit that was set aside for work that died was given back');
  }
}
