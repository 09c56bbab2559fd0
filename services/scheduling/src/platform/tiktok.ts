import { privacyLevels } from '@hookline/shared/contracts/schedules';
import {
  askPlatform,
  createPlatformAgent,
  type Fields,
  fieldsOf,
  type PlatformAnswer,
  textOf,
} from '@hookline/shared/http';
import { sha256 } from '@hookline/shared/kernel/sha256';
import { readEnvelope, readOauthAnswer } from './answers.ts';
import type { Answer, Carrier, PhotoPost, PlatformOutcome, PostNumbers, Tokens } from './carrier.rules.ts';
import { tiktokReasons } from './tiktok-reasons.ts';
import { createTokenGate } from './token-gate.ts';

const videoFields = ['id', 'create_time', 'view_count', 'like_count', 'comment_count', 'share_count'];

export type TiktokOptions = {
  apiUrl: string;
  authUrl: string;
  clientKey: string;
  clientSecret: string;
  /** A person may grant fewer than these. */
  scopes: readonly string[];
  timeoutMs: number;
};

type PlatformAgent = ReturnType<typeof createPlatformAgent>;

// Three quarters of the sends at once may refresh: the others go on while the token endpoint hangs.
const refreshesAtOnceMax = 96;

export function createTiktok(options: TiktokOptions): Carrier {
  const agent = createPlatformAgent();
  // A token endpoint that hangs must keep no connection from the posts.
  const refreshAgent = createPlatformAgent(refreshesAtOnceMax);
  return {
    name: 'TikTok',
    slides: {
      countMax: 35,
      bytesMax: 20_000_000,
      shorterSideMax: 1_080,
      contentTypes: ['image/jpeg', 'image/webp'],
    },
    reasons: tiktokReasons,
    async close(): Promise<void> {
      await Promise.all([agent, refreshAgent].map(each => each.close().catch(() => each.destroy())));
    },
    ...createLoginCalls(options, agent, refreshAgent),
    ...createPostCalls(options, agent),
  };
}

function createLoginCalls(
  options: TiktokOptions,
  agent: PlatformAgent,
  refreshAgent: PlatformAgent,
): Pick<Carrier, 'authorizeUrl' | 'exchangeCode' | 'refreshTokens' | 'revokeToken' | 'getUserInfo'> {
  const { apiUrl, authUrl, clientKey, clientSecret, timeoutMs } = options;
  const askForTokens = createTokenGate(refreshesAtOnceMax);

  const form = (path: string, fields: Record<string, string>, by = agent): Promise<PlatformAnswer> =>
    askPlatform(by, {
      method: 'POST',
      url: apiUrl + path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_key: clientKey, client_secret: clientSecret, ...fields }).toString(),
      timeoutMs,
    });

  return {
    /** The desktop flow has a verifier, the web flow none. */
    authorizeUrl(redirectUri, state, verifier) {
      // TikTok's challenge is hex, not base64url.
      const challenge = verifier && sha256(verifier).toString('hex');
      const query = new URLSearchParams({
        client_key: clientKey,
        response_type: 'code',
        scope: options.scopes.join(','),
        redirect_uri: redirectUri,
        state,
        ...(challenge === null ? {} : { code_challenge: challenge, code_challenge_method: 'S256' }),
      });
      return `${authUrl}/v2/auth/authorize/?${query}`;
    },

    async exchangeCode(code, redirectUri, verifier) {
      const fields = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
      return readTokens(
        await form('/v2/oauth/token/', {
          ...fields,
          ...(verifier === null ? {} : { code_verifier: verifier }),
        }),
      );
    },

    refreshTokens(refreshToken) {
      const fields = { grant_type: 'refresh_token', refresh_token: refreshToken };
      return askForTokens(async () => readTokens(await form('/v2/oauth/token/', fields, refreshAgent)));
    },

    async revokeToken(accessToken) {
      return readOauthAnswer(await form('/v2/oauth/revoke/', { token: accessToken }));
    },

    /** Only the fields that the granted scopes allow are requested: one too many fails the whole call. */
    async getUserInfo(token, scopes) {
      const fields = ['open_id', 'avatar_url', 'display_name'];
      if (scopes.includes('user.info.profile')) fields.push('username');
      const answer = readEnvelope(
        await askPlatform(agent, {
          method: 'GET',
          url: `${apiUrl}/v2/user/info/?fields=${fields.join(',')}`,
          headers: { authorization: `Bearer ${token}` },
          timeoutMs,
        }),
      );
      if (answer.kind !== 'ok') return answer;
      const user = fieldsOf(answer.value.user);
      return {
        kind: 'ok',
        value: {
          username: textOf(user.username),
          displayName: textOf(user.display_name),
          avatarUrl: textOf(user.avatar_url),
        },
      };
    },
  };
}

function createPostCalls(
  { apiUrl, authUrl, timeoutMs }: TiktokOptions,
  agent: PlatformAgent,
): Pick<Carrier, 'getCreatorInfo' | 'send' | 'getOutcome' | 'postUrl' | 'readNumbers'> {
  const call = async (
    token: string,
    path: string,
    body: unknown,
    mayStart?: () => boolean,
  ): Promise<Answer<Record<string, unknown>>> =>
    readEnvelope(
      await askPlatform(agent, {
        method: 'POST',
        url: apiUrl + path,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json; charset=UTF-8' },
        body: JSON.stringify(body),
        timeoutMs,
        ...(mayStart ? { mayStart } : {}),
      }),
    );

  return {
    /** "Cannot post now" has status 200. */
    async getCreatorInfo(token) {
      const answer = await call(token, '/v2/post/publish/creator_info/query/', {});
      if (answer.kind !== 'ok') return answer;
      const { creator_username, creator_nickname, privacy_level_options, comment_disabled } = answer.value;
      const options = Array.isArray(privacy_level_options) ? privacy_level_options : [];
      return {
        kind: 'ok',
        value: {
          username: textOf(creator_username),
          displayName: textOf(creator_nickname),
          privacyLevels: privacyLevels.filter(level => options.includes(level)),
          commentDisabled: comment_disabled === true,
        },
      };
    },

    /** There is no idempotency key, so a second call is a second post. */
    async send(token, post, mayStart) {
      const answer = await call(token, '/v2/post/publish/content/init/', initBody(post), mayStart);
      if (answer.kind !== 'ok') return answer;
      const publishId = textOf(answer.value.publish_id);
      if (!publishId) return { kind: 'ambiguous', reason: 'accepted without a publish id' };
      return { kind: 'ok', value: { publishId } };
    },

    async readNumbers(token, ids) {
      const path = `/v2/video/query/?fields=${videoFields.join(',')}`;
      const answer = await call(token, path, { filters: { video_ids: ids } });
      if (answer.kind !== 'ok') return answer;
      const videos = Array.isArray(answer.value.videos) ? answer.value.videos.map(fieldsOf) : [];
      return { kind: 'ok', value: new Map(videos.flatMap(readVideo)) };
    },

    async getOutcome(token, publishId) {
      const answer = await call(token, '/v2/post/publish/status/fetch/', { publish_id: publishId });
      return answer.kind === 'ok' ? { kind: 'ok', value: readOutcome(answer.value) } : answer;
    },

    postUrl: (username, postId) => `${authUrl}/@${encodeURIComponent(username)}/photo/${postId}`,
  };
}

/** Post ids stay strings: they exceed 2^53. */
function readOutcome({ status, fail_reason, publicaly_available_post_id: ids }: Fields): PlatformOutcome {
  switch (status) {
    case 'SEND_TO_USER_INBOX':
      return { kind: 'inbox' };
    case 'PUBLISH_COMPLETE': {
      const postIds = Array.isArray(ids) ? ids.map(String).filter(id => /^\d+$/.test(id)) : [];
      return { kind: 'complete', postId: postIds[0] ?? null };
    }
    case 'FAILED':
      return { kind: 'failed', reason: textOf(fail_reason) ?? 'internal' };
    default:
      return { kind: 'open' };
  }
}

function readVideo(video: Fields): [string, PostNumbers][] {
  const views = countOf(video.view_count);
  if (views === null) return [];
  const seconds = countOf(video.create_time);
  const numbers = {
    ...{ views, likes: countOf(video.like_count), comments: countOf(video.comment_count) },
    shares: countOf(video.share_count),
    publishedAt: seconds === null ? null : new Date(seconds * 1_000),
  };
  return [[String(video.id), numbers]];
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

function initBody(post: PhotoPost): unknown {
  const isDirect = post.mode === 'publish';
  return {
    media_type: 'PHOTO',
    post_mode: isDirect ? 'DIRECT_POST' : 'MEDIA_UPLOAD',
    // The photo's AI label is outside post_info.
    is_aigc: post.aiGenerated,
    post_info: {
      title: post.title,
      description: post.description,
      // Two versions of the documentation disagree on whether the toggles are required: always send them.
      brand_content_toggle: post.brandedContent,
      brand_organic_toggle: post.brandOrganic,
      ...(isDirect
        ? {
            privacy_level: post.privacyLevel,
            disable_comment: post.disableComment,
            auto_add_music: post.autoAddMusic,
          }
        : {}),
    },
    source_info: { source: 'PULL_FROM_URL', photo_cover_index: 0, photo_images: post.imageUrls },
  };
}

function readTokens(raw: PlatformAnswer): Answer<Tokens> {
  const answer = readOauthAnswer(raw);
  if (answer.kind !== 'ok') return answer;
  const { access_token, refresh_token, open_id, expires_in, refresh_expires_in, scope } = answer.value;
  const accessToken = textOf(access_token);
  const refreshToken = textOf(refresh_token);
  const openId = textOf(open_id);
  if (!accessToken || !refreshToken || !openId)
    return { kind: 'ambiguous', reason: 'an answer without tokens' };
  return {
    kind: 'ok',
    value: {
      accessToken,
      refreshToken,
      openId,
      accessSeconds: secondsOf(expires_in),
      refreshSeconds: secondsOf(refresh_expires_in),
      scopes: (textOf(scope) ?? '').split(',').filter(Boolean),
    },
  };
}

// Lifetimes changed once already (24 h to 2 h), so the answer's counts. Without one, ask again soon.
function secondsOf(value: unknown): number {
  const seconds = Number(value);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : 600;
}
