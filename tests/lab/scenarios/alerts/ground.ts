/** The environment of the faults: the product as processes, with freezable connections to its stores. */
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { testPostgresUrl, testRedisUrl } from '@hookline/infra/test-infra';
import type { Bus } from '@hookline/shared/bus';
import { createKafkaBus } from '@hookline/shared/bus/kafka';
import { createLogger } from '@hookline/shared/kernel';
import pg from 'pg';
import { startKafka } from '../../../../tools/infra/src/kafka.ts';
import { putFaults } from '../../kit/clients/api.ts';
import { type Creators, prepareCreators } from '../../kit/clients/creators.ts';
import { startTcpProxy, type TcpProxy } from '../../kit/faults/tcp-proxy.ts';
import { type DistributedProduct, type Service, startDistributed } from '../../kit/product/distributed.ts';
import { freePorts } from '../../kit/product/processes.ts';
import type { Target } from './prometheus.ts';

export const services: readonly Service[] = ['gateway', 'content', 'scheduling', 'automation', 'analytics'];

const decksEach = 8;

export type Fault = { platform: string; operation: string; kind: string; share: number; delayMs?: number };

export type Ground = {
  product: DistributedProduct;
  targets: Target[];
  redisWay: TcpProxy;
  kafkaWay: TcpProxy;
  /** Automation's connection to Postgres. */
  databaseWay: TcpProxy;
  bus: Bus;
  creators: Creators;
  /** Decks to post, and others whose approval is decided repeatedly. */
  toPost: string[];
  toDecide: string[];
  receiver: Receiver;
  /** One connection as a superuser, for a transaction that stays open. */
  connect(): Promise<pg.Client>;
  /** Adds a fault at the simulated platforms; the result removes it. */
  fault(fault: Fault): Promise<() => Promise<void>>;
  close(): Promise<void>;
};

export async function openGround(folder: string): Promise<Ground> {
  const redisUrl = await testRedisUrl();
  if (redisUrl === null) throw new Error('Redis is missing');
  const [redisWay, databaseWay] = [
    await startTcpProxy(redisUrl),
    await startTcpProxy(await testPostgresUrl()),
  ];
  const ports = await freePorts(services.length);
  const targets = services.map((service, at) => ({ service, port: ports[at] ?? 0 }));
  const receiver = await startReceiver();
  let kafkaWay: TcpProxy | undefined;
  // A separate server: it is cut off, which would affect other users of a shared one.
  const kafka = await startKafka({
    workDir: join(folder, 'kafka'),
    async inFront(brokers) {
      kafkaWay = await startTcpProxy(`kafka://${brokers}`);
      return kafkaWay.port;
    },
  });
  const through = (url: string, way: TcpProxy): string => {
    const changed = new URL(url);
    changed.port = String(way.port);
    return changed.href;
  };
  const product = await startDistributed(
    {
      KAFKA_BROKERS: kafka.brokers,
      LOG_LEVEL: 'warn',
      LIMIT_PER_IP: '1000000',
      LIMIT_PER_KEY: '1000000',
      LIMIT_CONTENT_PER_KEY: '100000',
      DAILY_GENERATIONS: '100000',
      SIGNUP_CREDITS: '10000',
      YOUTUBE_DAILY_UNITS: '2',
      WEBHOOK_ALLOW_TARGETS: receiver.target,
    },
    {
      replicas: { gateway: 1, content: 1, scheduling: 1, automation: 1, analytics: 1 },
      envOf(service, _replica, env) {
        const own: Record<string, string> = {
          METRICS_PORT: String(targets.find(target => target.service === service)?.port),
        };
        if (service === 'gateway') own.REDIS_URL = through(env.REDIS_URL ?? '', redisWay);
        if (service === 'automation') own.DATABASE_URL = through(env.DATABASE_URL ?? '', databaseWay);
        if (service === 'content') {
          own.LLM_BASE_URL = (env.TIKTOK_AUTH_URL ?? '').replace(/tiktok$/, 'llm/v1');
          own.LLM_MODEL = 'simulated';
        }
        return own;
      },
    },
  );
  if (!product || !kafkaWay) throw new Error('Kafka or Redis is missing');
  const creators = await prepareCreators(product, { count: 6, decks: 2 * decksEach });
  const faults: Fault[] = [];
  const sync = (): Promise<void> => putFaults(product.simulatorsUrl, faults);
  const bus = createKafkaBus({
    brokers: [kafka.brokers],
    clientId: 'proof',
    log: createLogger({ level: 'silent' }),
  });
  const clients: pg.Client[] = [];
  const ways = [redisWay, kafkaWay, databaseWay];
  return {
    product,
    targets,
    redisWay,
    kafkaWay,
    databaseWay,
    bus,
    creators,
    toPost: creators.contentIds.slice(0, decksEach),
    toDecide: creators.contentIds.slice(decksEach),
    receiver,
    async connect() {
      const client = new pg.Client({
        connectionString: product.databaseUrl,
        application_name: 'proof fault',
      });
      client.on('error', () => {});
      await client.connect();
      clients.push(client);
      return client;
    },
    async fault(fault) {
      faults.push(fault);
      await sync();
      return async () => {
        faults.splice(faults.indexOf(fault), 1);
        await sync();
      };
    },
    async close() {
      await Promise.all(clients.map(client => client.end().catch(() => {})));
      await bus.close();
      await receiver.close();
      await Promise.all(ways.map(way => way.close()));
      await kafka.stop();
      await product.remove();
    },
  };
}

export type Receiver = {
  target: string;
  url(path: string): string;
  /** Latency of answers from now on, up to half longer; null: none arrives until `delayMs` is set again. */
  delayMs: number | null;
  close(): Promise<void>;
};

async function startReceiver(): Promise<Receiver> {
  const hanging = new Set<ServerResponse>();
  let delayMs: number | null = 0;
  const server = createServer((request, response) => {
    request.resume();
    if (delayMs === null) hanging.add(response);
    else setTimeout(() => response.writeHead(204).end(), delayMs * (1 + Math.random() / 2));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    target: `127.0.0.1:${port}`,
    url: path => `http://127.0.0.1:${port}/${path}`,
    get delayMs() {
      return delayMs;
    },
    set delayMs(value) {
      delayMs = value;
      if (value === null) return;
      for (const response of hanging) response.writeHead(204).end();
      hanging.clear();
    },
    close: () =>
      new Promise(resolve => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
