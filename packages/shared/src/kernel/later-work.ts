/** Work that a request asked for and a process does later, on its own: it goes on under the request's id and in its trace. */
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
import type { AttributeName, SpanName } from './metric-names.ts';

/** The request that asked for the work, stored with it. */
export type Asked = {
  requestId: string | null;
  /** Of the span in which it was asked; null in rows that were written before it was kept. */
  traceparent: string | null;
  at: Date;
};

/** Sets attributes of the work's span. */
export type TellSpan = (attributes: Partial<Record<AttributeName, string>>) => void;

// A trace that is added to for days is whole in no backend: they hold one in memory for minutes.
const oneTraceMs = 10 * 60_000;

const tracer = trace.getTracer('hookline');

/**
 * Runs the work in a span of its own, a child of the span that asked for it. After ten minutes, and where that is not known,
 * it begins a trace of its own, linked to the other. When another request brings the work on (a platform's webhook), the
 * span is linked to that request too. Logs, calls and events of the work carry both ids either way.
 * @param name one of the registry's spans of kind `internal`.
 */
export async function doLaterWork<T>(
  name: SpanName,
  asked: Asked,
  now: Date,
  work: (tell: TellSpan) => Promise<T>,
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
  const span = tracer.startSpan(name, { attributes, links }, parent);
  const traceparent = goesOn ? given : newTraceparent();
  try {
    return await runInContext({ requestId, traceparent }, () =>
      otelContext.with(trace.setSpan(parent, span), () =>
        work(attributes => void span.setAttributes(attributes)),
      ),
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
