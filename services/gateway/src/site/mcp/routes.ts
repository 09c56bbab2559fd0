/**
 * `POST /mcp`: the tools of `@hookline/mcp` over the API. Every call of a tool goes through this
 * server's own routes, so that keys, scopes, limits and idempotency are those of the API. The library is
 * loaded by the first request.
 */
import type { Api, ApiAnswer, ApiCall } from '@hookline/mcp';
import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import type { Scope } from '@hookline/shared/contracts/scopes';
import { currentTraceparent } from '@hookline/shared/kernel';
import { sha256 } from '@hookline/shared/kernel/sha256';
import type { FastifyInstance, FastifyReply, FastifyRequest, InjectOptions } from 'fastify';
import { challengeOf } from '../../identity/grants/discovery.rules.ts';
import { findAccess } from '../../identity/grants/queries.ts';
import { isAccessToken } from '../../identity/grants/tokens.rules.ts';
import { hashApiKey, isApiKey } from '../../identity/keys/api-key.rules.ts';
import { bearerOf } from '../../identity/keys/credential.ts';
import { consoleIn } from '../../identity/standing/workspace.rules.ts';
import { apiRoot } from '../../public-api.ts';
import type { SiteDeps } from '../../site-deps.ts';
import { isOwnHost, isOwnOrigin } from './own-hosts.rules.ts';

const version = '1.0.0';
// Answered by calls of the API, each of which is counted.
const callingMethods = new Set(['tools/call', 'resources/read']);

type Message = { id?: string | number; method?: string };

export function addMcpRoute(app: FastifyInstance, deps: SiteDeps): void {
  app.register(async scope => {
    // The protocol's library answers what is not JSON.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    scope.post('/mcp', async (request, reply) => {
      reply.header('cache-control', 'no-store');
      refuseForeign(request, deps);
      try {
        return await answer(app, deps, request, reply);
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) {
          const hasToken = request.headers.authorization !== undefined;
          reply.header('www-authenticate', challengeOf(deps.publicUrl, hasToken));
        }
        throw error;
      }
    });
  });
}

function refuseForeign(
  { headers }: FastifyRequest,
  { publicUrl, corsOrigins }: Pick<SiteDeps, 'publicUrl' | 'corsOrigins'>,
): void {
  if (!isOwnHost(headers.host, publicUrl)) {
    throw new ApiError('missing_scope', `Send requests to ${publicUrl}/mcp: this Host is not PUBLIC_URL.`);
  }
  if (!isOwnOrigin(headers.origin, publicUrl, corsOrigins)) {
    throw new ApiError('missing_scope', 'This Origin is neither PUBLIC_URL nor one of CORS_ORIGINS.');
  }
}

async function answer(
  app: FastifyInstance,
  deps: SiteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const caller = await findCaller(deps, request);
  if (isBatch(request.body)) {
    await deps.admitKey(request, caller);
    throw invalidRequest('The body must be one JSON-RPC message: a batch would count as one request.');
  }
  const message = readMessage(request.body);
  const calls = callingMethods.has(message?.method ?? '');
  const scopes = calls ? [] : (await deps.admitKey(request, caller)).scopes;
  const { createHandler } = await import('@hookline/mcp/server');
  handle ??= createHandler(version);
  const counted = createApi(app, deps, request, caller);
  const response = await handle(toWebRequest(request, deps.publicUrl), { api: counted.api, scopes });
  const text = await response.text();
  if (counted.refusal()) throw counted.refusal();
  if (calls && counted.count() === 0) await deps.admitKey(request, caller);
  reply.code(response.status);
  for (const name of ['content-type', 'allow']) {
    const value = response.headers.get(name);
    if (value !== null) reply.header(name, value);
  }
  return reply.send(text);
}

/**
 * The hash of the caller's key: the one in the header, or the one that its access token stands for. Such a
 * token opens nothing else than this route.
 */
async function findCaller(deps: SiteDeps, request: FastifyRequest): Promise<string> {
  const token = bearerOf(request);
  if (token !== null && isApiKey(token)) return hashApiKey(token);
  if (token === null || !isAccessToken(token)) throw new ApiError('unauthorized');
  const access = await findAccess(deps.db, sha256(token));
  if (!access) throw new ApiError('unauthorized');
  if (access.accessExpiresAt <= deps.now()) {
    throw new ApiError('key_expired', 'This access token is older than an hour: refresh it.');
  }
  return access.keyHash.toString('base64url');
}

// The library's handler keeps nothing between requests.
let handle:
  | ((request: Request, session: { api: Api; scopes: readonly Scope[] }) => Promise<Response>)
  | undefined;

function isBatch(body: unknown): boolean {
  return /^\s*\[/.test(String(body));
}

/** The message of a body; null for one that is not JSON. */
function readMessage(body: unknown): Message | null {
  try {
    const message: unknown = JSON.parse(String(body));
    return typeof message === 'object' ? (message as Message) : null;
  } catch {
    return null;
  }
}

function toWebRequest(request: FastifyRequest, publicUrl: string): Request {
  const headers = new Headers();
  for (const name of ['content-type', 'accept', 'mcp-protocol-version', 'mcp-method', 'mcp-name']) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  return new Request(`${publicUrl}/mcp`, { method: 'POST', headers, body: String(request.body ?? '') });
}

function createApi(
  app: FastifyInstance,
  { publicUrl, inside, findKey }: Pick<SiteDeps, 'publicUrl' | 'inside' | 'findKey'>,
  request: FastifyRequest,
  caller: string,
) {
  let count = 0;
  let refusal: ApiError | undefined;
  const { 'x-forwarded-for': forwardedFor, 'user-agent': userAgent } = request.headers;
  const remoteAddress = request.raw.socket.remoteAddress;
  const passed = {
    traceparent: currentTraceparent(),
    ...(forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }),
    ...(userAgent === undefined ? {} : { 'user-agent': userAgent }),
  };

  const call: ApiCall = async (method, path, body, headers) => {
    count += 1;
    const response = await injectOpen(app, {
      method,
      url: apiRoot + path,
      headers: {
        ...passed,
        authorization: inside.credentialOf(caller),
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      ...(remoteAddress === undefined ? {} : { remoteAddress }),
    });
    if (!response) return closingAnswer;
    const answered = readAnswer(response.statusCode, response.headers, response.body);
    if (answered.status === 401) refusal = toRefusal(answered);
    return answered;
  };

  const api: Api = {
    call,
    caller,
    consoleUrl: `${publicUrl}/console`,
    async workspaceUrl() {
      const key = await findKey(caller);
      if (!key || key.isRevoked) throw new ApiError('unauthorized');
      return consoleIn(publicUrl, key.accountId);
    },
    async readImage(url) {
      const { pathname, search } = new URL(url);
      const image = await injectOpen(app, {
        method: 'GET',
        url: pathname + search,
        headers: passed,
        ...(remoteAddress === undefined ? {} : { remoteAddress }),
      });
      if (!image) throw new (await import('@hookline/mcp')).ApiFailure(closingAnswer);
      const contentType = String(image.headers['content-type']);
      return image.statusCode === 200 ? { bytes: image.rawPayload, contentType } : null;
    },
  };
  return { api, count: () => count, refusal: () => refusal };
}

/** Is null when this server closes: the request was not carried out. */
async function injectOpen(app: FastifyInstance, options: InjectOptions) {
  try {
    return await app.inject(options);
  } catch (error) {
    if ((error as { code?: string }).code === 'FST_ERR_REOPENED_CLOSE_SERVER') return null;
    throw error;
  }
}

const closingAnswer: ApiAnswer = {
  status: 503,
  headers: { 'retry-after': '1' },
  body: { error: { code: 'service_unavailable', message: 'This gateway is stopping; try again.' } },
};

function readAnswer(
  status: number,
  headers: Readonly<Record<string, number | string | string[] | undefined>>,
  text: string,
): ApiAnswer {
  const named = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value === undefined ? undefined : String(value)]),
  );
  try {
    return { status, headers: named, body: JSON.parse(text) };
  } catch {
    return { status, headers: named, body: undefined };
  }
}

function toRefusal({ body }: ApiAnswer): ApiError {
  const { code, message } = (body as { error: Pick<ApiError, 'code' | 'message'> }).error;
  return new ApiError(code, message);
}
