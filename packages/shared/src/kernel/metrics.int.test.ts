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

beforeAll(async () => {
  port = await freePort();
  metrics = await startMetrics({ service: 'content', port, host: '127.0.0.1', log });
});
afterAll(() => metrics.stop());

const gauge = (name: string) =>
  ({ name, kind: 'gauge', unit: '1', about: 'Of this test.', attributes: [] }) as const;

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
    const counts = await read('http_server_request_duration_count');
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
      const counts = await read('hookline_job_duration_count');
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
    // Not the previous value either.
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
    expect(await read('hookline_posting_overdue')).toEqual([]);
    expect(await read('hookline_posting_overdue')).toEqual([]);
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
    expect(Number((await read('process_memory_usage')).at(-1)?.split(' ').at(-1))).toBeGreaterThan(1e7);
    expect(await read('nodejs_eventloop_delay_p99')).toHaveLength(1);
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
