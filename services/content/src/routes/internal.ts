import { ApiError, notFound } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/internal';
import type { VerifiedCall } from '@hookline/shared/http';
import { addInternalRoute } from '@hookline/shared/http';
import { addStandingRoute } from '@hookline/shared/leaving';
import type { FastifyInstance } from 'fastify';
import { deleteWorkspace } from '../actions/delete-workspace.ts';
import { grantSendPermit, grantSendPermits } from '../actions/grant-send-permit.ts';
import { releasePermits } from '../actions/release-permits.ts';
import type { ContentDeps } from '../deps.ts';
import { findApp } from '../queries/apps.ts';
import { findContent, listContentsOfFirings } from '../queries/contents.ts';
import { listOpenPermits } from '../queries/permits.ts';
import { toContentsOfFirings, toEventContent } from '../records/content.ts';
import { toOpenPermit } from '../records/permit.ts';

// Longer than any healthy schedule takes to send, except one whose outcome TikTok has not reported.
const permitAgeMs = 30 * 60_000;

/** Internal routes for other services. */
export function addInternalRoutes(app: FastifyInstance, deps: ContentDeps): void {
  const { db, now, log } = deps;
  addStandingRoute(app, {
    ...{ service: 'content', db, now, log },
    remove: request => deleteWorkspace(deps, request),
  });

  addInternalRoute(app, contracts.getContentForPosting, async ({ params, call }) => {
    const content = await findContent(deps.db, accountOf(call), params.id ?? '');
    if (!content) throw notFound('content');
    return { content: toEventContent(content) };
  });

  addInternalRoute(app, contracts.findApp, async ({ params, call }) => ({
    exists: (await findApp(deps.db, accountOf(call), params.id ?? '')) !== null,
  }));

  addInternalRoute(app, contracts.requestSendPermit, ({ params, body }) =>
    grantSendPermit(deps, { contentId: params.id ?? '', ...body }),
  );

  addInternalRoute(app, contracts.requestSendPermits, async ({ body }) => ({
    answers: await grantSendPermits(deps, body.permits),
  }));

  addInternalRoute(app, contracts.listOpenPermits, async ({ body: { after } }) => {
    const before = new Date(deps.now().getTime() - permitAgeMs);
    const from = after && { ...after, grantedAt: new Date(after.grantedAt) };
    const permits = await listOpenPermits(deps.db, before, from, contracts.reconcilePageMax);
    return { permits: permits.map(toOpenPermit) };
  });

  addInternalRoute(app, contracts.releasePermits, async ({ body }) => ({
    released: await releasePermits(deps, body.ends),
  }));

  addInternalRoute(app, contracts.findContentsOfFirings, async ({ body: { firingIds } }) => ({
    contents: toContentsOfFirings(firingIds, await listContentsOfFirings(deps.db, firingIds)),
  }));
}

function accountOf(call: VerifiedCall): string {
  if (!call.caller) throw new ApiError('unauthorized');
  return call.caller.accountId;
}
