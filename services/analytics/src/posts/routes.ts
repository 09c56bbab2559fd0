import { notFound } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/analytics';
import { addRoute, addWriteRoute } from '@hookline/shared/http';
import { readPage, toPage } from '@hookline/shared/kernel';
import type { FastifyInstance } from 'fastify';
import type { AnalyticsDeps } from '../deps.ts';
import { fillDays, readRange } from '../summary/days.rules.ts';
import { historyOf, sumCounts } from '../summary/history.rules.ts';
import { listPostDays, listPublished, listTotals } from '../summary/queries.ts';
import { sumByPlatform } from '../summary/queries-rollups.ts';
import { defaultWindowDays, windowStart } from '../summary/window.rules.ts';
import { listPosts, listPostsOfVideo } from './queries.ts';
import { toListedPost, toMeasuredPost, toPost } from './record.ts';
import { registerPost } from './register.ts';

const note = 'TikTok metrics are not yet included: these numbers are of Instagram and YouTube only.';
const nothing = { views: 0, likes: 0, comments: 0, posts: 0 };

export function addAnalyticsRoutes(app: FastifyInstance, { db, now }: AnalyticsDeps): void {
  addRoute(app, contracts.getAnalyticsSummary, async ({ caller, query }) => {
    const windowDays = query.windowDays ?? defaultWindowDays;
    const rows = await sumByPlatform(db, caller.accountId, windowStart(now(), windowDays));
    const byPlatform = { instagram: nothing, youtube: nothing };
    for (const { platform, ...numbers } of rows) byPlatform[platform] = numbers;
    const posts = rows.reduce((sum, row) => sum + row.posts, 0);
    return { data: { windowDays, totals: { ...sumCounts(rows), posts }, byPlatform, note } };
  });

  addRoute(app, contracts.getVideoAnalytics, async ({ caller, params: { videoId } }) => {
    // One snapshot, so that the history and the totals show the same collections.
    const { posts, days } = await db.snapshot(async sql => {
      const ofVideo = await listPostsOfVideo(sql, caller.accountId, videoId);
      const ids = ofVideo.map(post => post.id);
      return { posts: ofVideo, days: ids.length === 0 ? [] : await listPostDays(sql, ids) };
    });
    if (posts.length === 0) throw notFound('video');
    return {
      data: {
        videoId,
        posts: posts.map(toMeasuredPost),
        totals: sumCounts(posts),
        history: historyOf(days),
      },
    };
  });

  addRoute(app, contracts.listPosts, async ({ caller, query }) => {
    const page = readPage(query);
    const rows = await listPosts(db, caller.accountId, query, page);
    return toPage(rows, page, toListedPost);
  });

  addRoute(app, contracts.getSeries, async ({ caller, query }) => {
    const range = { ...readRange(query, now()), platform: query.platform ?? null };
    // One snapshot, so that posts and numbers show the same collections.
    const [totals, published] = await db.snapshot(sql =>
      Promise.all([listTotals(sql, caller.accountId, range), listPublished(sql, caller.accountId, range)]),
    );
    return { data: fillDays(range, totals, published) };
  });

  addWriteRoute(app, { db, now }, contracts.registerPost, {
    write: async (tx, { caller, body }) => ({
      data: toPost(await registerPost(tx, caller.accountId, body, now())),
    }),
  });
}
