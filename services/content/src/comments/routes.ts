import { notFound } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/comments';
import { addRoute, addWriteRoute } from '@hookline/shared/http';
import { readPage, toPage } from '@hookline/shared/kernel';
import type { FastifyInstance } from 'fastify';
import { hasContent } from '../contents/queries.ts';
import type { ContentDeps } from '../deps.ts';
import { addComment } from './comment.ts';
import { listComments } from './queries.ts';
import { toComment } from './record.ts';

export function addCommentRoutes(app: FastifyInstance, deps: ContentDeps): void {
  addWriteRoute(app, deps, contracts.createComment, {
    write: async (tx, request) => ({ data: toComment(await addComment(deps, tx, request)) }),
  });

  addRoute(app, contracts.listComments, async ({ caller, params, query }) => {
    if (!(await hasContent(deps.db, caller.accountId, params.id))) throw notFound('content');
    const page = readPage(query);
    return toPage(await listComments(deps.db, params.id, page), page, toComment);
  });
}
