import { startExperiment as startRoute } from '@hookline/shared/contracts/experiments';
import { addWriteRoute } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import type { ContentDeps } from '../deps.ts';
import { drawCopies, startExperiment } from './start.ts';

export function addExperimentRoutes(app: FastifyInstance, deps: ContentDeps): void {
  addWriteRoute(app, deps, startRoute, {
    prepare: input => drawCopies(deps, input),
    write: async (tx, input, drawn) => ({ data: await startExperiment(deps, tx, input, drawn) }),
  });
}
