import { hasSubscribers } from 'node:diagnostics_channel';
import { isSpanContextValid, trace } from '@opentelemetry/api';
import { callerHeader } from '../http/index.ts';
import type { Logger } from '../kernel/index.ts';

export type Telemetry = { stop(): Promise<void> };

/**
 * Starts tracing when a collector is configured; otherwise nothing is loaded and the API stays a no-op. Spans
 * of HTTP servers, databases and the bus are our own; logs carry the trace id without it.
 */
export async function startTelemetry(
  service: string,
  endpoint: string | undefined,
  log: Logger,
): Promise<Telemetry> {
  if (!endpoint) return { stop: async () => {} };
  const [{ NodeSDK }, { UndiciInstrumentation }] = await Promise.all([
    import('@opentelemetry/sdk-node'),
    import('@opentelemetry/instrumentation-undici'),
  ]);
  const sdk = new NodeSDK({
    serviceName: `hookline-${service}`,
    // Only traces are exported: the default log and metric exporters made a shutdown without collector take 8
    // to 14 s.
    logRecordProcessors: [],
    metricReaders: [],
    instrumentations: [
      new UndiciInstrumentation({
        requireParentforSpans: true,
        // Calls between services carry their own traceparent; a second one would make both unreadable.
        ignoreRequestHook: ({ headers }) => headers.includes(callerHeader),
      }),
    ],
  });
  sdk.start();
  const missing = whatRecordsNothing();
  if (missing.length === 0) log.info('telemetry is on');
  else log.warn({ missing }, `telemetry is incomplete: no spans of ${missing.join(' and ')}`);
  return { stop: () => sdk.shutdown() };
}

/** What the SDK was to switch on and did not, because of a setting such as `OTEL_SDK_DISABLED`. */
function whatRecordsNothing(): string[] {
  // Never ended, so never exported.
  const probe = trace.getTracer('hookline').startSpan('probe');
  return [
    ...(isSpanContextValid(probe.spanContext()) ? [] : ['requests, events and statements']),
    ...(hasSubscribers('undici:request:create') ? [] : ['outgoing requests']),
  ];
}
