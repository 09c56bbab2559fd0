import type { Socket } from 'node:net';
import { ApiError, errorBody, invalidRequest } from '@hookline/shared/contracts';
import type { RouteContract } from '@hookline/shared/contracts/route';
import {
  addHealthRoutes,
  createBareServer,
  hasBody,
  installErrorEnvelope,
  isHealth,
  jsonHeaders,
  matchedRoute,
  openRequestContext,
  requestContextOf,
  toApiError,
  writeClientError,
} from '@hookline/shared/http';
import { createFairQueue, type FairQueue, type Logger, stuckWork, traceIdOf } from '@hookline/shared/kernel';
import type { ServerParts } from '@hookline/shared/service';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteOptions,
  RouteShorthandOptions,
} from 'fastify';
import type { EdgeDeps } from '../../edge-deps.ts';
import { auditChanges } from '../../identity/audit/audit-changes.ts';
import {
  findPublicRoute,
  fixedPathsWithin,
  type PublicRoute,
  publicRoutes,
  routerPath,
} from '../../public-api.ts';
import type { Forwarder } from '../forward/forward.ts';
import { enterQueue } from '../forward/passage.ts';
import { countedAs } from '../limits/client-address.ts';
import { limitConnections } from './connections.ts';
import { answerPreflight, type Cors } from './cors.ts';
import { createGate, type Gate } from './gate.ts';
import { answerProtocolRefusals } from './refusals.ts';
import { limitBodies } from './unread-bodies.ts';

/** Creates the server without the gateway's own routes, which are added later. It does not listen yet. */
export function createGatewayServer(deps: EdgeDeps, { log, readiness, drain }: ServerParts): FastifyInstance {
  const { cors, forwarder, patience, security } = deps;
  const gate = createGate(deps);
  const ownChanges = createFairQueue({ slots: () => Number.POSITIVE_INFINITY, slowMax: ownChangesMax });
  const app = createBareServer(log, {
    http: {
      // Checked below: Node would refuse a missing Host without the envelope.
      requireHostHeader: false,
      // A request without a body gets no stream of one.
      optimizeEmptyRequests: true,
      headersTimeout: patience.headersMs,
      requestTimeout: patience.requestMs,
      connectionsCheckingInterval: patience.checkEveryMs,
    },
    requestTimeout: patience.requestMs,
    connectionTimeout: patience.silenceMs,
    clientErrorHandler: (error, socket) => writeClientError(error, socket as Socket, security.lines),
    frameworkErrors: (error, request, reply) => {
      // Fastify calls this before any hook when the path cannot be decoded.
      markAnswer(request, reply);
      gate.countUnrouted(request).then(
        () => writeRefusal(toApiError(error), request, reply),
        refusal => writeRefusal(toApiError(refusal), request, reply),
      );
    },
  });
  app.decorateRequest('session', null);
  app.server.maxConnections = patience.connectionsMax;
  limitConnections(app.server, address => (deps.isExcepted(address) ? null : countedAs(address)));
  answerProtocolRefusals(app.server, security);
  installErrorEnvelope(app, log);
  app.addHook('onRoute', options => {
    const route = findPublicRoute(String(options.method), options.url);
    options.config = { ...options.config, route, fixedPaths: route ? fixedPathsWithin(route) : [] };
    if (route?.service !== 'gateway' || route.method === 'GET') return;
    if (!endsOfAccess.has(route.contract?.id)) takeTurns(options, ownChanges, gate);
  });
  app.addHook('onRequest', (request, reply, done) => {
    markAnswer(request, reply);
    openContext(request, reply, done);
  });
  if (cors) answerPreflights(app, cors, gate);
  app.addHook('onRequest', gate.check);
  app.addHook('onRequest', leaveUnreadBody);
  limitBodies(app, deps.clientAddress, patience.bodyBytesMax);
  app.addHook('preHandler', (request, reply, done) => {
    const checking = gate.recheck(request, reply);
    if (checking) checking.then(() => done(), done);
    else done();
  });
  // Requests in flight when the stop began are told too. The forwarder does the same for
  // answers of other services.
  app.addHook('onSend', (request, reply, payload, done) => {
    // Fastify closes after a body that is too large, and a client that still writes it would see only that.
    // The rest is read and dropped, for `requestTimeout` at most.
    if (reply.statusCode === 413) reply.removeHeader('connection');
    if (!isHealth(request)) drain.tell(reply);
    done(null, payload);
  });
  logRequests(app, log);
  auditChanges(app, deps);
  addHealthRoutes(app, { readiness, isLive: () => stuckWork().length === 0 });
  app.register(async scope => addForwardedRoutes(scope, forwarder, gate));
  return app;

  /** Runs before every check, so that every answer has these headers. */
  function markAnswer(request: FastifyRequest, reply: FastifyReply): void {
    reply.header('x-request-id', request.id);
    reply.headers(security.fields);
    for (const [start, name, value] of openedUp) if (request.url.startsWith(start)) reply.header(name, value);
    if (cors) cors.mark(request, reply);
    if (!isHealth(request)) drain.tell(reply);
  }
}

const openedUp = [
  ['/media/images/', 'cross-origin-resource-policy', 'cross-origin'],
  ['/console/authorize', 'cross-origin-opener-policy', 'unsafe-none'],
] as const;

/** Counts a preflight against its address. Preflights of unknown paths are left to the gate. */
function answerPreflights(app: FastifyInstance, cors: Cors, gate: Gate): void {
  app.addHook('onRequest', async (request, reply) => {
    const methods = cors.preflightOf(request);
    if (methods.length === 0) return;
    await gate.countUnrouted(request);
    return answerPreflight(reply, methods);
  });
}

function openContext(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
  const hosts = countHosts(request.raw.rawHeaders);
  const { host = '' } = request.headers;
  if (hosts > 1 || (hosts === 0 && request.raw.httpVersion === '1.1') || !/^[\w.:[\]-]*$/.test(host)) {
    reply.header('connection', 'close');
    done(invalidRequest('The Host header is required, once, and must be a host.'));
    return;
  }
  openRequestContext(request, reply, done);
}

/** Node silently keeps the first of several Host headers, while a proxy may have used the last. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

/**
 * Ignores the body of a request whose contract has none; Node drops it after the answer. A POST refuses JSON with
 * fields, which its sender believes to have an effect. So `DELETE` is not refused for its content type, and remix answers 501
 * whatever the body (D-41).
 */
function leaveUnreadBody(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  const contract = matchedRoute(request).config.route?.contract;
  // The body of GET is never read. Skipped, because deleting a property makes the object slow to read.
  const isLeft = contract && !contract.body && !contract.upload && request.method !== 'GET';
  if (isLeft && !isRead(request, contract))
    for (const name of ['content-type', 'content-length', 'transfer-encoding']) delete request.headers[name];
  done();
}

function isRead({ method, headers }: FastifyRequest, { errors }: RouteContract): boolean {
  const mayRefuse = method === 'POST' && !errors.includes('not_implemented');
  return mayRefuse && hasBody(headers) && /^application\/json\b/i.test(headers['content-type'] ?? '');
}

/**
 * Changes of one workspace that the gateway makes at once. One that waits for a lock, or for another service within
 * its transaction, holds a connection to the database, and all workspaces share ten.
 */
const ownChangesMax = 2;

/** They wait for no other change: none locks the workspace or asks another service within its transaction. */
const endsOfAccess: ReadonlySet<string | undefined> = new Set([
  'revokeKey',
  'deleteReviewLink',
  'signOut',
  'endSession',
  'endOtherSessions',
]);

function takeTurns(options: RouteOptions, queue: FairQueue, gate: Gate): void {
  const { handler } = options;
  options.handler = async function (request, reply) {
    const caller = request.call?.caller;
    if (!caller) return await handler.call(this, request, reply);
    const onGone = (gone: () => void) => void reply.raw.once('close', gone);
    const turn = { workspace: caller.accountId, isSlow: true, onGone };
    await enterQueue(queue, turn, 'gateway');
    try {
      await gate.recheck(request, reply);
      return await handler.call(this, request, reply);
    } finally {
      queue.leave(turn);
    }
  };
}

/** Adds the routes that other services own. Bodies stay bytes: the owner parses them. */
function addForwardedRoutes(scope: FastifyInstance, forwarder: Forwarder, gate: Gate): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, payload, done) => done(null, payload));
  for (const route of publicRoutes) {
    if (route.service === 'gateway') continue;
    scope.route({
      method: route.method,
      url: routerPath(route.path),
      ...uploadOptions(route),
      handler: (request, reply) => forwarder.forward(route, request, reply, gate.recheck),
    });
  }
}

function uploadOptions({ contract }: PublicRoute): Partial<RouteShorthandOptions> {
  if (!contract?.upload) return {};
  return {
    bodyLimit: contract.upload.bytesMax,
    errorHandler(error) {
      if (error.code !== 'FST_ERR_CTP_BODY_TOO_LARGE') throw error;
      throw new ApiError('image_too_large', 'file must have at most 10 MB', { status: 413 });
    },
  };
}

function logRequests(app: FastifyInstance, log: Logger): void {
  app.addHook('onResponse', (request, reply, done) => {
    if (!isHealth(request)) log.info(requestLine(request, reply, matchedRoute(request).url), 'request');
    done();
  });
}

/**
 * Includes the request id and the trace: `onResponse` runs in the context of the socket, not of the request.
 */
function requestLine(request: FastifyRequest, reply: FastifyReply, route = 'unknown') {
  const context = requestContextOf(request);
  const clientRequestId = request.headers['x-request-id'];
  return {
    requestId: context?.requestId,
    trace_id: context && traceIdOf(context.traceparent),
    method: request.method,
    route,
    status: reply.raw.statusCode,
    durationMs: Math.round(reply.elapsedTime * 10) / 10,
    keyId: request.call?.caller?.keyId ?? undefined,
    userId: request.call?.caller?.userId ?? undefined,
    clientRequestId: typeof clientRequestId === 'string' ? clientRequestId.slice(0, 128) : undefined,
  };
}

function writeRefusal(error: ApiError, request: FastifyRequest, reply: FastifyReply): void {
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds);
  reply.code(error.status).headers(jsonHeaders);
  reply.send(JSON.stringify(errorBody(error, request.id)));
}
