import { notFound } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/content';
import { createContentBatch, UncheckedBatch } from '@hookline/shared/contracts/content-batch';
import { addRoute, addWriteRoute } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import { findContent } from '../contents/queries.ts';
import { toContent, toJob } from '../contents/record.ts';
import type { ContentDeps } from '../deps.ts';
import { createContent } from './create.ts';
import { createBatch } from './create-batch.ts';
import { duplicateContent } from './duplicate.ts';

export function addJobRoutes(app: FastifyInstance, deps: ContentDeps): void {
  addRoute(app, contracts.createContent, request => createContent(deps, request));

  // Each item is checked by itself, so that a bad one stops no other.
  addRoute(app, { ...createContentBatch, body: UncheckedBatch }, request => createBatch(deps, request));

  addWriteRoute(app, deps, contracts.duplicateContent, {
    async write(tx, request) {
      const row = await duplicateContent(deps, tx, request);
      return { data: toContent(row, id => deps.links.slideUrls(id, deps.now())) };
    },
  });

  addRoute(app, contracts.getJob, async ({ caller, params }) => {
    const row = await findContent(deps.db, caller.accountId, params.id);
    if (!row) throw notFound('job');
    return { data: toJob(row) };
  });
}
