import { addStandingRoute } from '@hookline/shared/leaving';
import type { FastifyInstance } from 'fastify';
import type { AnalyticsDeps } from '../deps.ts';
import { deleteWorkspace } from './delete-workspace.ts';

export function addInternalRoutes(app: FastifyInstance, { db, now, log }: AnalyticsDeps): void {
  addStandingRoute(app, {
    ...{ service: 'analytics', db, now, log },
    remove: request => deleteWorkspace({ db }, request),
  });
}
