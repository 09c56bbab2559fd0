/** The context of the current request or event, stored in async context; read by logs, events and calls. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { context as otelContext, propagation, trace } from '@opentelemetry/api';
import { takeRandom } from './random-pool.ts';

export type RequestContext = {
  requestId: string;
  /** W3C trace context of the unit of work, always present, with or without telemetry. */
  traceparent: string;
  /** The address of the client whose request it is, as the gateway counts it. Absent or null: unknown. */
  clientAddress?: string | null;
  /** Set once a transaction was committed: a later failure must not claim that nothing was changed. */
  hasCommitted?: true;
};

const storage = new AsyncLocalStorage<RequestContext>();

export function runInContext<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work);
}

export function currentContext(): RequestContext | undefined {
  return storage.getStore();
}

/** Records that the current unit of work has committed something. */
export function noteCommit(): void {
  const context = storage.getStore();
  if (context) context.hasCommitted = true;
}

/** The traceparent to propagate: the active span's if telemetry is on, else the current request's. */
export function currentTraceparent(): string {
  if (trace.getSpanContext(otelContext.active())) {
    const carrier: Record<string, string> = {};
    propagation.inject(otelContext.active(), carrier);
    if (carrier.traceparent) return carrier.traceparent;
  }
  return storage.getStore()?.traceparent ?? newTraceparent();
}

/** A new root: sampled, since only a configured exporter decides what is kept. */
export function newTraceparent(): string {
  const bytes = takeRandom(24).toString('hex');
  return `00-${bytes.slice(0, 32)}-${bytes.slice(32)}-01`;
}

export function isTraceparent(text: unknown): text is string {
  return (
    typeof text === 'string' && /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.test(text)
  );
}

export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35);
}
