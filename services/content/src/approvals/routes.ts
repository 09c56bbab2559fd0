import { ApiError } from '@hookline/shared/contracts';
import { reviewApp as reviewAppRoute } from '@hookline/shared/contracts/apps';
import { approveContent, rejectContent, requestChanges } from '@hookline/shared/contracts/content';
import { reviewByLink as reviewByLinkRoute } from '@hookline/shared/contracts/internal';
import { addInternalRoute, addWriteRoute } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import { toAppWithSeedHooks } from '../apps/record.ts';
import { onceSettled } from '../contents/once-settled.ts';
import { type ContentWithImages, toContent } from '../contents/record.ts';
import type { ContentDeps } from '../deps.ts';
import { listUnreviewedPictures } from '../pictures/queries.ts';
import { askForChanges } from './request-changes.ts';
import { reviewApp } from './review-app.ts';
import { reviewByLink } from './review-by-link.ts';
import { reviewContent } from './review-content.ts';

export function addApprovalRoutes(app: FastifyInstance, deps: ContentDeps): void {
  const record = (row: ContentWithImages) => toContent(row, id => deps.links.slideUrls(id, deps.now()));

  addWriteRoute(app, deps, approveContent, {
    around: onceSettled,
    async write(tx, { caller, params, body, requestId }) {
      const review = { caller, contentId: params.id, decision: 'approved' as const, requestId };
      return { data: record(await reviewContent(deps, tx, { ...review, seen: body, reason: undefined })) };
    },
  });

  addWriteRoute(app, deps, rejectContent, {
    around: onceSettled,
    async write(tx, { caller, params, body, requestId }) {
      const review = { caller, contentId: params.id, decision: 'rejected' as const, requestId };
      const { reason, ...seen } = body;
      return { data: record(await reviewContent(deps, tx, { ...review, seen, reason })) };
    },
  });

  addWriteRoute(app, deps, requestChanges, {
    async write(tx, { caller, params, body: { reason, ...seen } }) {
      return { data: record(await askForChanges(deps, tx, { caller, contentId: params.id, seen, reason })) };
    },
  });

  addWriteRoute(app, deps, reviewAppRoute, {
    async write(tx, request) {
      const row = await reviewApp(tx, request);
      const imageUrl = (id: string) => deps.links.imageUrl(id, deps.now());
      return { data: toAppWithSeedHooks(row, await listUnreviewedPictures(tx, row.id), imageUrl) };
    },
  });

  addInternalRoute(app, reviewByLinkRoute, async ({ params, body, call: { caller, requestId } }) => {
    if (!caller) throw new ApiError('unauthorized');
    return { deck: await reviewByLink(deps, { ...body, caller, contentId: params.id ?? '', requestId }) };
  });
}
