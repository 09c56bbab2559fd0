import { findSchedulesOfFirings } from '@hookline/shared/contracts/internal';
import { addInternalRoute } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import type { SchedulingDeps } from '../deps.ts';
import { listAnswersToFirings } from './queries.ts';
import { toFiringAnswer } from './record.ts';

export function addRequestRoutes(app: FastifyInstance, deps: SchedulingDeps): void {
  // Automation asks when it has not heard of a firing for a long time.
  addInternalRoute(app, findSchedulesOfFirings, async ({ body: { firingIds } }) => {
    const found = new Map((await listAnswersToFirings(deps.db, firingIds)).map(row => [row.firingId, row]));
    return { answers: firingIds.map(id => toFiringAnswer(found.get(id))) };
  });
}
