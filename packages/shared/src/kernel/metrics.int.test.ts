import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { freePort } from '@hookline/embedded/free-port';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { installRequestMetrics } from '../http/request-metrics.ts';
import { createBareServer } from '../http/server.ts';
import { watchPool } from '../postgres/db-metrics.ts';
import { watchGauge } from './gauges.ts';
import { createLogger } from './logger.ts';
import { createCountMetric, type Metrics, startMetrics } from './metrics.ts';
import { startWorkerLoop } from './worker-loop.ts';

const log = createLogger({ level: 'silent' });
let metrics: Metrics;
let port: number;

/** The metrics of the newest export, decoded as an OTLP receiver does, by name. */
const received = new Map<string, OtlpMetric>();
let body = Buffer.alloc(0);
const receiver = createServer(async (request, response) => {
  body = await buffer(request);
  received.clear();
  for (const metric of readExport(body)) received.set(metric.name, metric);
  response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
});

beforeAll(async () => {
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const otlpEndpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', otlpEndpoint);
  vi.stubEnv('OTEL_METRIC_EXPORT_INTERVAL', '300');
  port = await freePort();
  metrics = await startMetrics({ service: 'content', port, host: '127.0.0.1', otlpEndpoint, log });
});
afterAll(async () => {
  await metrics.stop();
  receiver.closeAllConnections();
  receiver.close();
  vi.unstubAllEnvs();
});

type OtlpMetric = { name: string; unit: string; isCounter: boolean; isGauge: boolean };

/** The length-delimited fields of a protobuf message, by number. */
function fieldsOf(bytes: Buffer): Map<number, Buffer[]> {
  const fields = new Map<number, Buffer[]>();
  let at = 0;
  const readVarint = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++] as number;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = readVarint();
    const wire = tag & 7;
    if (wire === 0) readVarint();
    else if (wire === 1) at += 8;
    else if (wire === 5) at += 4;
    else {
      const length = readVarint();
      fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), bytes.subarray(at, at + length)]);
      at += length;
    }
  }
  return fields;
}

/** `ExportMetricsServiceRequest`: resource_metrics 1, scope_metrics 2, metrics 2. */
function readExport(body: Buffer): OtlpMetric[] {
  const inside = (parents: Buffer[], field: number) =>
    parents.flatMap(parent => fieldsOf(parent).get(field) ?? []);
  return inside(inside(inside([body], 1), 2), 2).map(metric => {
    const fields = fieldsOf(metric);
    const text = (field: number) => fields.get(field)?.[0]?.toString() ?? '';
    return { name: text(1), unit: text(3), isGauge: fields.has(5), isCounter: fields.has(7) };
  });
}

/** The rule of the OpenTelemetry specification for Prometheus, as collectors apply it. */
function translated({ name, unit, isCounter, isGauge }: OtlpMetric): string {
  const units: Record<string, string> = { s: 'seconds', By: 'bytes', ...(isGauge && { 1: 'ratio' }) };
  const words = name.split(/[._]/);
  const word = units[unit];
  if (word !== undefined && !words.includes(word)) words.push(word);
  return [...words, ...(isCounter ? ['total'] : [])].join('_');
}

const gauge = (name: string) =>
  ({ name, kind: 'gauge', unit: '{boolean}', about: 'Of this test.', attributes: [] }) as const;

/** The lines of `/metrics` that begin with the name. */
async function read(name: string): Promise<string[]> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return text.split('\n').filter(line => line.startsWith(name));
}

describe('metrics for Prometheus', () => {
  it('count requests by route and status, and no probes', async () => {
    const app = createBareServer(log);
    installRequestMetrics(app, 'content');
    app.get('/v1/things/:id', async (_request, reply) => reply.code(404).send({}));
    app.get('/livez', async () => ({}));
    await app.inject('/v1/things/1');
    await app.inject('/v1/things/2');
    await app.inject('/livez');
    await app.close();
    const counts = await read('http_server_request_duration_seconds_count');
    expect(counts).toHaveLength(1);
    expect(counts[0]).toContain('http_route="/v1/things/:id"');
    expect(counts[0]).toContain('http_response_status_code="404"');
    expect(counts[0]).toMatch(/ 2$/);
  });

  it('distinguish done work from failed work', async () => {
    let runs = 0;
    const loop = startWorkerLoop({
      name: 'sweep',
      pollMs: 60_000,
      log,
      work: async () => {
        runs += 1;
        if (runs === 1) return true;
        throw new Error('planted');
      },
    });
    await vi.waitFor(async () => {
      const counts = await read('hookline_job_duration_seconds_count');
      expect(counts.find(line => line.includes('"done"'))).toMatch(/ 1$/);
      expect(counts.find(line => line.includes('"failed"'))).toMatch(/ 1$/);
    });
    await loop.stop();
  });

  it('read values when asked, and leave out what cannot be read', async () => {
    let value = 1;
    watchGauge(gauge('hookline.limiter.exact'), () => [{ value }]);
    let isAway = false;
    watchGauge(gauge('hookline.analytics.quota'), async () => {
      if (isAway) throw new Error('planted');
      return [{ value: 3 }];
    });
    expect(await read('hookline_analytics_quota')).toHaveLength(1);
    value = 7;
    isAway = true;
    expect((await read('hookline_limiter_exact')).at(-1)).toMatch(/ 7$/);
    expect(await read('hookline_analytics_quota')).toEqual([]);
  });

  it('answer without a value that takes too long, and do not ask again in the meantime', async () => {
    let reads = 0;
    let release = (): void => {};
    watchGauge(gauge('hookline.posting.overdue'), async () => {
      reads += 1;
      await new Promise<void>(resolve => {
        release = resolve;
      });
      return [{ value: 1 }];
    });
    expect(await read('hookline_posting_overdue_seconds')).toEqual([]);
    expect(await read('hookline_posting_overdue_seconds')).toEqual([]);
    expect(reads).toBe(1);
    release();
  });

  it('count from 0, so that the first event is an increase', async () => {
    const count = createCountMetric({
      name: 'hookline.firings',
      kind: 'counter',
      unit: '{firing}',
      about: 'Of this test.',
      attributes: ['hookline.firing.status'],
    });
    count({ 'hookline.firing.status': 'fired' }, 0);
    expect((await read('hookline_firings_total')).at(-1)).toMatch(/ 0$/);
    count({ 'hookline.firing.status': 'fired' });
    expect((await read('hookline_firings_total')).at(-1)).toMatch(/ 1$/);
  });

  it('report how full a pool is and the state of the process', async () => {
    watchPool({ totalCount: 5, idleCount: 2, waitingCount: 1 }, 'hookline test', 6);
    const used = (await read('db_client_connection_count')).find(line => line.includes('"used"'));
    expect(used).toMatch(/ 3$/);
    expect((await read('db_client_connection_pending_requests')).at(-1)).toMatch(/ 1$/);
    expect(Number((await read('process_memory_usage_bytes')).at(-1)?.split(' ').at(-1))).toBeGreaterThan(1e7);
    expect(await read('nodejs_eventloop_delay_p99_seconds')).toHaveLength(1);
  });

  it('have the names that a collector gives to those sent over OTLP', async () => {
    await vi.waitFor(async () => {
      const types = (await read('# TYPE ')).map(line => line.split(' ')[2] ?? '');
      const scraped = types.filter(name => name !== 'target_info').sort();
      expect(scraped).toContain('http_server_request_duration_seconds');
      expect(scraped).toContain('process_memory_usage_bytes');
      expect([...received.values()].map(translated).sort()).toEqual(scraped);
    }, 10_000);
  });

  it('name their process over OTLP, so that replicas are told apart', async () => {
    await vi.waitFor(() => expect(body.toString()).toContain('service.instance.id'), 5_000);
  });

  it('are answered on their own address alone', async () => {
    expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(200);
    await expect(fetch(`http://127.0.0.2:${port}/metrics`)).rejects.toThrow('fetch failed');
  });

  it('refuse to start on a taken port, in one sentence', async () => {
    await expect(startMetrics({ service: 'content', port, host: '127.0.0.1', log })).rejects.toThrow(
      `METRICS_PORT ${port} cannot be listened on`,
    );
  });
});

it('an interval that is no number of milliseconds is refused by its name', async () => {
  vi.stubEnv('OTEL_METRIC_EXPORT_INTERVAL', 'often');
  const started = startMetrics({
    service: 'content',
    host: '127.0.0.1',
    otlpEndpoint: 'http://127.0.0.1:1',
    log,
  });
  await expect(started).rejects.toThrow('OTEL_METRIC_EXPORT_INTERVAL must be an integer from 1 to 86400000.');
});
