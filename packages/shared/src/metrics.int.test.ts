import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../../tools/infra/src/free-port.ts';
import { installRequestMetrics } from './http/request-metrics.ts';
import { createBareServer } from './http/server.ts';
import { createLogger } from './logger.ts';
import { createCountMetric, type Metrics, startMetrics, watchGauge } from './metrics.ts';
import { startWorkerLoop } from './worker-loop.ts';

const log = createLogger({ level: 'silent' });
let metrics: Metrics;
let port: number;

beforeAll(async () => {
  port = await freePort();
  metrics = await startMetrics({ service: 'content', port, host: '127.0.0.1', log });
});
afterAll(() => metrics.stop());

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

  it('tell done work from failed work', async () => {
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

  it('look values up when asked, and leave out what cannot be read', async () => {
    let value = 1;
    watchGauge({ name: 'hookline.test.good', description: 'Test.', unit: '1' }, () => [{ value }]);
    watchGauge({ name: 'hookline.test.bad', description: 'Test.', unit: '1' }, async () => {
      throw new Error('planted');
    });
    value = 7;
    expect((await read('hookline_test_good')).at(-1)).toMatch(/ 7$/);
    expect(await read('hookline_test_bad')).toEqual([]);
    createCountMetric('hookline.test.events', 'Test.', '{event}')();
    expect((await read('hookline_test_events_total')).at(-1)).toMatch(/ 1$/);
  });

  it('refuse to start on a taken port, in one sentence', async () => {
    await expect(startMetrics({ service: 'content', port, host: '127.0.0.1', log })).rejects.toThrow(
      `METRICS_PORT ${port} cannot be listened on`,
    );
  });
});
