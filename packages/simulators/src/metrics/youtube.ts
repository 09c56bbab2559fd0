import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { meetFault } from '../faults/answers.ts';
import type { World } from '../world.ts';
import { listOf } from './calls.ts';
import type { Video } from './videos.ts';
import type { YoutubeOperation } from './youtube-quota.ts';

type Problem = {
  status: number;
  message: string;
  domain: string;
  reason: string;
  state?: string;
  /** Reason of the ErrorInfo in `details`. */
  info?: string;
};

const idsMax = 50;
const parts = ['id', 'snippet', 'statistics', 'contentDetails'];

const faultProblems: Record<string, Problem> = {
  quotaExceeded: {
    status: 403,
    message: 'The request cannot be completed because you have exceeded your quota.',
    domain: 'youtube.quota',
    reason: 'quotaExceeded',
  },
  rateLimitExceeded: {
    status: 429,
    message: 'Quota exceeded for quota metric per minute.',
    domain: 'global',
    reason: 'rateLimitExceeded',
    state: 'RESOURCE_EXHAUSTED',
    info: 'RATE_LIMIT_EXCEEDED',
  },
  keyInvalid: {
    status: 400,
    message: 'API key not valid. Please pass a valid API key.',
    domain: 'global',
    reason: 'badRequest',
    state: 'INVALID_ARGUMENT',
    info: 'API_KEY_INVALID',
  },
  backendError: { status: 500, message: 'Backend Error', domain: 'global', reason: 'backendError' },
  methodUnknown: { status: 404, message: 'Not Found', domain: 'global', reason: 'notFound' },
};

/**
 * `videos.list` and `videos:batchGetStats`: counts as strings, unknown ids left out, more than 50 ids
 * refused, quotas.
 */
export function youtubeRoutes(app: FastifyInstance, world: World): void {
  // A base URL may end before or after the API's `/youtube` segment.
  for (const prefix of ['/v3', '/youtube/v3']) {
    app.get(`${prefix}/videos`, (request, reply) => videos(world, request, reply, 'videos_list'));
    app.get(`${prefix}/videos::batchGetStats`, (request, reply) =>
      videos(world, request, reply, 'batch_get_stats'),
    );
  }
}

async function videos(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  operation: YoutubeOperation,
): Promise<FastifyReply> {
  const asked = listOf(request, 'id');
  const at = new Date(world.now()).toISOString();
  world.metrics.calls.add({ platform: 'youtube', operation, ids: asked, at });
  const met = await meetFault(world, reply, 'youtube', operation);
  if (met.isAnswered) return reply;
  const problem =
    faultProblems[met.fault?.kind ?? ''] ??
    callProblem(world, request, operation) ??
    queryProblem(world, request);
  if (problem !== null) return refuse(reply, problem);
  const ids = [...new Set(asked)];
  const all = ids.map(id => world.videos.find('youtube', id)).filter(video => video !== null);
  const served = all.filter(video => !video.removed);
  // Half of a batch, as in a partial outage.
  const found = met.fault?.kind === 'partial' ? served.filter((_, index) => index % 2 === 0) : served;
  const parts = listOf(request, 'part');
  return send(
    reply,
    200,
    operation === 'videos_list' ? listBody(found, parts) : statsBody(found, ids, parts),
  );
}

// A call with a valid key costs its unit whatever the answer.
function callProblem(world: World, request: FastifyRequest, operation: YoutubeOperation): Problem | null {
  const { youtube } = world.metrics;
  if (operation === 'batch_get_stats' && !youtube.client().hasBatchGetStats)
    return faultProblems.methodUnknown!;
  const key = keyOf(request);
  if (key === null) {
    const message =
      'Method doesn’t allow unregistered callers. Please use API Key or other form of API consumer identity.';
    return { status: 403, message, domain: 'global', reason: 'forbidden', state: 'PERMISSION_DENIED' };
  }
  const only = world.settings.youtubeApiKey;
  const isValid = only === null ? key !== 'invalid' : key === only;
  if (!isValid) return faultProblems.keyInvalid!;
  const taken = youtube.take(key, operation, world.now());
  return taken === 'taken' ? null : faultProblems[taken]!;
}

// As a query parameter, or in the header that Google's APIs accept instead.
function keyOf(request: FastifyRequest): string | null {
  const { key } = request.query as Record<string, unknown>;
  const { 'x-goog-api-key': header } = request.headers;
  const given = [key, header].find(one => typeof one === 'string' && one !== '');
  return typeof given === 'string' ? given : null;
}

function queryProblem(world: World, request: FastifyRequest): Problem | null {
  const parameters = Object.keys(request.query as object);
  const unexpected = parameters.find(name => !['part', 'id', 'key'].includes(name));
  if (unexpected !== undefined) return badRequest('unexpectedParameter', `'${unexpected}'`);
  const asked = listOf(request, 'part');
  if (asked.length === 0) return badRequest('missingRequiredParameter', 'Required parameter: part');
  const unknown = asked.find(part => !parts.includes(part));
  if (unknown !== undefined) return badRequest('unknownPart', `'${unknown}'`);
  const ids = listOf(request, 'id');
  if (ids.length === 0)
    return badRequest('missingRequiredParameter', 'No filter selected. Expected one of: id');
  if (ids.length > idsMax) return badRequest('invalidFilters', 'The request specifies too many ids.');
  const isRefused = ids.some(id => world.videos.find('youtube', id)?.refused);
  return isRefused ? badRequest('badRequest', 'Request contains an invalid argument.') : null;
}

function badRequest(reason: string, message: string): Problem {
  return { status: 400, message, domain: 'youtube.parameter', reason };
}

function listBody(found: Video[], asked: string[]): unknown {
  const items = found.map(video => ({
    kind: 'youtube#video',
    etag: etagOf(video),
    id: video.id,
    ...(asked.includes('snippet') ? { snippet: { publishedAt: video.publishedAt } } : {}),
    ...(asked.includes('statistics') ? { statistics: { ...statistics(video), favoriteCount: '0' } } : {}),
  }));
  const pageInfo = { totalResults: items.length, resultsPerPage: items.length };
  return { kind: 'youtube#videoListResponse', etag: etagOf(items), items, pageInfo };
}

function statsBody(found: Video[], ids: string[], asked: string[]): unknown {
  const items = found.map(video => ({
    kind: 'youtube#videoStats',
    etag: etagOf(video),
    id: video.id,
    ...(asked.includes('snippet') ? { snippet: { publishTime: video.publishedAt } } : {}),
    ...(asked.includes('statistics') ? { statistics: statistics(video) } : {}),
    ...(asked.includes('contentDetails')
      ? { contentDetails: { duration: 'PT30S', durationMillis: '30000' } }
      : {}),
  }));
  const failed = ids.filter(id => !found.some(video => video.id === id));
  const summary = {
    requestedVideoCount: String(ids.length),
    succeededVideoCount: String(found.length),
    failedVideoCount: String(failed.length),
    ...(failed.length === 0 ? {} : { failedVideoIds: failed }),
  };
  return { kind: 'youtube#batchGetStatsResponse', etag: etagOf(items), items, summary };
}

// Hidden likes and closed comments are absent, not "0".
function statistics({ views, likes, comments }: Video): Record<string, string> {
  return {
    ...(views === null ? {} : { viewCount: String(views) }),
    ...(likes === null ? {} : { likeCount: String(likes) }),
    ...(comments === null ? {} : { commentCount: String(comments) }),
  };
}

function refuse(reply: FastifyReply, problem: Problem): FastifyReply {
  const { status, message, domain, reason, state, info } = problem;
  const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: info }];
  return send(reply, status, {
    error: {
      code: status,
      message,
      errors: [{ message, domain, reason }],
      ...(state === undefined ? {} : { status: state }),
      ...(info === undefined ? {} : { details }),
    },
  });
}

function send(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  return reply
    .code(status)
    .type('application/json; charset=UTF-8')
    .send(JSON.stringify(body, null, 2));
}

function etagOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 27);
}
