import { onePerPoll, type Worker } from '@hookline/shared/service';
import type { ContentDeps } from '../deps.ts';
import { releaseDeadReservations } from './release-dead.ts';

/** Dashboards know this worker by its first name, `tidy`. */
export function releaseReservationsWorker(deps: ContentDeps): Worker {
  return { name: 'tidy', work: onePerPoll(() => releaseDeadReservations(deps)), pollMs: 15_000 };
}
