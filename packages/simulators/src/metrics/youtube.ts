import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { meetFault } from '../faults/answers.ts';
import type { World } from '../world.ts';
import type { Video } from './videos.ts';

type Problem = { status: number; message: string; domain: string; reason: string; state?: string };
type Query = Record<string, unknown>;

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
  },
  keyInvalid: {
    status: 400,
    message: 'API key not valid. Please pass a valid API key.',
    domain: 'global',
    reason: 'badRequest',
    state: 'INVALID_ARGUMENT',
  },
  backendError: { status: 500, message: 'Backend Error', domain: 'global', reason: 'backendError' },
};

/** `videos.list` and `videos:batchGetStats`: counts as strings, unknown ids left out, more than 50 ids refused. */
export function youtubeRoutes(app: FastifyInstance, world: World): void {
  // A base URL may end before or after the API's own `/youtube` segment.
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
  operation: 'videos_list' | 'batch_get_stats',
): Promise<FastifyReply> {
  const met = await meetFault(world, reply, 'youtube', operation);
  if (met.isAnswered) return reply;
  const query = request.query as Query;
  const problem = faultProblems[met.fault?.kind ?? ''] ?? keyProblem(world, request) ?? queryProblem(query);
  if (problem !== null) return refuse(reply, problem);
  const ids = [...new Set(listOf(query.id))];
  const found = ids.map(id => world.videos.find('youtube', id)).filter(video => video !== null);
  const asked = listOf(query.part);
  const body = operation === 'videos_list' ? listBody(found, asked) : statsBody(found, ids, asked);
  return send(reply, 200, body);
}

function keyProblem(world: World, request: FastifyRequest): Problem | null {
  const { key } = request.query as Query;
  const isBearer = /^Bearer \S/.test(request.headers.authorization ?? '');
  if (isBearer) return null;
  if (typeof key !== 'string' || key === '') {
    const message =
      'Method doesn’t allow unregistered callers. Please use API Key or other form of API consumer identity.';
    return { status: 403, message, domain: 'global', reason: 'forbidden', state: 'PERMISSION_DENIED' };
  }
  const only = world.settings.youtubeApiKey;
  const isValid = only === null ? key !== 'invalid' : key === only;
  return isValid ? null : faultProblems.keyInvalid!;
}

function queryProblem(query: Query): Problem | null {
  const asked = listOf(query.part);
  if (asked.length === 0) return badRequest('missingRequiredParameter', 'Required parameter: part');
  const unknown = asked.find(part => !parts.includes(part));
  if (unknown !== undefined) return badRequest('unknownPart', `'${unknown}'`);
  const ids = listOf(query.id);
  if (ids.length === 0)
    return badRequest('missingRequiredParameter', 'No filter selected. Expected one of: id');
  return ids.length > idsMax ? badRequest('invalidFilters', 'The request specifies too many ids.') : null;
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
  const { status, message, domain, reason, state } = problem;
  const details =
    reason === 'badRequest'
      ? [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }]
      : [];
  return send(reply, status, {
    error: {
      code: status,
      message,
      errors: [{ message, domain, reason }],
      ...(state === undefined ? {} : { status: state }),
      ...(details.length === 0 ? {} : { details }),
    },
  });
}

function send(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  return reply
    .code(status)
    .type('application/json; charset=UTF-8')
    .send(JSON.stringify(body, null, 2));
}

function listOf(value: unknown): string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.flatMap(one => (typeof one === 'string' ? one.split(',') : [])).filter(one => one !== '');
}

function etagOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 27);
}
