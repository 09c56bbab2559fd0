import { addStandingRoute, deleteRows } from '@hookline/shared/leaving';
import type { FastifyInstance } from 'fastify';
import type { AnalyticsDeps } from '../deps.ts';
import { deletionSteps } from './queries.ts';

export function addUpkeepRoutes(app: FastifyInstance, { db, now, log }: AnalyticsDeps): void {
  addStandingRoute(app, {
    ...{ service: 'analytics', db, now, log },
    remove: async ({ accountId, untilMs }) => ({
      isDone: await deleteRows(db, deletionSteps, accountId, untilMs),
      note: null,
    }),
  });
}
