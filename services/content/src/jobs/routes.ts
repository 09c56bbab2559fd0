import { notFound } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/content';
import { addRoute } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import { findContent } from '../contents/queries.ts';
import { toJob } from '../contents/record.ts';
import type { ContentDeps } from '../deps.ts';
import { createContent } from './create.ts';

export function addJobRoutes(app: FastifyInstance, deps: ContentDeps): void {
  addRoute(app, contracts.createContent, request => createContent(deps, request));

  addRoute(app, contracts.getJob, async ({ caller, params }) => {
    const row = await findContent(deps.db, caller.accountId, params.id);
    if (!row) throw notFound('job');
    return { data: toJob(row) };
  });
}
