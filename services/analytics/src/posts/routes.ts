import { notFound } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/analytics';
import { addRoute, addWriteRoute } from '@hookline/shared/http';
import { readPage, toPage } from '@hookline/shared/kernel';
import type { FastifyInstance } from 'fastify';
import type { AnalyticsDeps } from '../deps.ts';
import { historyOf, sumCounts } from '../summary/history.rules.ts';
import { listPostDays } from '../summary/queries.ts';
import { listPosts, listPostsOfVideo } from './queries.ts';
import { toListedPost, toMeasuredPost, toPost } from './record.ts';
import { registerPost } from './register.ts';

export function addPostRoutes(app: FastifyInstance, { db, now }: AnalyticsDeps): void {
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
    const rows = await listPosts(db, caller.accountId, { ...query, page });
    return toPage(rows, page, toListedPost);
  });

  addWriteRoute(app, { db, now }, contracts.registerPost, {
    write: async (tx, { caller, body }) => ({
      data: toPost(await registerPost({ tx, accountId: caller.accountId, now: now() }, body)),
    }),
  });
}
