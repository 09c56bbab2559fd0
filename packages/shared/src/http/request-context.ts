import {
  type Context,
  isSpanContextValid,
  context as otelContext,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isTraceparent, newTraceparent, type RequestContext, runInContext } from '../kernel/index.ts';

// Properties of the request instead of a WeakMap, whose entries the garbage collector visits one by one.
const unitOfWork = Symbol('unit of work');
const matched = Symbol('matched route');

type RequestWithContext = FastifyRequest & { [unitOfWork]?: RequestContext };
type MatchedRequest = FastifyRequest & { [matched]?: FastifyRequest['routeOptions'] };

/** The route's options. Fastify collects them anew each time, and a request needs them ten times. */
export function matchedRoute(request: MatchedRequest): FastifyRequest['routeOptions'] {
  request[matched] ??= request.routeOptions;
  return request[matched];
}

/** The parent of a span that no sampler takes, nor what it causes. */
const unsampled = trace.setSpanContext(ROOT_CONTEXT, {
  traceId: '00000000000000000000000000000001',
  spanId: '0000000000000001',
  traceFlags: TraceFlags.NONE,
});

const tracer = trace.getTracer('hookline');

/**
 * Opens a request's unit of work: its id, its trace, its server span. Own span, at about half the cost of the
 * fastify instrumentation; without a configured exporter the tracer is a no-op. Continues the caller's trace
 * if it sent a valid `traceparent`, else starts a new one.
 */
export function openRequestContext(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const parent = parentOf(request);
  const span = startServerSpan(request, parent);
  const spanContext = span.spanContext();
  if (!isSpanContextValid(spanContext)) {
    const given = request.headers.traceparent;
    runInContext(setContext(request, isTraceparent(given) ? given : newTraceparent()), done);
    return;
  }
  if (span.isRecording()) endWithAnswer(span, reply);
  const { traceId, spanId, traceFlags } = spanContext;
  const context = setContext(request, `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`);
  runInContext(context, () => otelContext.with(trace.setSpan(parent, span), done));
}

/**
 * The caller's trace, or none. Probes are not sampled: with a check per container every few seconds they were
 * most of what a trace store kept.
 */
export function parentOf(request: FastifyRequest): Context {
  return isHealth(request) ? unsampled : propagation.extract(ROOT_CONTEXT, request.headers);
}

/**
 * Routes for probes: not logged, not counted, not traced, and without `Connection: close` during a shutdown.
 */
export function isHealth(request: FastifyRequest): boolean {
  const route = matchedRoute(request).url;
  return route === '/livez' || route === '/readyz';
}

function startServerSpan(request: FastifyRequest, parent: Context): Span {
  const route = matchedRoute(request).url ?? 'unknown';
  const attributes = {
    'http.request.method': request.method,
    'http.route': route,
    'hookline.request_id': request.id,
  };
  return tracer.startSpan(`${request.method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent);
}

function endWithAnswer(span: Span, reply: FastifyReply): void {
  reply.raw.once('close', () => {
    span.setAttribute('http.response.status_code', reply.raw.statusCode);
    if (reply.raw.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });
}

function setContext(request: RequestWithContext, traceparent: string): RequestContext {
  const clientAddress = request.call?.signed?.address ?? null;
  const context = { requestId: request.id, traceparent, clientAddress };
  request[unitOfWork] = context;
  return context;
}

/** Id and trace of a request; undefined when it was refused before they were assigned. */
export function requestContextOf(request: RequestWithContext): RequestContext | undefined {
  return request[unitOfWork];
}

/** Runs work in the request's context where the call stack has lost it: `onResponse` runs in the socket's. */
export function inRequestContext(request: RequestWithContext, work: () => void): void {
  const context = request[unitOfWork];
  if (!context) work();
  else runInContext(context, () => otelContext.with(ROOT_CONTEXT, work));
}
