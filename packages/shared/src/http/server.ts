/** The HTTP server of every process: envelope on every path, caller check, tracing, request log, health. */
import { createHash } from 'node:crypto';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { finished } from 'node:stream/promises';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { ApiError, errorBody, invalidRequest } from '../contracts/index.ts';
import type { Logger } from '../kernel/index.ts';
import { newId, stuckWork } from '../kernel/index.ts';
import { toApiError } from './api-error.ts';
import { bodyDigest, type CallVerifier, type VerifiedCall } from './caller.ts';
import type { Drain, ReadinessCheck } from './drain.ts';
import { bodyBytesMax, parseJson } from './json.ts';
import { inRequestContext, isHealth, matchedRoute, openRequestContext } from './request-context.ts';
import { createUsedCalls } from './used-calls.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, set by the caller check before any handler runs. */
    call: VerifiedCall | null;
    /** True once the body was compared with the digest that was signed. */
    isBodyChecked: boolean;
  }
}

export type HttpServerOptions = {
  log: Logger;
  /** Verifies the caller header on every route except the health routes and those marked open. */
  verifyCall: CallVerifier;
  readiness: readonly ReadinessCheck[];
  /** Names of dependencies that are down without affecting requests; shown by `/readyz`. Must not block. */
  degraded?: () => readonly string[];
  /** The graceful shutdown. Its readiness check is one of `readiness`. */
  drain?: Pick<Drain, 'tell'>;
};

/** A service's server. Routes are added with `addRoute` and `addInternalRoute`; it does not listen yet. */
export function createServiceServer({
  log,
  verifyCall,
  readiness,
  degraded,
  drain,
}: HttpServerOptions): FastifyInstance {
  const app = createBareServer(log);
  const used = createUsedCalls();
  app.addHook('onRequest', async request => {
    const call = verifyCall(request.headers, request.method, request.url);
    if (call?.signed && isRemembered(request) && used.isRepeat(call.signed.signature, performance.now())) {
      throw new ApiError('unauthorized', 'This call was made before.');
    }
    if (call) request.call = call;
    else if (!isOpen(request))
      throw new ApiError('unauthorized', 'This address answers only other services.');
  });
  app.addHook('preHandler', refuseUncheckedBody);
  installContext(app);
  installErrorEnvelope(app, log);
  installRequestLog(app, log);
  if (drain) {
    app.addHook('onSend', (request, reply, payload, done) => {
      if (!isHealth(request)) drain.tell(reply);
      done(null, payload);
    });
  }
  addHealthRoutes(app, { readiness, degraded, isLive: () => stuckWork().length === 0 });
  return app;
}

/**
 * Compares a body with the digest that its sender signed. Every content type parser of a service calls it.
 * @throws ApiError `unauthorized`
 */
export function requireSealedBody(request: FastifyRequest, body: Buffer): void {
  request.isBodyChecked = true;
  const signed = request.call?.signed;
  if (signed && signed.bodyDigest !== bodyDigest(body)) throw notAsSigned();
}

/**
 * The same for a body that is read as a stream. Call it before anything reads the request.
 * @returns resolves when the whole body was read and is the signed one.
 * @throws ApiError `unauthorized`; `invalid_request` when the client hung up
 */
export function requireSealedUpload(request: FastifyRequest): () => Promise<void> {
  request.isBodyChecked = true;
  const signed = request.call?.signed;
  if (!signed) return async () => {};
  const hash = createHash('sha256');
  request.raw.on('data', chunk => hash.update(chunk));
  // Caught here: a client may hang up before anybody awaits the end, and an unhandled
  // rejection ends the process.
  const isWhole = finished(request.raw, { writable: false }).then(
    () => true,
    () => false,
  );
  return async () => {
    if (!(await isWhole)) throw invalidRequest('The body did not arrive whole.');
    if (signed.bodyDigest !== hash.digest('base64url')) throw notAsSigned();
  };
}

function notAsSigned(): ApiError {
  return new ApiError('unauthorized', 'The body is not the one that was signed.');
}

/** A body that was signed and did not arrive, or that no parser compared. */
async function refuseUncheckedBody(request: FastifyRequest): Promise<void> {
  const digest = request.call?.signed?.bodyDigest;
  // An upload is compared where it is read.
  const isUpload = /^multipart\//i.test(request.headers['content-type'] ?? '');
  if (digest && !request.isBodyChecked && !isUpload) throw notAsSigned();
}

/**
 * Fastify with the product's limits and nothing else; the base of the gateway.
 * @param overrides for a server at the edge
 */
export function createBareServer(log: Logger, overrides: FastifyHttpOptions<Server> = {}): FastifyInstance {
  const app = Fastify({
    loggerInstance: log as unknown as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyBytesMax,
    genReqId: () => newId('req'),
    requestIdHeader: false,
    exposeHeadRoutes: true,
    // Longer than any client's pool keeps a socket, so that a reused one is not just being closed.
    keepAliveTimeout: 65_000,
    requestTimeout: 30_000,
    // As long as the headers may be: contracts limit the length of ids.
    routerOptions: { maxParamLength: 16_384, ignoreTrailingSlash: false },
    clientErrorHandler: (error, socket) => writeClientError(error, socket as Socket),
    frameworkErrors: (error, request, reply) => {
      const apiError = toApiError(error);
      (reply as FastifyReply)
        .code(apiError.status)
        .header('x-request-id', request.id)
        .send(errorBody(apiError, request.id));
    },
    return503OnClosing: false,
    schemaController: { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } },
    ...overrides,
  });
  app.decorateRequest('call', null);
  app.decorateRequest('isBodyChecked', false);
  app.addHook('onRequest', repairContentType);
  // Log lines take the request from its context; a child logger per request costs 3 µs and is never used.
  app.setChildLoggerFactory(logger => logger);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, payload, done) => {
    try {
      requireSealedBody(request, payload as Buffer);
      done(null, parseJson(payload as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
  return app;
}

/**
 * Contracts validate requests and write answers. Without these factories Fastify would load its compilers of
 * JSON Schema at the start: 110 modules.
 */
function refuseSchema(): never {
  throw new Error('routes are described by a contract, not by a Fastify schema');
}

/** A body without a content type is read as JSON. A type without a body would make a parser wait for one. */
function repairContentType(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  const { headers } = request;
  if (hasBody(headers)) headers['content-type'] ??= 'application/json';
  else if (headers['content-type'] !== undefined) delete headers['content-type'];
  done();
}

export function hasBody(headers: FastifyRequest['headers']): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Not a read, nor a call under `/internal`, which has the same effect when it is made twice. */
function isRemembered({ method, url }: FastifyRequest): boolean {
  return method !== 'GET' && method !== 'HEAD' && !url.startsWith('/internal/');
}

function isOpen(request: FastifyRequest): boolean {
  return (matchedRoute(request).config as { open?: boolean } | undefined)?.open === true;
}

/** Stores request id and trace in the async context and opens the server span. */
function installContext(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    request.id = request.call?.requestId ?? request.id;
    openRequestContext(request, reply, done);
  });
}

export function installErrorEnvelope(app: FastifyInstance, log: Logger): void {
  let quietUntilMs = 0;
  let unsaid = 0;
  /** A refusal that the product decides on, such as for a queue that is full, at most once a second. */
  function warnOfRefusal(reason: string, route: string | undefined): void {
    if (performance.now() < quietUntilMs) {
      unsaid += 1;
      return;
    }
    log.warn({ reason, route, unsaid }, 'requests were refused with 503');
    quietUntilMs = performance.now() + 1_000;
    unsaid = 0;
  }
  app.setErrorHandler((error, request, reply) => {
    const apiError = toApiError(error);
    // Only our own faults are logged: a caller's mistakes are not, and bodies never reach a log.
    if (isHealth(request)) {
      log.info({ reason: apiError.message }, 'not ready');
    } else if (apiError.code === 'service_unavailable' && apiError === error && !apiError.cause) {
      warnOfRefusal(apiError.message, matchedRoute(request).url);
    } else if (apiError.status >= 500 && apiError.code !== 'not_implemented') {
      log.error(
        { err: apiError.cause ?? error, code: apiError.code, route: matchedRoute(request).url },
        'request failed',
      );
    }
    if (apiError.retryAfterSeconds !== undefined) reply.header('retry-after', apiError.retryAfterSeconds);
    if (apiError.allow) reply.header('allow', apiError.allow.join(', '));
    if (apiError.status === 401 && !reply.hasHeader('www-authenticate')) {
      reply.header('www-authenticate', 'Bearer');
    }
    reply.code(apiError.status).header('content-type', 'application/json; charset=utf-8');
    return reply.send(JSON.stringify(errorBody(apiError, request.id)));
  });
  app.setNotFoundHandler(() => {
    throw new ApiError('not_found', 'No such path.');
  });
}

function installRequestLog(app: FastifyInstance, log: Logger): void {
  app.addHook('onResponse', async (request, reply) => {
    if (isHealth(request)) return;
    const line = {
      method: request.method,
      route: matchedRoute(request).url,
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
    };
    inRequestContext(request, () => log.info(line, 'request'));
  });
}

export type Health = {
  readiness: readonly ReadinessCheck[];
  degraded?: (() => readonly string[]) | undefined;
  isLive?: () => boolean;
};

/**
 * `/livez` depends on no other process; `/readyz` on every named dependency, each checked for at most 1 s.
 * @param health.degraded names that `/readyz` lists in a 200; absent from the body when empty
 * @param health.isLive false: the process must be replaced
 */
export function addHealthRoutes(
  app: FastifyInstance,
  { readiness, degraded = () => [], isLive = () => true }: Health,
): void {
  app.get('/livez', { config: { open: true } }, async () => {
    if (isLive()) return { data: { status: 'live' } };
    throw new ApiError('service_unavailable', 'A piece of work does not end; the process must be replaced.');
  });
  app.get('/readyz', { config: { open: true } }, async () => {
    const results = await Promise.all(readiness.map(askWithin1s));
    const missing = readiness.filter((_, index) => !results[index]).map(entry => entry.name);
    if (missing.length > 0) {
      throw new ApiError('service_unavailable', `Not ready: ${missing.join(', ')}.`, {
        retryAfterSeconds: 1,
      });
    }
    const away = degraded();
    return { data: { status: 'ready', ...(away.length > 0 ? { degraded: away } : {}) } };
  });
}

async function askWithin1s(entry: ReadinessCheck): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>(resolve => {
    timer = setTimeout(resolve, 1_000, false);
  });
  const answer = entry.check().catch(() => false);
  return await Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/**
 * Requests that Node's parser refuses (bad header, 431, time-out) get the envelope too, and the connection
 * ends, because the start of the next request is unknown.
 * @param moreHeaders whole header lines, each with its CRLF
 */
export function writeClientError(error: Error & { code?: string }, socket: Socket, moreHeaders = ''): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, reason, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'Request Header Fields Too Large', 'The request headers must be at most 16 KB.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'Request Timeout', 'The request did not arrive in time.']
        : [400, 'Bad Request', 'The request is not valid HTTP/1.1.'];
  const requestId = newId('req');
  const body = JSON.stringify(errorBody({ code: 'invalid_request', message: message as string }, requestId));
  // A client that does not close its side after this is not waited for.
  socket.setTimeout(5_000, () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-Id: ${requestId}\r\n` +
      `${moreHeaders}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
