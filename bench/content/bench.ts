/**
 * POST /content, plain slideshow, through the gateway: all five services, real Postgres, Kafka and Redis on
 * this machine.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { signUp } from '../../tests/lab/kit/clients/api.ts';
import { startDistributed } from '../../tests/lab/kit/product/distributed.ts';
import { stopAllProcesses } from '../../tests/lab/kit/product/processes.ts';
import { defineBench } from '../harness/bench.ts';
import { figureOf } from '../harness/figures.ts';
import { runOpenLoop } from '../harness/open-loop.ts';
import { requireTool } from '../harness/tools.ts';
import { type LoadRequest, runWrk, writeWrkScript } from '../harness/wrk.ts';
import { pgbenchPosts } from './pgbench.ts';

const rounds = 5;
const accounts = 40;
const perSecond = 300;
const seconds = 5;
const connections = 32;
const restMs = 2_000;
// More than any machine here answers in a round, so that no key is used twice.
const closedLoopMax = 12_000;
const notes = [
  'Plain slideshow by the built-in composer through one gateway; all five services, Postgres, Kafka, Redis and the load generator share the machine; 40 accounts, every request with a key of its own; limits raised by settings.',
  'Open loop: 300 requests a second for 5 s, measured from the time at which a request should have left. Closed loop: wrk, 1 thread, 32 kept connections, 5 s.',
];

async function measurePosts(workDir: string): Promise<Record<string, unknown>> {
  const limit = '1000000';
  const product = await startDistributed(
    {
      SIGNUP_CREDITS: limit,
      DAILY_GENERATIONS: limit,
      DATABASE_POOL_MAX: '10',
      LOG_LEVEL: 'info',
      ...{ LIMIT_PER_IP: limit, LIMIT_PER_KEY: limit, LIMIT_CONTENT_PER_KEY: limit },
    },
    { replicas: { gateway: 1, content: 1, automation: 1, scheduling: 1, analytics: 1 } },
  );
  if (!product) throw new Error('Kafka or Redis is missing; the bench needs real ones.');
  try {
    const clients = await Promise.all(Array.from({ length: accounts }, () => prepare(product.baseUrl)));
    const url = product.urlsOf('gateway')[0] as string;
    await runWrk(url, writeWrkScript(workDir, 'warm', requests(clients, 12_000)), {
      connections,
      seconds: 15,
    });
    const open: { p50Ms: number[]; p99Ms: number[]; rate: number[] } = { p50Ms: [], p99Ms: [], rate: [] };
    for (let round = 0; round < rounds; round += 1) {
      // A server slower than the load gives a p99 that misses its goal rather than aborting the run.
      const options = { perSecond, seconds, connectionsMax: 200, drainMs: 60_000 };
      // Drain what the closed loop left first: the events of one round must not load the next.
      await wait(restMs);
      const { p50Ms, p99Ms } = await runOpenLoop(url, requests(clients, perSecond * seconds), options);
      open.p50Ms.push(p50Ms);
      open.p99Ms.push(p99Ms);
      const script = writeWrkScript(workDir, `round-${round}`, requests(clients, closedLoopMax));
      const closed = await runWrk(url, script, { connections, seconds });
      open.rate.push(closed.perSecond);
    }
    const plain = {
      perSecond: figureOf(open.rate),
      p50Ms: figureOf(open.p50Ms),
      p99Ms: figureOf(open.p99Ms),
    };
    const duplicates = await countDuplicates(product.databaseUrl);
    await stopAllProcesses();
    const pgbench = await pgbenchPosts(product.databaseUrl);
    const ofPgbench = plain.perSecond.median / pgbench;
    console.log(`pgbench: ${pgbench.toFixed(0)} a second; ours: ${ofPgbench.toFixed(2)} of that`);
    return { posts: { 'plain slideshow': plain }, pgbench, ofPgbench, duplicates };
  } finally {
    await stopAllProcesses();
    await product.remove();
  }
}

type Client = { key: string; appId: string };

async function prepare(baseUrl: string): Promise<Client> {
  const { api, key } = await signUp(baseUrl);
  const body = { name: 'Pebblo', appStoreUrl: 'https://apps.apple.com/us/app/pebblo/id9990000011' };
  const app = await api<{ id: string }>('POST', '/apps', { token: key, body });
  if (app.error) throw new Error(app.error.message);
  return { key, appId: app.data.id };
}

/** Each with a separate key, so none is a replay. */
function requests(clients: readonly Client[], count: number): LoadRequest[] {
  const run = randomBytes(6).toString('hex');
  return Array.from({ length: count }, (_, index) => {
    const { key, appId } = clients[index % clients.length] as Client;
    return {
      method: 'POST',
      path: '/api/v1/content',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': `${run}-${index}`,
      },
      body: JSON.stringify({ appId, type: 'slideshow', brief: { topic: 'mornings' } }),
    };
  });
}

/** Contents in excess of their keys, and charges in excess of their contents. */
async function countDuplicates(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ duplicates: number }>(
    `select abs((select count(*) from content.contents) - (select count(*) from content.idempotency_keys where state = 'done'))::int
       + abs((select count(*) from content.credit_ledger where reason = 'generation')
           - (select count(*) from content.contents where status = 'ready'))::int as duplicates`,
  );
  await client.end();
  return rows[0]?.duplicates ?? -1;
}

export const bench = defineBench({
  about: 'POST /content through the whole product',
  takes: 'about 2 minutes',
  flags: {},
  async run({ workDir, beginMeasuring }) {
    requireTool('wrk', 'wrk');
    requireTool('pgbench', 'postgresql');
    beginMeasuring();
    return { notes, measured: await measurePosts(workDir) };
  },
});
