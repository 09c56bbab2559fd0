/** The gateway's server: hooks in the order of the spec, the envelope on every path, one log line per request. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { traceIdOf } from '@hookline/shared/context';
import { errorBody } from '@hookline/shared/envelope';
import { type ApiError, invalidRequest } from '@hookline/shared/errors';
import { toApiError } from '@hookline/shared/http/api-error';
import { openRequestContext, requestContextOf } from '@hookline/shared/http/request-context';
import { jsonHeaders } from '@hookline/shared/http/routes';
import {
  addHealthRoutes,
  createBareServer,
  installErrorEnvelope,
  type ReadinessCheck,
} from '@hookline/shared/http/server';
import { newId } from '@hookline/shared/ids';
import type { Logger } from '@hookline/shared/logger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Forwarder } from './forward/forward.ts';
import type { Gate } from './gate.ts';
import { findPublicRoute, publicRoutes, routerPath } from './public-api.ts';

export type GatewayServerOptions = {
  log: Logger;
  gate: Gate;
  forwarder: Forwarder;
  readiness: readonly ReadinessCheck[];
};

/** Without the gateway's own routes, which are added next; it does not listen yet. */
export function createGatewayServer({
  log,
  gate,
  forwarder,
  readiness,
}: GatewayServerOptions): FastifyInstance {
  const app = createBareServer(log, {
    // Checked below: Node would answer a missing Host itself, without the envelope.
    http: { requireHostHeader: false },
    // A socket on which nothing moves for so long is given up: a reader that stopped reading.
    connectionTimeout: 120_000,
    frameworkErrors: (error, request, reply) => {
      // A path that cannot be decoded comes here before any hook.
      gate.countUnrouted(request).then(
        () => writeRefusal(toApiError(error), request, reply),
        refusal => writeRefusal(toApiError(refusal), request, reply),
      );
    },
  });
  app.decorateRequest('session', null);
  // Lines know their request by its context; a child logger per request costs 3 µs and is never used.
  app.setChildLoggerFactory(logger => logger);
  answerProtocolRefusals(app.server);
  installErrorEnvelope(app, log);
  app.addHook('onRoute', options => {
    options.config = { ...options.config, route: findPublicRoute(String(options.method), options.url) };
  });
  app.addHook('onRequest', openContext);
  app.addHook('onRequest', (request, reply, done) => {
    gate.check(request, reply).then(() => done(), done);
  });
  logRequests(app, log);
  addHealthRoutes(app, readiness);
  app.register(async scope => addForwardedRoutes(scope, forwarder));
  return app;
}

/** Request id, trace and span: before anything is judged, so that every answer carries the id. */
function openContext(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
  reply.header('x-request-id', request.id);
  if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
    done(invalidRequest('The Host header is required.'));
    return;
  }
  openRequestContext(request, reply, done);
}

/** Everything that another service owns. Bodies stay bytes here: what they mean is the owner's to judge. */
function addForwardedRoutes(scope: FastifyInstance, forwarder: Forwarder): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, payload, done) => done(null, payload));
  for (const route of publicRoutes) {
    if (route.service === 'gateway') continue;
    scope.route({
      method: route.method,
      url: routerPath(route.path),
      handler: async (request, reply) => {
        await forwarder.forward(route, request, reply);
        reply.hijack();
      },
    });
  }
}

function logRequests(app: FastifyInstance, log: Logger): void {
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url;
    if (route !== '/livez' && route !== '/readyz') log.info(requestLine(request, reply, route), 'request');
    done();
  });
}

/** Names its request itself: this runs in the context of the socket, not of the request. */
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
    clientRequestId: typeof clientRequestId === 'string' ? clientRequestId.slice(0, 128) : undefined,
  };
}

/** What Node would refuse with a bare status: an unknown expectation, a tunnel. */
function answerProtocolRefusals(server: Server): void {
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const error = invalidRequest('The Expect header may only be 100-continue.', { status: 417 });
    const requestId = newId('req');
    const body = JSON.stringify(errorBody(error, requestId));
    const headers = { ...jsonHeaders, 'content-length': Buffer.byteLength(body), connection: 'close' };
    response.writeHead(417, { ...headers, 'x-request-id': requestId }).end(body);
  });
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    const requestId = newId('req');
    const body = JSON.stringify(errorBody(invalidRequest('This server opens no tunnels.'), requestId));
    socket.on('error', () => socket.destroy());
    socket.end(
      `HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, POST, PATCH, DELETE\r\nX-Request-Id: ${requestId}\r\n` +
        `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
        `Connection: close\r\n\r\n${body}`,
    );
  });
}

function writeRefusal(error: ApiError, request: FastifyRequest, reply: FastifyReply): void {
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds);
  reply.code(error.status).header('x-request-id', request.id).headers(jsonHeaders);
  reply.send(JSON.stringify(errorBody(error, request.id)));
}
