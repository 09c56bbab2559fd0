import { callerHeader } from '../http/index.ts';
import type { Logger } from '../kernel/index.ts';

export type Telemetry = { stop(): Promise<void> };

/**
 * Starts tracing when a collector is configured; otherwise nothing is loaded and the API stays a no-op.
 * Call it before `pg` and `undici` are imported: instrumentation patches modules as they load. Spans of HTTP
 * servers and bus consumers are our own; logs carry the trace id without it.
 */
export async function startTelemetry(
  service: string,
  endpoint: string | undefined,
  log: Logger,
): Promise<Telemetry> {
  if (!endpoint) return { stop: async () => {} };
  const [{ NodeSDK }, { PgInstrumentation }, { UndiciInstrumentation }, { IORedisInstrumentation }] =
    await Promise.all([
      import('@opentelemetry/sdk-node'),
      import('@opentelemetry/instrumentation-pg'),
      import('@opentelemetry/instrumentation-undici'),
      import('@opentelemetry/instrumentation-ioredis'),
    ]);
  const sdk = new NodeSDK({
    serviceName: `hookline-${service}`,
    // Only traces are exported: the default log and metric exporters made a shutdown without collector take 8
    // to 14 s.
    logRecordProcessors: [],
    metricReaders: [],
    instrumentations: [
      new PgInstrumentation({ requireParentSpan: true }),
      new UndiciInstrumentation({
        requireParentforSpans: true,
        // Calls between services carry their own traceparent; a second one would make both unreadable.
        ignoreRequestHook: ({ headers }) => headers.includes(callerHeader),
      }),
      new IORedisInstrumentation({ requireParentSpan: true }),
    ],
  });
  sdk.start();
  log.info('telemetry is on');
  return { stop: () => sdk.shutdown() };
}
