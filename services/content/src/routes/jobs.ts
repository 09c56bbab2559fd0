import { notFound } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/content';
import { addRoute } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import { createContent } from '../actions/create-content.ts';
import type { ContentDeps } from '../deps.ts';
import { findContent } from '../queries/contents.ts';
import { toJob } from '../records/content.ts';

export function addJobRoutes(app: FastifyInstance, deps: ContentDeps): void {
  addRoute(app, contracts.createContent, request => createContent(deps, request));

  addRoute(app, contracts.getJob, async ({ caller, params }) => {
    const row = await findContent(deps.db, caller.accountId, params.id);
    if (!row) throw notFound('job');
    return { data: toJob(row) };
  });
}
