import { notFound } from '@hookline/shared/contracts';
import {
  getAnalyticsSummary,
  getVideoAnalytics,
  registerPost as registerPostContract,
} from '@hookline/shared/contracts/analytics';
import { addRoute, addWriteRoute } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import { registerPost } from '../actions/register-post.ts';
import type { Parts } from '../parts.ts';
import { listPostsOfVideo, type MeasuredPostRow, type PostRow } from '../queries/posts.ts';
import { sumByPlatform } from '../queries/rollups.ts';
import { listPostDays } from '../queries/snapshots.ts';
import { historyOf, sumCounts } from '../rules/history.ts';
import { defaultWindowDays, windowStart } from '../rules/window.ts';

const note = 'TikTok metrics are not yet included: these numbers are of Instagram and YouTube only.';
const nothing = { views: 0, likes: 0, comments: 0, posts: 0 };

export function addAnalyticsRoutes(app: FastifyInstance, { db, now }: Parts): void {
  addRoute(app, getAnalyticsSummary, async ({ caller, query }) => {
    const windowDays = query.windowDays ?? defaultWindowDays;
    const rows = await sumByPlatform(db, caller.accountId, windowStart(now(), windowDays));
    const byPlatform = { instagram: nothing, youtube: nothing };
    for (const { platform, ...numbers } of rows) byPlatform[platform] = numbers;
    const posts = rows.reduce((sum, row) => sum + row.posts, 0);
    return { data: { windowDays, totals: { ...sumCounts(rows), posts }, byPlatform, note } };
  });

  addRoute(app, getVideoAnalytics, async ({ caller, params: { videoId } }) => {
    // Of one instant: the history never tells of a collection that the totals do not know.
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

  addWriteRoute(app, { db, now }, registerPostContract, {
    write: async (tx, { caller, body }) => ({
      data: toPost(await registerPost(tx, caller.accountId, body, now())),
    }),
  });
}

function toMeasuredPost({ id: _, publishedAt, collectedAt, ...post }: MeasuredPostRow) {
  return {
    ...post,
    publishedAt: publishedAt?.toISOString() ?? null,
    collectedAt: collectedAt?.toISOString() ?? null,
  };
}

function toPost({ publishedAt, createdAt, updatedAt, ...post }: PostRow) {
  return {
    ...post,
    publishedAt: publishedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
