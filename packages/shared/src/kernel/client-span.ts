import { type Attributes, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

const tracer = trace.getTracer('hookline');

/**
 * Records a call to a store as a span of the work that made it; does nothing where that work is not sampled.
 * Instrumentations of the drivers patch modules as they load, and an `import` of an ES module passes them by.
 */
export function recordCall<T>(
  answer: Promise<T>,
  describe: () => Attributes & { 'db.system.name': string; 'db.operation.name': string },
): Promise<T> {
  if (!trace.getActiveSpan()?.isRecording()) return answer;
  const attributes = describe();
  const name = `${attributes['db.system.name']} ${attributes['db.operation.name']}`;
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes });
  answer.then(
    () => span.end(),
    (error: Error & { code?: string }) => {
      span.setAttribute('error.type', error.code ?? error.name);
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  );
  return answer;
}
