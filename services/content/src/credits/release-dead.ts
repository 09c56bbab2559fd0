import { isOwnFault } from '@hookline/shared/postgres';
import type { ContentDeps } from '../deps.ts';
import { releaseGeneration } from './charge.ts';
import { listExpiredReservations } from './queries.ts';

/** Gives back credits of work that died. Work that is still alive reserves one again at its end. */
export async function releaseDeadReservations(deps: Pick<ContentDeps, 'db' | 'log'>): Promise<void> {
  for (const contentId of await listExpiredReservations(deps.db)) {
    try {
      if (await deps.db.transaction(tx => releaseGeneration(tx, contentId, true)))
        deps.log.info({ contentId }, 'a credit that was set aside for work that died was given back');
    } catch (error) {
      if (!isOwnFault(error)) throw error;
      deps.log.error({ err: error, contentId }, 'a credit that was set aside could not be given back');
    }
  }
}
