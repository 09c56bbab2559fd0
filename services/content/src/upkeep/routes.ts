import {
  addStandingRoute,
  type DeletionProgress,
  type DeletionRequest,
  deleteRows,
} from '@hookline/shared/leaving';
import type { FastifyInstance } from 'fastify';
import type { ContentDeps } from '../deps.ts';
import { deletionSteps } from './queries.ts';

export function addUpkeepRoutes(app: FastifyInstance, { db, now, log }: ContentDeps): void {
  const remove = async ({ accountId, untilMs }: DeletionRequest): Promise<DeletionProgress> => ({
    isDone: await deleteRows(db, deletionSteps, accountId, untilMs),
    note: null,
  });
  addStandingRoute(app, { service: 'content', db, now, log, remove });
}
