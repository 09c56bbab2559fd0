import { context, propagation, trace } from '@opentelemetry/api';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { currentContext, currentTraceparent, newTraceparent, runInContext, traceIdOf } from './context.ts';
import { doLaterWork } from './later-work.ts';
import { dayMs } from './rules/durations.ts';

type Processor = NonNullable<NonNullable<ConstructorParameters<typeof NodeSDK>[0]>['spanProcessors']>[number];
type ReadableSpan = Parameters<Processor['onEnd']>[0];

const askedAt = new Date('2026-01-01T00:00:00Z');
const after = (ms: number): Date => new Date(askedAt.getTime() + ms);
const traceparent = newTraceparent();
const asked = { requestId: 'req_asked', traceparent, at: askedAt };
const later = {
  name: 'do later',
  kind: 'internal',
  about: 'Work of this test.',
  attributes: ['hookline.webhook.outcome'],
} as const;
const seen = async () => ({ ids: currentContext(), traceparent: currentTraceparent() });

describe('without a collector', () => {
  it('goes on under the ids of the request, and after ten minutes in a trace of its own', async () => {
    const soon = await doLaterWork(later, asked, after(600_000), seen);
    expect(soon.ids).toEqual({ requestId: 'req_asked', traceparent });
    const late = await doLaterWork(later, asked, after(600_001), seen);
    expect(late.ids?.requestId).toBe('req_asked');
    expect(traceIdOf(late.traceparent)).not.toBe(traceIdOf(traceparent));
  });

  it.each([null, 'nonsense'])('a row that names no span (%s) begins a trace', async given => {
    const work = { requestId: null, traceparent: given, at: askedAt };
    const found = await doLaterWork(later, work, askedAt, seen);
    expect(found.ids?.requestId).toMatch(/^req_/);
    expect(found.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  });
});

describe('with a collector', () => {
  const finished: ReadableSpan[] = [];
  const collecting: Processor = {
    onStart: () => {},
    onEnd: span => void finished.push(span),
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  const sdk = new NodeSDK({ spanProcessors: [collecting], logRecordProcessors: [], metricReaders: [] });
  beforeAll(() => sdk.start());
  beforeEach(() => {
    finished.length = 0;
  });
  afterAll(async () => {
    await sdk.shutdown();
    for (const api of [context, propagation, trace]) api.disable();
  });

  it('is a child of the span that asked, and carries the attributes that the work sets', async () => {
    const found = await doLaterWork(later, asked, askedAt, async setAttributes => {
      setAttributes({ 'hookline.webhook.outcome': 'delivered' });
      return await seen();
    });
    const [span] = finished;
    expect(span?.spanContext().traceId).toBe(traceIdOf(traceparent));
    expect(span?.parentSpanContext?.spanId).toBe(traceparent.slice(36, 52));
    expect(span?.links).toEqual([]);
    expect(span?.attributes).toEqual({
      'hookline.request_id': 'req_asked',
      'hookline.webhook.outcome': 'delivered',
    });
    // Calls and events of the work belong to its span.
    expect(found.traceparent.slice(36, 52)).toBe(span?.spanContext().spanId);
  });

  it('late, it is linked to what asked, and its logs and calls share the new trace', async () => {
    const found = await doLaterWork(later, asked, after(dayMs), seen);
    const [span] = finished;
    expect(span?.parentSpanContext).toBeUndefined();
    expect(span?.links.map(link => link.context.traceId)).toEqual([traceIdOf(traceparent)]);
    expect(traceIdOf(found.traceparent)).toBe(span?.spanContext().traceId);
  });

  it('is linked to the request that triggers it, unless that is of the same trace', async () => {
    const platform = { requestId: 'req_platform', traceparent: newTraceparent() };
    await runInContext(platform, () => doLaterWork(later, asked, askedAt, seen));
    await runInContext(asked, () => doLaterWork(later, asked, askedAt, seen));
    const links = finished.map(span => span.links.map(link => link.context.traceId));
    expect(links).toEqual([[traceIdOf(platform.traceparent)], []]);
  });

  it('an error of the work is the span’s and the caller’s', async () => {
    const work = doLaterWork(later, asked, askedAt, () => Promise.reject(new TypeError('broken')));
    await expect(work).rejects.toThrow('broken');
    expect(finished[0]?.status).toEqual({ code: 2, message: 'TypeError' });
  });
});
