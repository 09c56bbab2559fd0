import type { FastifyInstance } from 'fastify';
import type { World } from '../world.ts';
import { type Caller, type Outcome, runApiCall } from './call.ts';
import { refusal } from './envelope.ts';
import { objectFrom } from './init-rules.ts';
import { sharesOf } from './state.ts';

const idsMax = 20;
const queriesPerMinuteMax = 600;

/** The creator's own public posts by id, with the numbers that `/_control/videos/tiktok` set. */
export function videoRoutes(app: FastifyInstance, world: World): void {
  app.post('/v2/video/query/', (request, reply) =>
    runApiCall(world, request, reply, {
      operation: 'video_query',
      scopes: () => ['video.list'],
      perMinuteMax: () => queriesPerMinuteMax,
      work: (caller, { query, body }) =>
        queryVideos(world, caller, (query as Record<string, unknown>).fields, body),
    }),
  );
}

function queryVideos(world: World, { creator }: Caller, fields: unknown, body: unknown): Outcome {
  const names = typeof fields === 'string' ? fields.split(',') : [];
  const ids = (objectFrom(body)?.filters as { video_ids?: unknown } | null | undefined)?.video_ids;
  if (names.length === 0 || names.some(name => !knownFields.has(name))) {
    return { refused: refusal('invalid_params', 'fields must be a comma-separated list of video fields.') };
  }
  // Ids are strings here, unlike in the answer of status/fetch.
  if (!Array.isArray(ids) || ids.some(id => typeof id !== 'string' || !/^\d+$/.test(id))) {
    return { refused: refusal('invalid_params', 'filters.video_ids must be a list of ids.') };
  }
  if (ids.length === 0 || ids.length > idsMax) {
    return { refused: refusal('invalid_params', `filters.video_ids must have 1 to ${idsMax} ids.`) };
  }
  if (ids.some(id => world.videos.find('tiktok', id)?.refused)) return { refused: refusal('invalid_params') };
  const shown = sharesOf(world.tiktok, creator.username).flatMap(share =>
    share.isPublic ? [share.postId, ...(share.morePostIds ?? [])].map(id => ({ id, share })) : [],
  );
  // What is not the creator's, or not public, is left out without a word.
  const videos = shown.filter(({ id }) => ids.includes(id) && !world.videos.find('tiktok', id)?.removed);
  return {
    data: {
      videos: videos.map(({ id, share }) => {
        const set = world.videos.find('tiktok', id);
        const video: Record<string, unknown> = {
          id,
          create_time: Math.floor((share.publicAt ?? share.createdAt) / 1_000),
          title: share.title,
          video_description: share.description,
          share_url: `${world.settings.publicUrl}/tiktok/@${creator.username}/photo/${id}`,
          duration: 0,
          view_count: set?.views ?? 0,
          like_count: set?.likes ?? 0,
          comment_count: set?.comments ?? 0,
          share_count: set?.shares ?? 0,
        };
        return Object.fromEntries(names.map(name => [name, video[name]]));
      }),
    },
  };
}

const knownFields = new Set([
  ...['id', 'create_time', 'title', 'video_description', 'share_url', 'duration'],
  ...['view_count', 'like_count', 'comment_count', 'share_count'],
]);
