import { ApiError, notFound } from '@hookline/shared/contracts';
import {
  findApp,
  findContentsOfFirings,
  getContentForPosting,
  listOpenPermits,
  reconcilePageMax,
  releasePermits,
  requestSendPermit,
  requestSendPermits,
} from '@hookline/shared/contracts/internal';
import type { VerifiedCall } from '@hookline/shared/http';
import { addInternalRoute } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import { grantSendPermit, grantSendPermits } from '../actions/grant-send-permit.ts';
import { releasePermits as releaseOpenPermits } from '../actions/release-permits.ts';
import type { ContentDeps } from '../deps.ts';
import { findApp as selectApp } from '../queries/apps.ts';
import { type ContentOfFiring, findContent, listContentsOfFirings } from '../queries/contents.ts';
import { listOpenPermits as selectOpenPermits } from '../queries/permits.ts';
import { toEventContent } from '../rules/content-record.ts';

// No healthy schedule is sent for so long, but for one whose outcome TikTok has not told.
const permitAgeMs = 30 * 60_000;

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

  addInternalRoute(app, listOpenPermits, async ({ body: { after } }) => {
    const before = new Date(deps.now().getTime() - permitAgeMs);
    const from = after && { ...after, grantedAt: new Date(after.grantedAt) };
    const permits = await selectOpenPermits(deps.db, before, from, reconcilePageMax);
    return { permits: permits.map(permit => ({ ...permit, grantedAt: permit.grantedAt.toISOString() })) };
  });

  addInternalRoute(app, releasePermits, async ({ body }) => ({
    released: await releaseOpenPermits(deps, body.ends),
  }));

  addInternalRoute(app, findContentsOfFirings, async ({ body: { firingIds } }) => {
    const found = new Map(
      (await listContentsOfFirings(deps.db, firingIds)).map(content => [content.firingId, content]),
    );
    return { contents: firingIds.map(id => toContentOfFiring(found.get(id))) };
  });
}

function toContentOfFiring(content: ContentOfFiring | undefined) {
  if (!content) return null;
  const { id, status, approvalStatus, decidedAt, errorCode: code, errorMessage } = content;
  const error = code === null ? null : { code, message: errorMessage ?? '' };
  return { id, status, approvalStatus, decidedAt: decidedAt?.toISOString() ?? null, error };
}

function accountOf(call: VerifiedCall): string {
  if (!call.caller) throw new ApiError('unauthorized');
  return call.caller.accountId;
}
