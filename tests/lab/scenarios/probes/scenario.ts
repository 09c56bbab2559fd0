/**
 * `/livez` and `/readyz` of the five services while Postgres, Kafka and Redis die and come back; the time
 * from a start to readiness; idle memory.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { testPostgresUrl, testRedisUrl } from '@hookline/infra/test-infra';
import { startKafka } from '../../../../tools/infra/src/kafka.ts';
import { startTcpProxy } from '../../kit/faults/tcp-proxy.ts';
import { type DistributedProduct, type Service, startDistributed } from '../../kit/product/distributed.ts';
import { services } from '../../kit/product/stack.ts';
import { defineScenario, type Figures, type Outcome } from '../../kit/run/scenario.ts';
import { type Probe, startProbe } from './probe.ts';

const flipWithinMs = 2_000;
const backWithinMs = 5_000;
const readyWithinMs = 2_000;
const idleForMs = 20_000;
const rssMaxMb = 128;
const livezWithinMs = 1_000;
/**
 * Without Redis the gateway divides its limits; without Kafka events wait in the outbox and requests
 * continue.
 */
const needs: Record<string, readonly Service[]> = {
  'Postgres cut off': services,
  'Postgres silent': services,
  'Redis cut off': [],
  'Kafka killed': [],
};

const complaints: string[] = [];
const figures: Figures = {};
const complainIf = (isWrong: boolean, what: string): void => {
  if (isWrong) complaints.push(what);
};

async function prove(folder: string): Promise<Outcome> {
  const redisUrl = await testRedisUrl();
  if (redisUrl === null) throw new Error('Redis is missing');
  const [postgresWay, redisWay] = [
    await startTcpProxy(await testPostgresUrl()),
    await startTcpProxy(redisUrl),
  ];
  // A separate server, because it is killed.
  const kafka = await startKafka({ workDir: join(folder, 'kafka') });
  const through = (url: string, port: number): string => {
    const changed = new URL(url);
    changed.port = String(port);
    return changed.href;
  };
  const product = await startDistributed(
    { KAFKA_BROKERS: kafka.brokers, REDIS_URL: through(redisUrl, redisWay.port) },
    {
      replicas: { gateway: 1, content: 1, scheduling: 1, automation: 1, analytics: 1 },
      envOf: (_service, _replica, env) => ({
        DATABASE_URL: through(env.DATABASE_URL ?? '', postgresWay.port),
      }),
    },
  );
  if (!product) throw new Error('Kafka or Redis is missing');
  try {
    await measureStarts(product);
    await measureMemory(product);
    const probes = services.map(service => startProbe(service, product.urlsOf(service)[0] ?? ''));
    await strike(
      probes,
      'Postgres cut off',
      async () => postgresWay.cut(),
      async () => postgresWay.mend(),
    );
    await strike(
      probes,
      'Postgres silent',
      async () => postgresWay.freeze(),
      async () => postgresWay.mend(),
    );
    await strike(
      probes,
      'Redis cut off',
      async () => redisWay.cut(),
      async () => redisWay.mend(),
    );
    await strike(
      probes,
      'Kafka killed',
      () => kafka.kill(),
      () => kafka.restart(),
    );
    for (const probe of probes) {
      complainIf(probe.livez.failed > 0, `${probe.service}: /livez failed ${probe.livez.failed} times`);
      complainIf(
        probe.livez.slowestMs > livezWithinMs,
        `${probe.service}: /livez took ${Math.round(probe.livez.slowestMs)} ms`,
      );
      probe.stop();
    }
    const asked = probes.reduce((sum, probe) => sum + probe.livez.asked, 0);
    const slowest = Math.max(...probes.map(probe => probe.livez.slowestMs));
    Object.assign(figures, { '/livez asked': asked, '/livez slowest': `${Math.round(slowest)} ms` });
  } finally {
    await kafka.stop();
    await Promise.all([postgresWay.close(), redisWay.close()]);
    await product.remove();
  }
  for (const complaint of complaints) console.log(`  ${complaint}`);
  return { isProven: complaints.length === 0, figures: { ...figures, wrong: complaints.length } };
}

export const scenario = defineScenario({
  about: 'health routes while Postgres, Kafka and Redis die and come back; start and memory of each service',
  takes: 'about 2 minutes',
  run: ({ folder }) => prove(folder),
});

/** One after another, so that they do not compete for the processor. */
async function measureStarts(product: DistributedProduct): Promise<void> {
  const took: string[] = [];
  for (const service of services) {
    const [one] = product.replicas(service);
    if (!one) throw new Error(`${service} does not run`);
    one.signal('SIGTERM');
    await one.exited;
    const beganMs = performance.now();
    await product.restart(one);
    const readyMs = Math.round(performance.now() - beganMs);
    took.push(`${service} ${readyMs}`);
    complainIf(readyMs > readyWithinMs, `${service} was ready after ${readyMs} ms`);
  }
  figures['ready after the start, ms'] = took.join(' / ');
}

async function measureMemory(product: DistributedProduct): Promise<void> {
  await wait(idleForMs);
  const held = services.map(service => {
    const [one] = product.replicas(service);
    const status = readFileSync(`/proc/${one?.pid}/status`, 'utf8');
    const mb = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
    complainIf(mb > rssMaxMb, `${service} holds ${Math.round(mb)} MB idle`);
    return `${service} ${Math.round(mb)}`;
  });
  figures['idle, MB'] = held.join(' / ');
}

async function strike(
  probes: readonly Probe[],
  what: string,
  begin: () => Promise<unknown>,
  end: () => Promise<unknown>,
): Promise<void> {
  const needing = new Set(needs[what]);
  const beganMs = performance.now();
  for (const probe of probes) probe.forget();
  await begin();
  const diedMs = performance.now();
  await wait(flipWithinMs + 2_000);
  const flips = probes.map(probe => ({ probe, atMs: probe.firstUnreadyMs() }));
  // Not later than the restart: a service can only find a broker that answers.
  await end();
  const mendedMs = performance.now();
  await wait(backWithinMs + 3_000);
  const flipped: string[] = [];
  for (const { probe, atMs } of flips) {
    const { service } = probe;
    if (!needing.has(service)) {
      complainIf(atMs !== null, `${what}: ${service} was not ready, though it does not need it`);
      continue;
    }
    const flipMs = atMs === null ? null : Math.round(atMs - diedMs);
    const backAtMs = probe.readyForGoodSinceMs();
    const backMs = backAtMs === null ? null : Math.max(0, Math.round(backAtMs - mendedMs));
    complainIf(flipMs === null || flipMs > flipWithinMs, `${what}: ${service} not ready after ${flipMs} ms`);
    complainIf(
      backMs === null || backMs > backWithinMs,
      `${what}: ${service} ready again after ${backMs} ms`,
    );
    flipped.push(`${service} ${flipMs} and ${backMs}`);
  }
  const seconds = Math.round((mendedMs - beganMs) / 1_000);
  figures[what] =
    `for ${seconds} s, ms until not ready and until ready again: ${flipped.join(' / ') || 'nobody minds'}`;
}
