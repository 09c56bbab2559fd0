import * as contracts from '@hookline/shared/contracts/internal';
import { addInternalRoute } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import type { ContentDeps } from '../deps.ts';
import { grantSendPermit, grantSendPermits } from './grant.ts';
import { listOpenPermits } from './queries.ts';
import { permitAgeMs, releasePermits } from './release.ts';

export function addPermitRoutes(app: FastifyInstance, deps: ContentDeps): void {
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
    return {
      permits: permits.map(({ scheduleId, grantedAt }) => ({
        scheduleId,
        grantedAt: grantedAt.toISOString(),
      })),
    };
  });

  addInternalRoute(app, contracts.releasePermits, async ({ body }) => ({
    released: await releasePermits(deps, body.ends),
  }));
}
