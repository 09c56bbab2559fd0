import * as contracts from '@hookline/shared/contracts/analytics';
import { addRoute } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import type { AnalyticsDeps } from '../deps.ts';
import { defaultDays, fillDays, readRange, windowStart } from './days.rules.ts';
import { sumCounts } from './history.rules.ts';
import { listPublished, listTotals, sumByPlatform, sumDecks } from './queries.ts';

const note =
  'TikTok metrics are not yet included in `totals` and `byPlatform`, which are of Instagram and YouTube; `decks` is what decks brought.';
const nothing = { views: 0, likes: 0, comments: 0, posts: 0 };

export function addSummaryRoutes(app: FastifyInstance, { db, now }: AnalyticsDeps): void {
  addRoute(app, contracts.getAnalyticsSummary, async ({ caller, query }) => {
    const windowDays = query.windowDays ?? defaultDays;
    const since = windowStart(now(), windowDays);
    const [rows, decks] = await Promise.all([
      sumByPlatform(db, caller.accountId, since),
      sumDecks(db, caller.accountId, since),
    ]);
    const byPlatform = { instagram: nothing, youtube: nothing };
    for (const { platform, ...numbers } of rows) byPlatform[platform] = numbers;
    const posts = rows.reduce((sum, row) => sum + row.posts, 0);
    return { data: { windowDays, decks, totals: { ...sumCounts(rows), posts }, byPlatform, note } };
  });

  addRoute(app, contracts.getSeries, async ({ caller, query }) => {
    const range = { ...readRange(query, now()), platform: query.platform ?? null };
    // One snapshot, so that posts and numbers show the same collections.
    const [totals, published] = await db.snapshot(sql =>
      Promise.all([listTotals(sql, caller.accountId, range), listPublished(sql, caller.accountId, range)]),
    );
    return { data: fillDays(range, totals, published) };
  });
}
