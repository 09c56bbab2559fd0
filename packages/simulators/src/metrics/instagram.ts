import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { meetFault } from '../faults/answers.ts';
import type { Fault } from '../faults/faults.ts';
import { newLogId } from '../tiktok/ids.ts';
import type { World } from '../world.ts';
import { listOf } from './calls.ts';
import {
  faultErrors,
  type GraphError,
  objectMissing,
  permissionMissing,
  tokenExpired,
  tokenRevoked,
  tokenUnknown,
  tooManyCalls,
  unknownField,
  unsupportedMetric,
  wrongParameter,
} from './graph-errors.ts';
import { minRefreshAgeMs } from './instagram-accounts.ts';
import type { Video } from './videos.ts';

type Operation = 'media' | 'insights' | 'refresh';
/** Null when the call was answered; otherwise it continues as this user. */
type Entered = { username: string; issuedAt: number; fault: Fault | null } | null;

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

/** Graph API of Instagram Login: `me`, media fields, insights, token refresh, limits per account. */
export function instagramRoutes(app: FastifyInstance, world: World): void {
  app.get('/refresh_access_token', (request, reply) => refresh(world, request, reply));
  for (const prefix of ['', '/:version']) {
    app.get(`${prefix}/:id`, (request, reply) => media(world, request, reply));
    app.get(`${prefix}/me/media`, (request, reply) => ownMedia(world, request, reply));
    app.get(`${prefix}/:id/insights`, (request, reply) => insights(world, request, reply));
  }
}

async function media(world: World, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const entered = await enter(world, request, reply, 'media');
  if (entered === null) return reply;
  const { username } = entered;
  const { id } = request.params as { id: string };
  const names = listOf(request, 'fields');
  if (id === 'me') {
    const me = meBody(username);
    const unknown = names.find(name => !Object.hasOwn(me, name));
    return unknown === undefined
      ? send(reply, 200, shownOf(me, names))
      : refuse(world, reply, unknownField(unknown, 'IGUser'));
  }
  const video = findVideo(world, id, username);
  if (video === null) return refuse(world, reply, objectMissing);
  const unknown = names.find(name => !mediaFields.includes(name) || video.refusedNames?.includes(name));
  if (unknown !== undefined) return refuse(world, reply, unknownField(unknown, 'IGMedia'));
  return send(reply, 200, shownOf(mediaBody(video, username), names));
}

const pageMax = 100;

/** The account's own media, newest first, page by page. */
async function ownMedia(world: World, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const entered = await enter(world, request, reply, 'media');
  if (entered === null) return reply;
  const { username } = entered;
  const names = listOf(request, 'fields');
  const unknown = names.find(name => !mediaFields.includes(name));
  if (unknown !== undefined) return refuse(world, reply, unknownField(unknown, 'IGMedia'));
  const { limit = '25', after } = request.query as { limit?: string; after?: string };
  const own = world.videos
    .list('instagram')
    .filter(video => video.owner === username && !video.removed)
    .sort((one, other) => other.publishedAt.localeCompare(one.publishedAt));
  const first = after === undefined ? 0 : own.findIndex(video => cursorOf(video) === after) + 1;
  if (first === 0 && after !== undefined) return refuse(world, reply, wrongParameter('after'));
  if (!/^[1-9]\d*$/.test(limit)) return refuse(world, reply, wrongParameter('limit'));
  const page = own.slice(first, first + Math.min(Number(limit), pageMax));
  const last = page.at(-1);
  const isMore = first + page.length < own.length;
  return send(reply, 200, {
    data: page.map(video => shownOf(mediaBody(video, username), names)),
    ...(last === undefined
      ? {}
      : {
          paging: {
            cursors: { before: cursorOf(page[0]!), after: cursorOf(last) },
            ...(isMore ? { next: request.url } : {}),
          },
        }),
  });
}

/** Opaque to a client, with characters that a query must encode. */
function cursorOf(video: Video): string {
  return Buffer.from(`\u00fb\u00ff${video.id}`, 'latin1').toString('base64');
}

// A number that does not exist yet is left out; one metric that the media type does not have fails the whole
// call.
async function insights(world: World, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const entered = await enter(world, request, reply, 'insights');
  if (entered === null) return reply;
  const { id } = request.params as { id: string };
  const video = findVideo(world, id, entered.username);
  if (video === null) return refuse(world, reply, objectMissing);
  if (!world.metrics.instagram.find(entered.username).hasInsights)
    return refuse(world, reply, permissionMissing);
  const names = listOf(request, 'metric');
  const unsupported = names.find(name => !metrics.includes(name) || video.refusedNames?.includes(name));
  if (names.length === 0 || unsupported !== undefined)
    return refuse(world, reply, unsupportedMetric(unsupported ?? 'missing'));
  const data = entered.fault?.kind === 'no_data' ? [] : names.flatMap(name => insightOf(video, name));
  return send(reply, 200, { data });
}

async function refresh(world: World, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const entered = await enter(world, request, reply, 'refresh');
  if (entered === null) return reply;
  const { username, issuedAt } = entered;
  if ((request.query as Record<string, unknown>).grant_type !== 'ig_refresh_token')
    return refuse(world, reply, wrongParameter('grant_type'));
  // The platform documents the rule but not its error; no client may rely on this one.
  if (world.now() - issuedAt < minRefreshAgeMs)
    return refuse(world, reply, { status: 400, code: 100, message: 'The token is younger than 24 hours' });
  const access_token = world.metrics.instagram.issue(username, world.now());
  const expires_in = world.metrics.instagram.find(username).tokenSeconds;
  return send(reply, 200, { access_token, token_type: 'bearer', expires_in });
}

/**
 * The checks of every call: record, fault, path, token, the account's rolling limit. Null when it was
 * answered.
 */
async function enter(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  operation: Operation,
): Promise<Entered> {
  const { id } = request.params as { id?: string };
  const at = new Date(world.now()).toISOString();
  world.metrics.calls.add({ platform: 'instagram', operation, ids: id === undefined ? [] : [id], at });
  const met = await meetFault(world, reply, 'instagram', operation);
  if (met.isAnswered) return null;
  const problem = faultErrors[met.fault?.kind ?? ''] ?? requestError(request);
  if (problem !== null && problem !== undefined) {
    refuse(world, reply, problem);
    return null;
  }
  const token = world.metrics.instagram.read(tokenOf(request), world.now());
  if (token.kind !== 'valid') {
    refuse(world, reply, { expired: tokenExpired, revoked: tokenRevoked, unknown: tokenUnknown }[token.kind]);
    return null;
  }
  if (operation !== 'refresh' && !isWithinLimit(world, reply, token.username)) return null;
  return { username: token.username, issuedAt: token.issuedAt, fault: met.fault };
}

function isWithinLimit(world: World, reply: FastifyReply, username: string): boolean {
  const { percent, isOver, regainMinutes } = world.metrics.instagram.use(username, world.now());
  const usage = {
    type: 'instagram',
    call_count: percent,
    total_cputime: 0,
    total_time: 0,
    estimated_time_to_regain_access: regainMinutes,
  };
  reply.header('x-business-use-case-usage', JSON.stringify({ [userIdOf(username)]: [usage] }));
  if (isOver) refuse(world, reply, tooManyCalls);
  return !isOver;
}

function userIdOf(username: string): string {
  const digits = [...username].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1e13, 7);
  return `1784${String(digits).padStart(13, '0')}`;
}

function meBody(username: string): Record<string, unknown> {
  const user_id = userIdOf(username);
  // The other id is the app's own for this user.
  const id = `2${user_id}`;
  return { id, user_id, username, name: username, account_type: 'BUSINESS', media_count: 1 };
}

function mediaBody(video: Video, username: string): Record<string, unknown> {
  return {
    id: video.id,
    media_type: 'CAROUSEL_ALBUM',
    media_product_type: 'FEED',
    permalink: `https://www.instagram.com/p/${shortcodeOf(video.id)}/`,
    shortcode: shortcodeOf(video.id),
    timestamp: video.publishedAt.replace(/(\.\d+)?Z$/, '+0000'),
    ...(video.likes === null ? {} : { like_count: video.likes }),
    ...(video.comments === null ? {} : { comments_count: video.comments }),
    username: video.owner ?? username,
    caption: '',
  };
}

/** A post's address has a code of its own, from which the id does not follow for a client. */
function shortcodeOf(id: string): string {
  return /^\d+$/.test(id) ? `C${BigInt(id).toString(36)}` : id;
}

function shownOf(all: Record<string, unknown>, names: string[]): Record<string, unknown> {
  const shown = ['id', ...names];
  return Object.fromEntries(Object.entries(all).filter(([name]) => shown.includes(name)));
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
  if (video === null || video.removed) return null;
  return video.owner === null || video.owner === username ? video : null;
}

function tokenOf(request: FastifyRequest): string {
  const { access_token } = request.query as Record<string, unknown>;
  const bearer = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  return typeof access_token === 'string' ? access_token : (bearer ?? '');
}

function requestError(request: FastifyRequest): GraphError | null {
  const { version = 'v25.0' } = request.params as { version?: string };
  if (!/^v\d{1,3}\.\d$/.test(version)) return { status: 400, code: 2500, message: 'Unknown path components' };
  const repeated = Object.entries(request.query as object).find(([, value]) => Array.isArray(value));
  if (repeated !== undefined) return wrongParameter(repeated[0]);
  const names = listOf(request, 'fields');
  return new Set(names).size === names.length
    ? null
    : { status: 400, code: 2500, message: 'Syntax error "Field specified more than once"' };
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
