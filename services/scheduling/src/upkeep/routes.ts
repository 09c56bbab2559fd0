import { addStandingRoute, type DeletionRequest } from '@hookline/shared/leaving';
import type { FastifyInstance } from 'fastify';
import type { SchedulingDeps } from '../deps.ts';
import { deleteWorkspace } from './delete-workspace.ts';

export function addUpkeepRoutes(app: FastifyInstance, deps: SchedulingDeps): void {
  const { db, now, log } = deps;
  const remove = (request: DeletionRequest) => deleteWorkspace(deps, request);
  addStandingRoute(app, { service: 'scheduling', db, now, log, remove });
}
