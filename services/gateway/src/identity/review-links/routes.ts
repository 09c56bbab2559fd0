import { getContent } from '@hookline/shared/contracts/internal';
import * as contracts from '@hookline/shared/contracts/review-links';
import { answerText, type Caller } from '@hookline/shared/http';
import { readPage, toPage } from '@hookline/shared/kernel';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IdentityDeps } from '../../identity-deps.ts';
import type { By } from '../audit/record.ts';
import { addOwnRoute, addOwnWriteRoute } from '../sessions/own-route.ts';
import { fromOf } from '../sessions/session-of.ts';
import { createReviewLink, findVersionToShow } from './create.ts';
import { openReviewLink } from './open.ts';
import { listReviewLinks } from './queries.ts';
import { toReviewLink } from './record.ts';
import { withdrawReviewLink } from './withdraw.ts';

export function addReviewLinkRoutes(app: FastifyInstance, deps: IdentityDeps): void {
  addOwnWriteRoute(app, deps, contracts.createReviewLink, {
    prepare: input => findVersionToShow(deps, input),
    async write(tx, input, version) {
      const by = byCaller(deps, input.caller, input.request);
      const { row, url } = await createReviewLink(deps, { tx, by }, input, version);
      return { data: { ...toReviewLink(row), url } };
    },
    // A replay cannot contain the link: it is not stored.
    keep: ({ data: { url: _, ...record } }) => answerText(contracts.createReviewLink, { data: record }),
  });

  addOwnRoute(app, contracts.listReviewLinks, async ({ caller, params, query }) => {
    await deps.peers.call(getContent, { params, caller, body: {} });
    const page = readPage(query);
    const ofContent = { accountId: caller.accountId, contentId: params.id };
    return toPage(await listReviewLinks(deps.db, ofContent, deps.now(), page), page, toReviewLink);
  });

  addOwnRoute(app, contracts.deleteReviewLink, async ({ caller, params, request }) => {
    await withdrawReviewLink(deps, byCaller(deps, caller, request), caller.accountId, params);
    return { data: { id: params.linkId, deleted: true as const } };
  });

  addOwnRoute(app, contracts.openReviewLink, async ({ body: { token }, request }) => ({
    data: await openReviewLink(deps, { token, address: deps.clientAddress(request) }),
  }));

  addOwnRoute(app, contracts.decideByReviewLink, async ({ body, request }) => ({
    data: await openReviewLink(deps, { token: body.token, address: deps.clientAddress(request) }, body),
  }));
}

function byCaller(deps: IdentityDeps, { actor }: Caller, request: FastifyRequest): By {
  if (!actor) throw new Error('a public route has a caller');
  const { kind, id, name } = actor;
  return { actor: { kind, id, name }, ...fromOf(deps, request) };
}
