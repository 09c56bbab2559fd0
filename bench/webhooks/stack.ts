/**
 * The automation service as a separate process over real Kafka and Postgres, with a producer process and
 * endpoints here.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { testKafkaBrokers } from '@hookline/infra/test-infra';
import { type ServiceName, scopes, serviceNames } from '@hookline/shared/contracts/scopes';
import { bareCaller, createCallSigner } from '@hookline/shared/http';
import { createLogger, loadSettings, newId } from '@hookline/shared/kernel';
import { type Database, openDatabase } from '@hookline/shared/postgres';
import { startDistributed } from '../../tests/lab/kit/product/distributed.ts';
import { stopAllProcesses } from '../../tests/lab/kit/product/processes.ts';
import type { ProducerAnswer, ProducerOrder } from './producer.ts';
import { type BenchEndpoint, type BenchReceivers, startBenchReceivers } from './receivers.ts';

export type Stack = {
  receivers: BenchReceivers;
  /** The superuser's view of the product's database. */
  db: Database;
  /** Creates an account with these endpoints. @returns its id */
  register(endpoints: readonly BenchEndpoint[]): Promise<string>;
  produce(order: Exclude<ProducerOrder, { kind: 'stop' }>): Promise<ProducerAnswer>;
  stop(): Promise<void>;
};

export async function startStack(endpoints: number): Promise<Stack> {
  const receivers = await startBenchReceivers(endpoints);
  const brokers = await testKafkaBrokers();
  const secrets = new Map(serviceNames.map(name => [name, randomBytes(32).toString('base64')]));
  const keysOf = (first: ServiceName): string =>
    [first, ...serviceNames.filter(name => name !== first)]
      .map(name => `${name}:${secrets.get(name)}`)
      .join();
  const product = await startDistributed(
    {
      LOG_LEVEL: 'warn',
      PUBLIC_URL: 'http://localhost:8080',
      DATABASE_POOL_MAX: '10',
      WEBHOOK_ALLOW_TARGETS: receivers.endpoints.map(({ port }) => `127.0.0.1:${port}`).join(),
    },
    { replicas: { automation: 1 }, envOf: service => ({ SERVICE_SIGNING_KEYS: keysOf(service) }) },
  );
  if (!product || brokers === null) throw new Error('Kafka or Redis is missing');
  const [url] = product.urlsOf('automation');
  const db = openDatabase({
    ...{ url: product.databaseUrl, connectionsMax: 3, name: 'bench' },
    log: createLogger({ service: 'bench', level: 'warn' }),
  });
  const producer = await startProducer(product.databaseUrl, brokers);
  const sign = createCallSigner(
    loadSettings(['SERVICE_SIGNING_KEYS'], { SERVICE_SIGNING_KEYS: keysOf('gateway') })
      .SERVICE_SIGNING_KEYS ?? [],
  );

  async function register(of: readonly BenchEndpoint[]): Promise<string> {
    const caller = bareCaller({ accountId: newId('acct'), keyId: newId('key'), userId: null, scopes });
    for (const { port } of of) {
      const body = JSON.stringify({ url: `http://127.0.0.1:${port}/hooks`, events: ['job.completed'] });
      const call = {
        sender: 'gateway',
        audience: 'automation',
        method: 'POST',
        path: '/v1/webhooks',
      } as const;
      const response = await fetch(`${url}/v1/webhooks`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...sign({ ...call, requestId: newId('req'), caller, body }),
        },
        body,
      });
      if (response.status !== 201) throw new Error(`a webhook was answered ${await response.text()}`);
    }
    return caller.accountId;
  }

  return {
    receivers,
    db,
    register,
    produce: order =>
      new Promise(resolve => {
        producer.once('message', answer => resolve(answer as ProducerAnswer));
        producer.send(order);
      }),
    async stop() {
      const ended = new Promise(resolve => producer.once('exit', resolve));
      producer.send({ kind: 'stop' } satisfies ProducerOrder);
      await ended;
      await db.close();
      await stopAllProcesses();
      await product.remove();
      await receivers.close();
    },
  };
}

async function startProducer(databaseUrl: string, brokers: string): Promise<ChildProcess> {
  const url = new URL(databaseUrl);
  url.searchParams.set('options', '-c search_path=content');
  const child = fork(join(import.meta.dirname, 'producer.ts'), {
    env: { PATH: process.env.PATH ?? '', DATABASE_URL: url.href, KAFKA_BROKERS: brokers },
  });
  await new Promise((resolve, reject) => {
    child.once('message', resolve).once('exit', code => reject(new Error(`the producer ended with ${code}`)));
  });
  return child;
}
