/**
 * The environment of the run: five services with two replicas each, and stores that can be struck one by one.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@hookline/embedded';
import { eventually } from '@hookline/testing/eventually';
import { type KafkaCluster, startKafkaCluster } from '../../../../tools/infra/src/kafka.ts';
import { type RedisProcess, startRedis } from '../../../../tools/infra/src/redis.ts';
import { startTcpProxy, type TcpProxy } from '../../kit/faults/tcp-proxy.ts';
import type { Service } from '../../kit/product/distributed.ts';
import { stopAllProcesses } from '../../kit/product/processes.ts';
import { type Stack, services, startStack } from '../../kit/product/stack.ts';

const replicasEach = 2;
/** As an operator would leave them, but for the address: one machine sets the stage. */
export const limits = { ip: 400, key: 120, content: 10 };

export type Replica = { service: Service; replica: number };

export type Ground = {
  stack: Stack;
  redis: RedisProcess;
  /** Three brokers, each with three replicas of everything. */
  kafka: KafkaCluster;
  /** The proxy in front of each broker. */
  kafkaWays: readonly TcpProxy[];
  /** Each replica's connection to Postgres. */
  postgresWays: (Replica & { way: TcpProxy })[];
  /** Ends Postgres like `pg_ctl stop -m immediate`, and restarts it: it recovers from its log. */
  restartPostgres(): Promise<void>;
  /** Steps the wall clock of a replica; 0: correct again. */
  setClock(of: Replica, skewMs: number): void;
  close(): Promise<void>;
};

export type GroundOptions = {
  folder: string;
  /** host:port of the receivers of webhooks. */
  webhookTargets: readonly string[];
  entries: Partial<Record<Service, string>>;
};

/**
 * Postgres, Kafka and Redis belong to this run alone, since they are killed; Postgres writes as durably as
 * that of `npm start`.
 */
export async function openGround({ folder, webhookTargets, entries }: GroundOptions): Promise<Ground> {
  const dataDir = join(folder, 'postgres');
  const settings = { max_connections: '200' };
  let postgres = await startEmbeddedPostgres({ dataDir, settings });
  const kafkaWays: TcpProxy[] = [];
  const kafka = await startKafkaCluster(3, {
    workDir: join(folder, 'kafka'),
    inFront: async broker => {
      const way = await startTcpProxy(`kafka://${broker}`);
      kafkaWays.push(way);
      return way.port;
    },
  });
  const redis = await startRedis({ workDir: join(folder, 'redis') });
  process.env.HOOKLINE_TEST_POSTGRES_URL = postgres.url;
  process.env.KAFKA_BROKERS = kafka.brokers;
  process.env.REDIS_URL = redis.url;
  const postgresWays: Ground['postgresWays'] = [];
  for (const service of services)
    for (let replica = 0; replica < replicasEach; replica += 1)
      postgresWays.push({ service, replica, way: await startTcpProxy(postgres.url) });
  const clocks = join(folder, 'clocks');
  mkdirSync(clocks);
  const clockOf = ({ service, replica }: Replica): string => join(clocks, `${service}-${replica}`);
  for (const one of postgresWays) writeFileSync(clockOf(one), '0');
  const skewedClock = pathToFileURL(join(import.meta.dirname, '../../kit/faults/skewed-clock.mjs')).href;
  const ways = [...kafkaWays, ...postgresWays.map(({ way }) => way)];
  const closeStores = async (): Promise<void> => {
    await Promise.all(ways.map(way => way.close()));
    await Promise.all([kafka.kill(), redis.stop()]);
    await postgres.stop();
  };
  const starting = startStack(
    {
      LIMIT_PER_IP: String(limits.ip),
      LIMIT_PER_KEY: String(limits.key),
      LIMIT_CONTENT_PER_KEY: String(limits.content),
      LOG_LEVEL: 'warn',
      TRUSTED_PROXIES: '127.0.0.1',
      WEBHOOK_ALLOW_TARGETS: webhookTargets.join(),
      NODE_OPTIONS: `--import=${skewedClock}`,
    },
    {
      entries,
      envOf(service, replica, env) {
        const found = postgresWays.find(one => one.service === service && one.replica === replica);
        const url = new URL(env.DATABASE_URL ?? '');
        url.port = String(found?.way.port);
        return { DATABASE_URL: url.href, CLOCK_SKEW_FILE: clockOf({ service, replica }) };
      },
    },
  );
  // The caller has nothing to close when this throws.
  const stack = await starting
    .then(async started => {
      if (!started) throw new Error('Kafka or Redis is missing');
      await untilFrontsKnow(started);
      return started;
    })
    .catch(async error => {
      await stopAllProcesses();
      await closeStores();
      throw error;
    });
  return {
    stack,
    redis,
    kafka,
    kafkaWays,
    postgresWays,
    async restartPostgres() {
      postgres = await restartAtOnce(postgres, settings);
    },
    setClock: (of, skewMs) => writeFileSync(clockOf(of), String(skewMs)),
    async close() {
      await stack.close();
      await closeStores();
    },
  };
}

/** An address passes nothing on until it knows that a replica is ready. */
async function untilFrontsKnow({ product, fronts }: Stack): Promise<void> {
  await eventually(() => {
    for (const [service, front] of fronts)
      for (const url of product.urlsOf(service))
        if (!front.isReady(url)) throw new Error(`${service} at ${url} is not ready`);
  }, 30_000);
}

async function restartAtOnce(
  { pid, port, dataDir }: EmbeddedPostgres,
  settings: Record<string, string>,
): Promise<EmbeddedPostgres> {
  process.kill(pid, 'SIGQUIT');
  for (;;) {
    try {
      return await startEmbeddedPostgres({ dataDir, port, settings });
    } catch (error) {
      // It keeps its folder and port until it has exited.
      if (!/in use|is taken/.test((error as Error).message)) throw error;
      await wait(50);
    }
  }
}
