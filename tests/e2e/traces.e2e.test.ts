/** The trace of a post through the five services of `npm start`, as a collector receives it over OTLP. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { beforeAll, expect, it } from 'vitest';
import { approvedDeck, type Prepared, prepareAccount } from '../lab/kit/clients/api.ts';
import { startStandalone } from '../lab/kit/product/standalone.ts';
import { startTraceCollector } from '../lab/kit/servers/trace-collector.ts';

const collector = perSuite(startTraceCollector);
const product = perSuite(() => startStandalone(collector.env));
let client: Prepared;

beforeAll(async () => {
  client = await prepareAccount(product.baseUrl, 'maya.makes');
});

it('a post is one trace from the gateway to the platform, with statements of every service', async () => {
  const deck = await approvedDeck(client);
  // The gateway has not seen it yet, so it asks its database.
  const key = await client.api<{ key: string }>('POST', '/keys', {
    token: client.session,
    body: { name: 'trace', scopes: ['schedules:write'] },
  });
  const traceId = randomBytes(16).toString('hex');
  const clientSpan = randomBytes(8).toString('hex');
  const made = await client.api('POST', '/schedules', {
    token: key.data.key,
    headers: { traceparent: `00-${traceId}-${clientSpan}-01` },
    body: { contentId: deck.id, tiktokAccountId: client.accountId, mode: 'draft' },
  });
  expect(made.status, made.text).toBe(201);
  await eventually(() => {
    const spans = collector.spansOf(traceId);
    const ids = new Set([clientSpan, ...spans.map(span => span.spanId)]);
    expect(spans.filter(span => !ids.has(span.parentSpanId))).toEqual([]);
    const names = spans.map(({ name }) => name);
    expect(names).toContain('POST /api/v1/schedules');
    expect(names).toContain('send schedule');
    expect(names.filter(name => name.startsWith('send scheduling.'))).not.toEqual([]);
    expect(names.filter(name => name.startsWith('process scheduling.'))).not.toEqual([]);
    const calls = spans.filter(({ scope }) => scope === '@opentelemetry/instrumentation-undici');
    const sender = spans.find(({ name }) => name === 'send schedule');
    expect(calls.map(({ parentSpanId }) => parentSpanId)).toContain(sender?.spanId);
    expect([...new Set(spans.flatMap(({ pool }) => pool ?? []))].sort()).toEqual(
      ['analytics', 'automation', 'content', 'gateway', 'scheduling'].map(name => `hookline ${name}`),
    );
  }, 20_000);
});

it('each line of its log names one service', () => {
  const lines = readFileSync(join(product.dataDir, 'logs', 'hookline.log'), 'utf8')
    .trim()
    .split('\n');
  expect(lines.filter(line => line.split('"service":').length !== 2)).toEqual([]);
  const services = new Set(lines.map(line => (JSON.parse(line) as { service: string }).service));
  expect([...services].sort()).toEqual([
    'analytics',
    'automation',
    'content',
    'gateway',
    'scheduling',
    'standalone',
  ]);
});
