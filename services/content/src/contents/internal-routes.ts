import { ApiError, notFound } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/internal';
import { addInternalRoute, type VerifiedCall } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import { findApp } from '../apps/queries.ts';
import type { ContentDeps } from '../deps.ts';
import { findContent, listContentsOfFirings } from './queries.ts';
import { toContentsOfFirings, toEventContent } from './record.ts';

export function addInternalRoutes(app: FastifyInstance, { db }: ContentDeps): void {
  addInternalRoute(app, contracts.getContentForPosting, async ({ params, call }) => {
    const content = await findContent(db, accountOf(call), params.id ?? '');
    if (!content) throw notFound('content');
    return { content: toEventContent(content) };
  });

  addInternalRoute(app, contracts.findApp, async ({ params, call }) => ({
    exists: (await findApp(db, accountOf(call), params.id ?? '')) !== null,
  }));

  addInternalRoute(app, contracts.findContentsOfFirings, async ({ body: { firingIds } }) => ({
    contents: toContentsOfFirings(firingIds, await listContentsOfFirings(db, firingIds)),
  }));
}

function accountOf(call: VerifiedCall): string {
  if (!call.caller) throw new ApiError('unauthorized');
  return call.caller.accountId;
}
