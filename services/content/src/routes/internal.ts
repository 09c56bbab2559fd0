import type { VerifiedCall } from '@hookline/shared/caller';
import {
  findApp,
  getContentForPosting,
  requestSendPermit,
  requestSendPermits,
} from '@hookline/shared/contracts/internal';
import { ApiError, notFound } from '@hookline/shared/errors';
import { addInternalRoute } from '@hookline/shared/http/routes';
import type { FastifyInstance } from 'fastify';
import { grantSendPermit, grantSendPermits } from '../actions/grant-send-permit.ts';
import type { ContentDeps } from '../deps.ts';
import { findApp as selectApp } from '../queries/apps.ts';
import { findContent } from '../queries/contents.ts';
import { toEventContent } from '../rules/content-record.ts';

/** What other services ask of content. */
export function addInternalRoutes(app: FastifyInstance, deps: ContentDeps): void {
  addInternalRoute(app, getContentForPosting, async ({ params, call }) => {
    const content = await findContent(deps.db, accountOf(call), params.id ?? '');
    if (!content) throw notFound('content');
    return { content: toEventContent(content) };
  });

  addInternalRoute(app, findApp, async ({ params, call }) => ({
    exists: (await selectApp(deps.db, accountOf(call), params.id ?? '')) !== null,
  }));

  addInternalRoute(app, requestSendPermit, ({ params, body }) =>
    grantSendPermit(deps, { contentId: params.id ?? '', ...body }),
  );

  addInternalRoute(app, requestSendPermits, async ({ body }) => ({
    answers: await grantSendPermits(deps, body.permits),
  }));
}

function accountOf(call: VerifiedCall): string {
  if (!call.caller) throw new ApiError('unauthorized');
  return call.caller.accountId;
}
