import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { meetFault } from '../faults/answers.ts';
import { newLogId } from '../tiktok/ids.ts';
import type { World } from '../world.ts';
import type { Video } from './videos.ts';

type GraphError = { status: number; code: number; message: string; subcode?: number; isTransient?: boolean };

const tokenPrefix = 'simulator-token-';
const longLivedSeconds = 5_183_944;

const metrics = ['views', 'reach', 'likes', 'comments', 'saved', 'shares', 'total_interactions', 'reposts'];
const mediaFields = [
  'id',
  'media_type',
  'media_product_type',
  'permalink',
  'shortcode',
  'timestamp',
  'like_count',
  'comments_count',
  'username',
  'caption',
];

const faultErrors: Record<string, GraphError> = {
  token_expired: {
    status: 400,
    code: 190,
    subcode: 463,
    message: 'Error validating access token: Session has expired.',
  },
  token_revoked: {
    status: 400,
    code: 190,
    subcode: 460,
    message: 'Error validating access token: The session is invalid.',
  },
  rate_limited: {
    status: 403,
    code: 80002,
    message: 'There have been too many calls to this Instagram account.',
  },
  transient: { status: 500, code: 2, message: 'An unexpected error has occurred.', isTransient: true },
  object_missing: {
    status: 400,
    code: 100,
    subcode: 33,
    message: 'Object does not exist or cannot be loaded.',
  },
  not_enough_viewers: { status: 400, code: 10, message: 'Not enough viewers for the media to show insights' },
};

/** Graph API of Instagram Login: `me`, media fields, insights, token refresh. Tokens are `simulator-token-<username>`. */
export function instagramRoutes(app: FastifyInstance, world: World): void {
  app.get('/refresh_access_token', (request, reply) => refresh(world, request, reply, 'ig_refresh_token'));
  app.get('/access_token', (request, reply) => refresh(world, request, reply, 'ig_exchange_token'));
  for (const prefix of ['', '/:version']) {
    app.get(`${prefix}/:id`, (request, reply) => media(world, request, reply));
    app.get(`${prefix}/:id/insights`, (request, reply) => insights(world, request, reply));
  }
}

async function media(world: World, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const met = await meetFault(world, reply, 'instagram', 'media');
  if (met.isAnswered) return reply;
  const username = usernameOf(request);
  const error =
    faultErrors[met.fault?.kind ?? ''] ?? pathError(request) ?? (username === null ? badToken() : null);
  if (error !== null) return refuse(world, reply, error);
  const { id } = request.params as { id: string };
  const names = listOf(request, 'fields');
  if (id === 'me') return send(reply, 200, meBody(username ?? '', names));
  const video = findVideo(world, id, username ?? '');
  if (video === null) return refuse(world, reply, faultErrors.object_missing!);
  const unknown = names.find(name => !mediaFields.includes(name));
  if (unknown !== undefined) {
    const message = `(#100) Tried accessing nonexisting field (${unknown}) on node type (IGMedia)`;
    return refuse(world, reply, { status: 400, code: 100, message });
  }
  const all = mediaBody(video, username ?? '');
  const shown = names.length === 0 ? ['id'] : ['id', ...names];
  return send(reply, 200, Object.fromEntries(Object.entries(all).filter(([name]) => shown.includes(name))));
}

// A number that is not there yet is left out; one metric that the media type does not have fails the whole call.
async function insights(world: World, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const met = await meetFault(world, reply, 'instagram', 'insights');
  if (met.isAnswered) return reply;
  const username = usernameOf(request);
  const error =
    faultErrors[met.fault?.kind ?? ''] ?? pathError(request) ?? (username === null ? badToken() : null);
  if (error !== null) return refuse(world, reply, error);
  const { id } = request.params as { id: string };
  const video = findVideo(world, id, username ?? '');
  if (video === null) return refuse(world, reply, faultErrors.object_missing!);
  const names = listOf(request, 'metric');
  const unsupported = names.find(name => !metrics.includes(name));
  if (names.length === 0 || unsupported !== undefined) {
    const message = `(#100) The Media Insights API does not support the ${unsupported ?? 'missing'} metric for this media product type.`;
    return refuse(world, reply, { status: 400, code: 100, message });
  }
  const data = met.fault?.kind === 'no_data' ? [] : names.flatMap(name => insightOf(video, name));
  return send(reply, 200, { data });
}

async function refresh(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  grantType: string,
): Promise<FastifyReply> {
  const met = await meetFault(world, reply, 'instagram', 'refresh');
  if (met.isAnswered) return reply;
  const username = usernameOf(request);
  const error = faultErrors[met.fault?.kind ?? ''] ?? (username === null ? badToken() : null);
  if (error !== null) return refuse(world, reply, error);
  if ((request.query as Record<string, unknown>).grant_type !== grantType) {
    return refuse(world, reply, { status: 400, code: 100, message: `grant_type must be ${grantType}` });
  }
  const access_token = `${tokenPrefix}${username}`;
  return send(reply, 200, { access_token, token_type: 'bearer', expires_in: longLivedSeconds });
}

function meBody(username: string, names: string[]): Record<string, unknown> {
  const id = `1784${String([...username].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1e13, 7)).padStart(13, '0')}`;
  const all: Record<string, unknown> = {
    id,
    user_id: id,
    username,
    name: username,
    account_type: 'BUSINESS',
    media_count: 1,
  };
  const shown = names.length === 0 ? ['id'] : ['id', ...names];
  return Object.fromEntries(Object.entries(all).filter(([name]) => shown.includes(name)));
}

function mediaBody(video: Video, username: string): Record<string, unknown> {
  return {
    id: video.id,
    media_type: 'CAROUSEL_ALBUM',
    media_product_type: 'FEED',
    permalink: `https://www.instagram.com/p/${video.id}/`,
    shortcode: video.id,
    timestamp: video.publishedAt.replace(/\.\d+Z$/, '+0000'),
    ...(video.likes === null ? {} : { like_count: video.likes }),
    ...(video.comments === null ? {} : { comments_count: video.comments }),
    username: video.owner ?? username,
    caption: '',
  };
}

function insightOf(video: Video, name: string): unknown[] {
  const known: Record<string, number | null> = {
    views: video.views,
    likes: video.likes,
    comments: video.comments,
  };
  const value = name in known ? known[name] : 0;
  if (value === null) return [];
  return [
    {
      name,
      period: 'lifetime',
      values: [{ value }],
      title: name,
      description: `The number of ${name}.`,
      id: `${video.id}/insights/${name}/lifetime`,
    },
  ];
}

function findVideo(world: World, id: string, username: string): Video | null {
  const video = world.videos.find('instagram', id);
  return video !== null && (video.owner === null || video.owner === username) ? video : null;
}

function usernameOf(request: FastifyRequest): string | null {
  const { access_token } = request.query as Record<string, unknown>;
  const bearer = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const token = typeof access_token === 'string' ? access_token : bearer;
  const username = token?.startsWith(tokenPrefix) ? token.slice(tokenPrefix.length) : '';
  return username === '' ? null : username;
}

function pathError(request: FastifyRequest): GraphError | null {
  const { version } = request.params as { version?: string };
  if (version === undefined || /^v\d{1,3}\.\d$/.test(version)) return null;
  return { status: 400, code: 2500, message: 'Unknown path components' };
}

function badToken(): GraphError {
  return { status: 400, code: 190, message: 'Invalid OAuth access token - Cannot parse access token' };
}

function refuse(world: World, reply: FastifyReply, error: GraphError): FastifyReply {
  return send(reply, error.status, {
    error: {
      message: error.message,
      type: 'OAuthException',
      code: error.code,
      ...(error.subcode === undefined ? {} : { error_subcode: error.subcode }),
      ...(error.isTransient === undefined ? {} : { is_transient: error.isTransient }),
      fbtrace_id: newLogId(world.now()),
    },
  });
}

function send(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  return reply.code(status).type('application/json; charset=UTF-8').send(JSON.stringify(body));
}

function listOf(request: FastifyRequest, name: string): string[] {
  const value = (request.query as Record<string, unknown>)[name];
  return typeof value === 'string' ? value.split(',').filter(one => one !== '') : [];
}
