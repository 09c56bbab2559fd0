/** The same journey through five services as separate processes, two replicas of each. */
import { createHmac } from 'node:crypto';
import { eventually } from '@hookline/testing/eventually';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { countContents, countDuplicates } from '../lab/kit/checks/duplicates.ts';
import { checkLogsOf } from '../lab/kit/checks/kept-logs.ts';
import {
  approvedDeck,
  newAutomation,
  type Prepared,
  postsAtPlatform,
  prepareAccount,
  type Schedule,
} from '../lab/kit/clients/api.ts';
import { type Creators, prepareCreators } from '../lab/kit/clients/creators.ts';
import { type Journey, judgeTraces, makeJourneys, registerWebhook } from '../lab/kit/clients/journeys.ts';
import { failuresOf, type Load, makeAutomation, startLoad } from '../lab/kit/clients/product-load.ts';
import { restartInTurn } from '../lab/kit/faults/restarts.ts';
import { openAsSuperuser } from '../lab/kit/product/database.ts';
import type { DistributedProduct } from '../lab/kit/product/distributed.ts';
import { stopAllProcesses } from '../lab/kit/product/processes.ts';
import { type Stack, services, startStack } from '../lab/kit/product/stack.ts';
import { startTraceCollector, type TraceCollector } from '../lab/kit/servers/trace-collector.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../lab/kit/servers/webhook-receiver.ts';

const receiver: WebhookReceiver = await startWebhookReceiver();
const collector: TraceCollector = await startTraceCollector();
const stack: Stack | null = await startStack({
  WEBHOOK_ALLOW_TARGETS: receiver.target,
  SIGNUP_CREDITS: '2000',
  ...collector.env,
});
const product: DistributedProduct | undefined = stack?.product;

afterAll(async () => {
  await stopAllProcesses();
  await receiver.close();
  await collector.close();
  await stack?.close();
});

async function sentSchedule(client: Prepared, id: string, timeoutMs: number): Promise<Schedule> {
  return await eventually(async () => {
    const row = await client.api<Schedule>('GET', `/schedules/${id}`, { token: client.key });
    expect(row.data.failure).toBeNull();
    expect(row.data.status).toBe('sent');
    return row.data;
  }, timeoutMs);
}

describe.skipIf(stack === null)('five processes over Kafka, Redis and Postgres', () => {
  const { baseUrl, simulatorsUrl } = product as DistributedProduct;
  let maya: Prepared;

  beforeAll(async () => {
    maya = await prepareAccount(baseUrl, 'maya.makes');
  });

  beforeEach(({ onTestFailed }) => {
    onTestFailed(() => {
      const warnings = services
        .flatMap(name => (product as DistributedProduct).replicas(name))
        .flatMap(one => one.output().split('\n'))
        .filter(line => /"level":"(?:warn|error|fatal)"/.test(line));
      console.log(
        warnings
          .slice(-100)
          .map(line => line.slice(0, 400))
          .join('\n'),
      );
    });
  });

  it('publishes an approved deck exactly once and delivers its signed webhooks', async () => {
    const { api, key } = maya;
    const events = ['job.completed', 'content.approved', 'schedule.published'];
    const webhook = await api<{ secret: string }>('POST', '/webhooks', {
      token: key,
      body: { url: receiver.url, events },
    });
    expect(webhook.status).toBe(201);
    const deck = await approvedDeck(maya);
    const created = await api<Schedule>('POST', '/schedules', {
      token: key,
      body: {
        contentId: deck.id,
        tiktokAccountId: maya.accountId,
        mode: 'publish',
        privacyLevel: 'PUBLIC_TO_EVERYONE',
      },
    });
    expect(created.status).toBe(201);
    const sent = await sentSchedule(maya, created.data.id, 30_000);
    expect(sent.outcome).toBe('published');
    const posts = await postsAtPlatform(simulatorsUrl, 'maya.makes');
    expect(posts).toHaveLength(1);
    expect(posts[0]?.imageDigests).toHaveLength(deck.images.length);

    await eventually(() => expect(receiver.received).toHaveLength(3), 20_000);
    for (const { headers, body } of receiver.received) {
      expect(() => new Webhook(webhook.data.secret).verify(body, headers)).not.toThrow();
      expect(headers['x-service-signature']).toBe(
        createHmac('sha256', webhook.data.secret).update(body).digest('hex'),
      );
    }
    const types = receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type);
    expect(types.sort()).toEqual([...events].sort());
  });

  it('fires an automation across the bus and sends its approved content as a draft', async () => {
    const client = await prepareAccount(baseUrl, 'studio.nord');
    const { api, key } = client;
    const automation = `/automations/${await newAutomation(client, { approvalMode: 'auto' })}`;
    await api('POST', `${automation}/run`, { token: key });
    await eventually(async () => {
      const firings = await api<{ status: string }[]>('GET', `${automation}/firings`, { token: key });
      expect(firings.data[0]?.status).toBe('done');
    }, 45_000);
    expect(await postsAtPlatform(simulatorsUrl, 'studio.nord')).toHaveLength(1);
  });

  describe('for an operator', () => {
    let creators: Creators;
    let journeys: Journey[];
    let load: Load;
    let webhookSecret: string;

    beforeAll(async () => {
      creators = await prepareCreators(product as DistributedProduct, { count: 6, decks: 4 });
      webhookSecret = await registerWebhook(creators, receiver.url);
    });

    it('20 journeys from a content to its webhooks are one trace each, whole, with declared names', async () => {
      journeys = await makeJourneys(creators, 20);
      const { complaints, whole, linked } = await judgeTraces(collector, journeys, 60_000);
      expect(complaints.join('\n')).toBe('');
      expect(whole).toBe(20);
      // The platform's webhooks are separate traces.
      expect(linked).toBeGreaterThan(0);
    });

    it('each replica is ended in turn under load: no request fails, nothing is there twice', async () => {
      const { fronts } = stack as Stack;
      const db = openAsSuperuser((product as DistributedProduct).databaseUrl);
      const before = await countContents(db);
      await db.close();
      const unready = () => [...fronts.values()].flatMap(({ refused }) => refused);
      const atStart = unready().length;
      const automationId = await makeAutomation(creators);
      // Ten processes and their clients on two cores that may be half busy: 100 a second left
      // no answer for 10 s there, and 25 find each replica at work.
      load = startLoad({ baseUrl, creators, automationId, perSecond: 25 });
      const restarts = await restartInTurn({
        ...{ product: product as DistributedProduct, fronts, services, rounds: 1, pauseMs: 500 },
        signal: 'SIGTERM',
      });
      await load.stop();
      expect(load.told.length).toBeGreaterThan(1_000);
      expect(unready().slice(atStart)).toEqual([]);
      expect(failuresOf(load.told)).toEqual([]);
      expect(load.told.filter(({ status }) => status >= 400)).toEqual([]);
      expect(restarts.map(({ exit }) => exit)).toEqual(restarts.map(() => 0));
      expect(Math.max(...restarts.map(({ exitMs }) => exitMs))).toBeLessThan(15_000);
      expect(restarts.filter(({ inFlightMax }) => inFlightMax > 0).length).toBeGreaterThanOrEqual(7);
      const { posts, ...wrong } = await countDuplicates(product as DistributedProduct, load, before, 60_000);
      expect(wrong).toEqual({ keys: load.contents.size, contents: 0, doublePosts: 0, unsent: 0 });
      expect(posts).toBe(load.titles.size);
    }, 480_000);

    it('the logs of all that: JSON, both ids, every request found on both sides, no secret', async () => {
      const { client } = creators;
      const asked = [...load.told, ...journeys.flatMap(({ requests }) => requests)];
      const secrets = [client.key, client.session, maya.key, maya.session, webhookSecret];
      const found = await checkLogsOf(product as DistributedProduct, asked, secrets);
      expect(found.complaints).toEqual([]);
      expect(found.requestsFound).toBe(asked.length);
    });
  });

  it('stops every process clean at SIGTERM within 15 s', async () => {
    const { replicas } = product as DistributedProduct;
    const all = services.flatMap(replicas);
    expect(all).toHaveLength(10);
    const startedAtMs = Date.now();
    for (const one of all) one.signal('SIGTERM');
    expect(await Promise.all(all.map(one => one.exited))).toEqual(all.map(() => 0));
    expect(Date.now() - startedAtMs).toBeLessThan(15_000);
  });
});
