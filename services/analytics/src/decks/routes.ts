import { ApiError, notFound } from '@hookline/shared/contracts';
import { summarizeWeek } from '@hookline/shared/contracts/internal';
import * as contracts from '@hookline/shared/contracts/results';
import { addInternalRoute, addRoute, addWriteRoute } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import type { AnalyticsDeps } from '../deps.ts';
import { toPost } from '../posts/record.ts';
import { registerPost } from '../posts/register.ts';
import { windowStart } from '../summary/days.rules.ts';
import { findPost } from './add-post.ts';
import { enterResults } from './enter.ts';
import { ledgerOf } from './ledger.rules.ts';
import { findResults, listSettled, sumPosted } from './queries.ts';
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

  addInternalRoute(app, summarizeWeek, async ({ body: { since, until, timezone }, call: { caller } }) => {
    if (!caller) throw new ApiError('unauthorized');
    const { accountId } = caller;
    const limits = { appId: null, since: windowStart(deps.now(), contracts.comparedDays) };
    const decks = await listSettled(deps.db, accountId, { ...limits, limit: contracts.comparedMax });
    const rows = ledgerOf(decks, timezone).toSorted((one, other) => other.lift - one.lift);
    return {
      ...(await sumPosted(deps.db, accountId, new Date(since), new Date(until))),
      next: rows.find(({ verdict }) => verdict === 'better') ?? null,
      worse: rows.findLast(({ verdict }) => verdict === 'worse') ?? null,
    };
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
