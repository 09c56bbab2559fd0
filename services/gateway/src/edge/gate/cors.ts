/** CORS for the origins of `CORS_ORIGINS`. D-73 says why this is not @fastify/cors. */
import { jsonHeaders } from '@hookline/shared/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { methodsOf } from '../../public-api.ts';

export type Cors = {
  /** Adds the headers that let a page of an allowed origin read the answer. Other origins get `Vary` only. */
  mark(request: FastifyRequest, reply: FastifyReply): void;
  /** The methods of the path if the request is a preflight of an allowed origin; empty otherwise. */
  preflightOf(request: FastifyRequest): readonly string[];
};

const requestHeaders =
  'authorization, content-type, idempotency-key, x-request-id, traceparent, tracestate, if-none-match, mcp-protocol-version, mcp-method, mcp-name';
const answerHeaders = 'x-request-id, retry-after, idempotent-replayed, allow, location, www-authenticate';
// Chromium caches a preflight for no longer than this.
const preflightSeconds = 7_200;

/**
 * @param origins exact, as browsers send them. Credentials are never allowed: keys and sessions travel in
 * `Authorization`, which a page sets explicitly, so a page cannot use a sign-in whose token it does not have.
 */
export function createCors(origins: readonly string[]): Cors | null {
  if (origins.length === 0) return null;
  const allowed = new Set(origins);
  const allowedOrigin = (request: FastifyRequest): string | null => {
    const { origin } = request.headers;
    return origin !== undefined && allowed.has(origin) ? origin : null;
  };
  return {
    mark(request, reply) {
      reply.header('vary', 'origin');
      const origin = allowedOrigin(request);
      if (origin === null) return;
      reply.header('access-control-allow-origin', origin);
      reply.header('access-control-expose-headers', answerHeaders);
    },
    preflightOf(request) {
      if (request.method !== 'OPTIONS' || allowedOrigin(request) === null) return [];
      if (request.headers['access-control-request-method'] === undefined) return [];
      return methodsOf(request.url.split(/[?#]/, 1)[0] ?? '');
    },
  };
}

export function answerPreflight(reply: FastifyReply, methods: readonly string[]): FastifyReply {
  return reply
    .headers({
      ...jsonHeaders,
      vary: 'origin, access-control-request-method, access-control-request-headers',
      'access-control-allow-methods': methods.join(', '),
      'access-control-allow-headers': requestHeaders,
      'access-control-max-age': String(preflightSeconds),
    })
    .send(JSON.stringify({ data: { methods } }));
}
