import { ApiError, notFound } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/internal';
import { addInternalRoute, type VerifiedCall } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import type { ContentDeps } from '../deps.ts';
import { findApp } from '../queries/apps.ts';
import { findContent, listContentsOfFirings } from '../queries/contents.ts';
import { toContentsOfFirings, toEventContent } from '../records/content.ts';

/** Adds what scheduling and automation ask about contents and apps. */
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
