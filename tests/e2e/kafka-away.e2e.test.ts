/**
 * A Kafka outage blocks no request: api processes do not use it, workers keep serving and rejoin when it
 * returns.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canStartKafka } from '@hookline/infra/test-infra';
import { eventually } from '@hookline/testing/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KafkaProcess, startKafka } from '../../tools/infra/src/kafka.ts';
import {
  approvedDeck,
  type Content,
  type Prepared,
  prepareAccount,
  type Schedule,
} from '../lab/kit/clients/api.ts';
import { type DistributedProduct, type Service, startDistributed } from '../lab/kit/product/distributed.ts';
import { stopAllProcesses } from '../lab/kit/product/processes.ts';

const canRunKafka = await canStartKafka();
const workDir = mkdtempSync(join(tmpdir(), 'hookline-kafka-away-'));
const owners = ['content', 'scheduling', 'automation', 'analytics'] as const;
const [api, worker] = [0, 1];

describe.skipIf(!canRunKafka)('api and worker processes while Kafka is away', () => {
  let kafka: KafkaProcess;
  let product: DistributedProduct;
  let maya: Prepared;

  beforeAll(async () => {
    // A separate instance, because it is killed.
    kafka = await startKafka({ workDir });
    const started = await startDistributed(
      { KAFKA_BROKERS: kafka.brokers, LIMIT_PER_IP: '1000000', LIMIT_PER_KEY: '1000000' },
      {
        replicas: { gateway: 1, content: 2, scheduling: 2, automation: 2, analytics: 2 },
        envOf: (service, replica) => {
          if (service === 'gateway') return {};
          return replica === worker ? { ROLE: 'worker' } : { ROLE: 'api', KAFKA_BROKERS: '' };
        },
        inFront: async (_, urls) => urls[api] ?? '',
      },
    );
    if (!started) throw new Error('Redis is missing');
    product = started;
    maya = await prepareAccount(product.baseUrl, 'maya.makes');
  }, 240_000);
  afterAll(async () => {
    await stopAllProcesses();
    await kafka?.stop();
    await product?.remove();
    rmSync(workDir, { recursive: true, force: true });
  }, 60_000);

  const readiness = async (service: Service, replica: number): Promise<unknown> => {
    const answer = await fetch(`${product.urlsOf(service)[replica]}/readyz`);
    return { status: answer.status, body: await answer.json() };
  };
  const ready = { status: 200, body: { data: { status: 'ready' } } };
  const degraded = { status: 200, body: { data: { status: 'ready', degraded: ['bus'] } } };

  /** Reads the feed; the result gives the types of the events about a subject. */
  async function readFeed(): Promise<(subject: string) => string[]> {
    const path = '/events?limit=100';
    const { status, data } = await maya.api<{ type: string }[]>('GET', path, { token: maya.key });
    expect(status).toBe(200);
    return subject => data.filter(event => JSON.stringify(event).includes(subject)).map(event => event.type);
  }

  async function untilAllSay(replica: number, wanted: unknown): Promise<void> {
    await eventually(async () => {
      for (const service of owners) expect(await readiness(service, replica)).toEqual(wanted);
    }, 60_000);
  }

  it('while Kafka answers every process is ready and none is degraded', async () => {
    await untilAllSay(api, ready);
    await untilAllSay(worker, ready);
  });

  it('reads and writes go on, and all that was accepted reaches the feed when Kafka is back', async () => {
    const before = await approvedDeck(maya);
    await kafka.kill();
    await untilAllSay(worker, degraded);
    await untilAllSay(api, ready);

    const { api: call, key, appId, accountId } = maya;
    const deck = await approvedDeck(maya);
    const rejected = await call<Content>('POST', '/content', {
      token: key,
      headers: { 'idempotency-key': randomBytes(8).toString('hex') },
      body: { appId, type: 'slideshow', brief: { templateId: 'quote-card' } },
    });
    expect(rejected.status).toBe(201);
    expect((await call('POST', `/content/${rejected.data.id}/reject`, { token: key })).status).toBe(200);
    expect((await call('GET', `/content/${deck.id}`, { token: key })).status).toBe(200);
    const schedules: string[] = [];
    for (const content of [before, deck]) {
      const made = await call<Schedule>('POST', '/schedules', {
        token: key,
        body: { contentId: content.id, tiktokAccountId: accountId },
      });
      expect(made.status).toBe(201);
      schedules.push(made.data.id);
    }
    const automation = await call<{ id: string }>('POST', '/automations', {
      token: key,
      body: {
        appId,
        tiktokAccountId: accountId,
        format: 'slideshow',
        approvalMode: 'auto',
        postingTimes: [{ time: '09:00', days: ['mon', 'tue'] }],
      },
    });
    expect(automation.status).toBe(201);
    expect(
      (await call('POST', `/automations/${automation.data.id}/run`, { token: key })).status,
    ).toBeLessThan(300);
    for (const path of ['/schedules', '/events', '/credits', '/apps', '/automations', '/analytics/summary']) {
      expect([path, (await call('GET', path, { token: key })).status]).toEqual([path, 200]);
    }

    // Posts need no bus: the permit is requested over HTTP.
    for (const id of schedules) {
      await eventually(async () => {
        const row = await call<Schedule>('GET', `/schedules/${id}`, { token: key });
        expect(row.data.status).toBe('sent');
      }, 60_000);
    }

    // A rollout or a scale-up during the outage.
    const rollOut = async (service: Service) => {
      for (const replica of [api, worker]) {
        const one = product.replicaAt(product.urlsOf(service)[replica] ?? '');
        one.signal('SIGTERM');
        expect(await one.exited).toBe(0);
        await product.restart(one);
      }
      expect(await readiness(service, worker)).toEqual(degraded);
    };
    await Promise.all([rollOut('content'), rollOut('scheduling')]);

    // The worker that has started waits 30 s for the bus. Its database is the one that was compared last.
    const late = await call<Schedule>('POST', '/schedules', {
      token: key,
      body: { contentId: deck.id, tiktokAccountId: accountId },
    });
    expect(late.status).toBe(201);
    await eventually(async () => {
      const row = await call<Schedule>('GET', `/schedules/${late.data.id}`, { token: key });
      expect(row.data.status).toBe('sent');
    }, 60_000);

    await kafka.restart();
    await untilAllSay(worker, ready);
    await eventually(async () => {
      const feedOf = await readFeed();
      expect(feedOf(deck.id)).toEqual(
        expect.arrayContaining(['job.completed', 'content.approved', 'schedule.sent_to_drafts']),
      );
      expect(feedOf(rejected.data.id)).toEqual(expect.arrayContaining(['job.completed', 'content.rejected']));
      for (const id of schedules) expect(feedOf(id)).toContain('schedule.sent_to_drafts');
      const firings = await call<{ status: string }[]>('GET', `/automations/${automation.data.id}/firings`, {
        token: key,
      });
      expect(firings.data[0]?.status).toBe('done');
    }, 90_000);
  }, 300_000);
});
