import { addStandingRoute } from '@hookline/shared/leaving';
import type { FastifyInstance } from 'fastify';
import { deleteWorkspace } from '../actions/delete-workspace.ts';
import type { AnalyticsDeps } from '../deps.ts';

export function addInternalRoutes(app: FastifyInstance, { db, now, log }: AnalyticsDeps): void {
  addStandingRoute(app, {
    ...{ service: 'analytics', db, now, log },
    remove: request => deleteWorkspace({ db }, request),
  });
}
