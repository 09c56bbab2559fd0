/**
 * `/metrics` of a running product: every name and label is one of the registry, and all
 * that was provoked is there.
 */
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allMetrics, prometheusSeries } from '../../tools/generate/all-metrics.ts';
import { approvedDeck, newAutomation, type Prepared, prepareAccount } from '../lab/kit/clients/api.ts';
import { freePorts } from '../lab/kit/product/processes.ts';
import { type Standalone, startStandalone } from '../lab/kit/product/standalone.ts';
import { startWebhookReceiver } from '../lab/kit/servers/webhook-receiver.ts';

let product: Standalone;
let client: Prepared;
const receiver = perSuite(startWebhookReceiver);
let metricsPort: number;

beforeAll(async () => {
  const [freePort, simulatorsPort] = (await freePorts(2)) as [number, number];
  metricsPort = freePort;
  product = await startStandalone({
    SIMULATORS_PORT: String(simulatorsPort),
    // The simulated model writes: its answers and tokens have metrics.
    LLM_BASE_URL: `http://127.0.0.1:${simulatorsPort}/llm/v1`,
    LLM_MODEL: 'simulated',
    METRICS_PORT: String(metricsPort),
    WEBHOOK_ALLOW_TARGETS: receiver.target,
  });
  client = await prepareAccount(product.baseUrl, 'studio.nord');
});
afterAll(async () => {
  await product?.remove();
});

type Sample = { name: string; labels: Record<string, string>; value: number };

async function scrape(): Promise<Sample[]> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return text
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => {
      const [, name = '', labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)/.exec(line) ?? [];
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, text]) => [key, text]);
      return { name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) };
    });
}

/** The metric that a series belongs to, by its Prometheus name. */
const known = new Map(
  allMetrics.flatMap(metric => prometheusSeries(metric).map(series => [series, metric] as const)),
);

// Series and labels of the exporter: the resource, and the scope of each metric.
const exportersOwn = new Set(['target_info', 'otel_scope_info']);
const exportersLabels = /^(otel_scope_.*|le)$/;

describe('/metrics of npm start', () => {
  it('has exactly the metrics of the registry, once each thing has happened', async () => {
    const { api, key, session, accountId } = client;
    const hook = await api('POST', '/webhooks', {
      token: key,
      body: { url: receiver.url, events: ['job.completed'] },
    });
    expect(hook.status, hook.text).toBe(201);
    const content = await approvedDeck(client);
    const schedule = await api('POST', '/schedules', {
      token: key,
      body: { contentId: content.id, tiktokAccountId: accountId, mode: 'draft' },
    });
    expect(schedule.status, schedule.text).toBe(201);
    const fired = await api('POST', `/automations/${await newAutomation(client)}/run`, { token: key });
    expect(fired.status, fired.text).toBeLessThan(300);
    const post = { videoId: 'one', platform: 'youtube', platformPostId: 'e2eMetric01' };
    const registered = await api('POST', '/analytics/posts', { token: session, body: post });
    expect(registered.status, registered.text).toBe(201);

    // Redis alone makes a limiter that can be inexact.
    const wanted = allMetrics.map(metric => metric.name).filter(name => name !== 'hookline.limiter.exact');
    await eventually(async () => {
      const seen = new Set((await scrape()).map(({ name }) => known.get(name)?.name ?? name));
      expect([...seen].filter(name => !exportersOwn.has(name)).sort()).toEqual(wanted.sort());
    }, 40_000);
  });

  it('carries no label that the registry does not have for the metric', async () => {
    const strange = (await scrape()).flatMap(({ name, labels }) => {
      const metric = known.get(name);
      if (metric === undefined) return [];
      const own = new Set(metric.attributes.map(attribute => attribute.replaceAll('.', '_')));
      return Object.keys(labels).filter(label => !own.has(label) && !exportersLabels.test(label));
    });
    expect(strange).toEqual([]);
  });

  it('agrees with what happened: nothing drifts, the post was reported twice, dead letters begin at 0', async () => {
    await eventually(async () => {
      const samples = await scrape();
      const values = (name: string) =>
        samples.filter(sample => sample.name === name).map(({ value }) => value);
      const sum = (name: string) => values(name).reduce((total, value) => total + value, 0);
      expect(values('hookline_ledger_drift')).toEqual([0, 0]);
      expect(new Set(values('hookline_bus_dead_letters_total'))).toEqual(new Set([0]));
      expect(sum('hookline_posting_lateness_seconds_count')).toBe(1);
      expect(sum('hookline_posting_outcomes_total')).toBe(1);
      expect(sum('hookline_analytics_schedules_total')).toBe(1);
    }, 20_000);
  });
});
