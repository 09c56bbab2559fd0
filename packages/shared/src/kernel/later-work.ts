/** Work that a request asked for and a process does later, under the request's id and in its trace. */
import {
  type Attributes,
  context as otelContext,
  propagation,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { currentContext, isTraceparent, newTraceparent, runInContext, traceIdOf } from './context.ts';
import { newId } from './ids.ts';
import type { SpanDefinition } from './metric-definitions.ts';

/** The request that caused the work, stored with it. */
export type Asked = {
  requestId: string | null;
  /** Traceparent of the requesting span, where one is known. */
  traceparent: string | null;
  at: Date;
};

type InternalSpan = SpanDefinition & { kind: 'internal' };

/** Sets attributes of the work's span. */
export type SetAttributes<D extends InternalSpan> = (
  attributes: Partial<Record<D['attributes'][number], string>>,
) => void;

// Backends hold a trace in memory for minutes, so none shows one that grows for days as a whole.
const oneTraceMs = 10 * 60_000;

const tracer = trace.getTracer('hookline');

/**
 * Runs the work in a child of the span that asked for it. After ten minutes, and where that span is not
 * known, the work starts a new trace, linked to the other. When another request causes the work (a platform's
 * webhook), the span is linked to that request too. Logs, calls and events of the work carry the request's
 * and the trace's id in each case.
 */
export async function doLaterWork<T, const D extends InternalSpan>(
  definition: D,
  asked: Asked,
  now: Date,
  work: (setAttributes: SetAttributes<D>) => Promise<T>,
): Promise<T> {
  const given = isTraceparent(asked.traceparent) ? asked.traceparent : null;
  const goesOn = given !== null && now.getTime() - asked.at.getTime() <= oneTraceMs;
  const broughtBy = currentContext()?.traceparent;
  const linked = [goesOn ? null : given, broughtBy].filter(
    text => typeof text === 'string' && !(goesOn && traceIdOf(text) === traceIdOf(given)),
  );
  const requestId = asked.requestId ?? newId('req');
  const parent = goesOn ? contextOf(given) : ROOT_CONTEXT;
  const attributes: Attributes = { 'hookline.request_id': requestId };
  const links = linked.flatMap(text => {
    const context = trace.getSpanContext(contextOf(text as string));
    return context ? [{ context }] : [];
  });
  const span = tracer.startSpan(definition.name, { attributes, links }, parent);
  const traceparent = goesOn ? given : newTraceparent();
  try {
    return await runInContext({ requestId, traceparent }, () =>
      otelContext.with(trace.setSpan(parent, span), () => work(more => void span.setAttributes(more))),
    );
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).name });
    throw error;
  } finally {
    span.end();
  }
}

function contextOf(traceparent: string) {
  return propagation.extract(ROOT_CONTEXT, { traceparent });
}
