import type { FastifyInstance } from 'fastify';
import { defaultDelayMs } from '../faults/faults.ts';
import type { World } from '../world.ts';
import { type Caller, type Outcome, runApiCall } from './call.ts';
import { accountRefusal, capRefusal, creatorState } from './creator-rules.ts';
import { refusal } from './envelope.ts';
import { bareNumber, newLogId } from './ids.ts';
import { modeOf, readPhotoInit, stringField } from './init-rules.ts';
import { isOwnedUrl } from './ownership.ts';
import type { Puller } from './pull.ts';
import type { Share } from './share.ts';
import { insertShare } from './shares.ts';
import { getClient } from './state.ts';

const bothScopes = ['video.upload', 'video.publish'];
const creatorInfoPerMinuteMax = 20;
const statusPerMinuteMax = 30;

const initRequestsKept = 20_000;

/** Content Posting for photos: creator_info, content/init, status/fetch. */
export function publishRoutes(app: FastifyInstance, world: World, puller: Puller): void {
  app.post('/v2/post/publish/creator_info/query/', (request, reply) =>
    runApiCall(world, request, reply, {
      operation: 'creator_info',
      scopes: () => ['video.publish'],
      perMinuteMax: () => creatorInfoPerMinuteMax,
      work: caller => creatorInfo(world, caller),
    }),
  );
  app.post('/v2/post/publish/content/init/', (request, reply) =>
    runApiCall(world, request, reply, {
      operation: 'content_init',
      scopes: ({ body }) => initScopes(body),
      perMinuteMax: creator => creator.initPerMinuteMax,
      work: (caller, { body }) => init(world, puller, caller, body),
      record: (caller, outcome, fault) => recordInit(world, caller, outcome, fault),
    }),
  );
  app.post('/v2/post/publish/status/fetch/', (request, reply) =>
    runApiCall(world, request, reply, {
      operation: 'status_fetch',
      scopes: () => bothScopes,
      perMinuteMax: () => statusPerMinuteMax,
      work: (caller, { body }) => status(world, caller, body),
    }),
  );
}

// Cannot-post-now states come with HTTP 200. The options of a public account list PUBLIC even for an
// unaudited client.
function creatorInfo(world: World, { creator }: Caller): Outcome {
  const { shares } = world.tiktok;
  const state = creatorState(creator, getClient(world.tiktok), shares, world.now());
  if (state !== null) return { refused: { ...refusal(state), status: 200 } };
  return {
    data: {
      creator_avatar_url: `${world.settings.publicUrl}/tiktok/avatars/${creator.username}.png`,
      creator_username: creator.username,
      creator_nickname: creator.displayName,
      privacy_level_options: creator.privacyLevels,
      comment_disabled: creator.commentDisabled,
      duet_disabled: false,
      stitch_disabled: false,
      max_video_post_duration_sec: 600,
    },
  };
}

function initScopes(body: unknown): string[] {
  const mode = modeOf(body);
  if (mode === null) return bothScopes;
  return mode === 'DIRECT_POST' ? ['video.publish'] : ['video.upload'];
}

function init(world: World, puller: Puller, { creator }: Caller, body: unknown): Outcome {
  const { settings, tiktok } = world;
  const client = getClient(tiktok);
  const read = readPhotoInit(body);
  if (typeof read === 'string') return { refused: refusal('invalid_param', read) };
  const now = world.now();
  const { shares } = tiktok;
  const isOwned = (url: string) => isOwnedUrl(url, settings.verifiedUrls, settings.allowLocalhostMedia);
  const code =
    accountRefusal(read, creator, client, shares, now) ??
    (read.imageUrls.every(isOwned) ? null : 'url_ownership_unverified') ??
    capRefusal(read, creator, shares, now);
  if (code !== null) return { refused: refusal(code) };

  const late = world.faults.draw('tiktok', 'pull');
  const lateMs = late === null ? 0 : (late.delayMs ?? defaultDelayMs);
  const share = insertShare(world, creator, read, now + settings.pullDelayMs + lateMs);
  puller.start(share);
  return { data: { publish_id: share.publishId }, publishId: share.publishId };
}

function status(world: World, caller: Caller, body: unknown): Outcome {
  const share = findOwnShare(world, caller, body);
  if ('refused' in share) return share;
  const isComplete = share.status === 'PUBLISH_COMPLETE';
  return {
    data: {
      status: share.status,
      ...(share.failReason === null ? {} : { fail_reason: share.failReason }),
      ...(isComplete
        ? { publicaly_available_post_id: share.isPublic ? postIdsOf(share).map(bareNumber) : [] }
        : {}),
      downloaded_bytes: share.images.reduce((sum, image) => sum + image.bytes, 0),
    },
  };
}

function postIdsOf({ postId, morePostIds = [] }: Share): string[] {
  return [postId, ...morePostIds];
}

function findOwnShare(
  world: World,
  { creator }: Caller,
  body: unknown,
): Share | { refused: ReturnType<typeof refusal> } {
  const publishId = stringField(body, 'publish_id');
  const share = publishId === null ? undefined : world.tiktok.shares.get(publishId);
  if (share === undefined) return { refused: refusal('invalid_publish_id') };
  if (share.username !== creator.username) {
    return { refused: refusal('token_not_authorized_for_specified_publish_id') };
  }
  return share;
}

function recordInit(world: World, { creator }: Caller, outcome: Outcome, fault: string | null): void {
  const { initRequests } = world.tiktok;
  const isRefused = 'refused' in outcome;
  initRequests.put(newLogId(world.now()), {
    at: world.now(),
    account: creator.username,
    publishId: isRefused ? null : (outcome.publishId ?? null),
    code: isRefused ? outcome.refused.code : 'ok',
    fault,
  });
  initRequests.trim(initRequestsKept);
}
