import { notFound } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/results';
import { addRoute, addWriteRoute } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import type { AnalyticsDeps } from '../deps.ts';
import { toPost } from '../posts/record.ts';
import { registerPost } from '../posts/register.ts';
import { windowStart } from '../summary/days.rules.ts';
import { findPost } from './add-post.ts';
import { enterResults } from './enter.ts';
import { ledgerOf } from './ledger.rules.ts';
import { findResults, listSettled } from './queries.ts';
import { toResults } from './record.ts';

export function addDeckRoutes(app: FastifyInstance, deps: AnalyticsDeps): void {
  addRoute(app, contracts.getResults, async ({ caller, params: { id } }) => {
    const results = await findResults(deps.db, caller.accountId, id);
    if (!results) throw notFound('content');
    return { data: results.at && toResults({ ...results, at: results.at }) };
  });

  addRoute(app, contracts.compareDecks, async ({ caller, query }) => {
    const { windowDays = contracts.comparedDays, appId = null, timezone = 'UTC' } = query;
    const since = windowStart(deps.now(), windowDays);
    const decks = await listSettled(deps.db, caller.accountId, {
      ...{ appId, since },
      limit: contracts.comparedMax,
    });
    return { data: ledgerOf(decks, timezone) };
  });

  addWriteRoute(app, deps, contracts.addDeckPost, {
    prepare: ({ caller: { accountId }, params: { id: contentId }, body: { url } }) =>
      findPost(deps, { accountId, contentId, url }),
    write: async (tx, { caller: { accountId }, params: { id: videoId } }, post) => {
      const ctx = { tx, accountId, now: deps.now() };
      return { data: toPost(await registerPost(ctx, { videoId, ...post }, 'url')) };
    },
  });

  addWriteRoute(app, deps, contracts.enterResults, {
    write: async (tx, { caller, params: { id }, body }) => ({
      data: toResults(await enterResults(tx, caller, { contentId: id, entered: body, now: deps.now() })),
    }),
  });
}
