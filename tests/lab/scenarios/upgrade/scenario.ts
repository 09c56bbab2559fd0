/**
 * `npm run test:upgrade [-- --from <commit>] [-- --rows N]`: the version before and this one in the order of a rollout,
 * over real Kafka, Redis and Postgres, and each migration beside 100 calls a second. About 2 minutes.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type DistributedProduct, type Service, startDistributed } from '../../kit/product/distributed.ts';
import { type ProductProcess, startProcess } from '../../kit/product/processes.ts';
import { runProof } from '../../kit/run/proof-run.ts';
import { startWebhookReceiver } from '../../kit/servers/webhook-receiver.ts';
import { pause } from '../alerts/fault.ts';
import { openTraveller, startGoneEndpoint, type Traveller } from './journey.ts';
import { startLoad } from './load.ts';
import { addedMigrations, layOut, previousVersion } from './previous-tree.ts';
import { measureStalls } from './stalls.ts';

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: previousVersion() },
    rows: { type: 'string', default: '200000' },
  },
});
const services = ['content', 'scheduling', 'automation', 'analytics', 'gateway'] as const;
const slowestAllowedMs = 250;
const migrateFile = 'packages/shared/src/postgres/migrate-main.ts';
const entryOf = (service: Service): string => `services/${service}/src/main.ts`;

type Rollout = {
  product: DistributedProduct;
  traveller: Traveller;
  entries: Partial<Record<Service, string>>;
  /** Of the version before. */
  tree: string;
};

const broken: string[] = [];

async function step(what: string, work: () => Promise<string | undefined>): Promise<void> {
  const began = performance.now();
  const said = await work().catch((error: Error) => {
    broken.push(`${what}: ${error.message}`);
    return `BROKEN: ${error.message}`;
  });
  console.log(`  ${what}: ${said ?? 'ok'} (${((performance.now() - began) / 1_000).toFixed(1)} s)`);
}

await runProof('upgrade', async folder => {
  const tree = join(folder, 'previous');
  if (!(await layOut(values.from, tree))) {
    console.log(
      `  skipped: the history here does not reach back to ${values.from}; fetch it whole (git fetch --unshallow)`,
    );
    return process.env.CI !== 'true';
  }
  console.log(`  from ${values.from} to this tree`);
  const [receiver, gone] = [await startWebhookReceiver(), await startGoneEndpoint()];
  const entries = Object.fromEntries(services.map(name => [name, join(tree, entryOf(name))]));
  const limit = '1000000';
  const product = await startDistributed(
    {
      WEBHOOK_ALLOW_TARGETS: `${receiver.target},${gone.target}`,
      SIGNUP_CREDITS: '100',
      LOG_LEVEL: 'warn',
      ...{ LIMIT_PER_IP: limit, LIMIT_PER_KEY: limit },
    },
    {
      replicas: { gateway: 1, content: 2, scheduling: 2, automation: 2, analytics: 1 },
      entries,
      migration: join(tree, migrateFile),
    },
  );
  if (!product) throw new Error('Kafka or Redis is missing; this run needs real ones.');
  const traveller = await openTraveller(product, receiver, gone.url);
  const rollout = { product, traveller, entries, tree };
  const travel = () => traveller.travel().then(() => undefined);

  await step('the version before, its schema', travel);
  await step('this version on the schema before', () => tryBeforeMigrating(rollout));
  await step('migrated beside 100 requests a second', () => migrateUnderLoad(rollout));
  await step('the version before on the new schema', travel);
  await step('one process of each service in this version', () =>
    replaceAll(rollout, service => product.replicas(service).slice(0, 1)),
  );
  await step('both versions on the new schema', travel);
  // The one that was replaced is the last.
  await step('the others', () => replaceAll(rollout, service => product.replicas(service).slice(0, -1)));
  await step('this version alone', travel);
  await product.remove();
  await receiver.close();
  gone.close();
  await step('each migration beside 100 statements a second', () => checkStalls(folder));
  for (const line of broken) console.log(`  wrong: ${line}`);
  return broken.length === 0;
});

/** Each service that lacks nothing serves, and makes the journey; each that lacks something says so and ends. */
async function tryBeforeMigrating(rollout: Rollout): Promise<string> {
  const lacking = addedMigrations(rollout.tree, 'additive');
  const refused = services.filter(name => lacking.some(file => file.startsWith(`${name}/`)));
  for (const service of refused) {
    const [one] = rollout.product.replicas(service);
    if (!one) throw new Error(`no ${service} is running`);
    const said = await replace(rollout, service, [one]).then(
      () => 'nothing: it serves',
      (error: Error) => error.message,
    );
    rollout.entries[service] = join(rollout.tree, entryOf(service));
    await rollout.product.restart(one);
    const [missing = ''] = lacking.filter(file => file.startsWith(`${service}/`));
    if (!said.includes(`lacks`) || !said.includes(missing.split('/')[1] ?? '')) {
      throw new Error(`${service} lacks ${missing} and says ${said}`);
    }
  }
  const serving = services.filter(name => !refused.includes(name));
  const { replicas } = rollout.product;
  await Promise.all(serving.map(service => replace(rollout, service, replicas(service))));
  await rollout.traveller.travel();
  const before = (service: Service): string => join(rollout.tree, entryOf(service));
  await Promise.all(serving.map(service => replace(rollout, service, replicas(service), before(service))));
  const contract = addedMigrations(rollout.tree, 'contract');
  return `${serving.join(', ')} serve${contract.length > 0 ? ` without ${contract.join(', ')}` : ''}; ${
    refused.length > 0 ? `${refused.join(', ')} end and name what they lack` : 'none refuses'
  }`;
}

async function replaceAll(
  rollout: Rollout,
  which: (service: Service) => ProductProcess[],
): Promise<undefined> {
  await Promise.all(services.map(service => replace(rollout, service, which(service))));
}

/** One after the other: ended as a rollout ends it, and another version in its place. */
async function replace(
  { product, entries }: Rollout,
  service: Service,
  ones: readonly ProductProcess[],
  entry = entryOf(service),
): Promise<void> {
  entries[service] = entry;
  for (const one of ones) {
    one.signal('SIGTERM');
    await one.exited;
    await product.restart(one);
  }
}

/** Reads and writes of an account, at the version before, while the tables change. */
async function migrateUnderLoad({ product, traveller }: Rollout): Promise<string> {
  const { api, key } = traveller.client;
  const { data: endpoints } = await api<{ id: string }[]>('GET', '/webhooks', { token: key });
  const calls = [
    ...['/content?limit=10', '/schedules?limit=10', '/webhooks', '/accounts'].map(
      path => () => api('GET', path, { token: key }),
    ),
    () => api('PATCH', `/webhooks/${endpoints[0]?.id}`, { token: key, body: { status: 'enabled' } }),
  ];
  const call = async (nth: number): Promise<void> => {
    const answer = await calls[nth % calls.length]?.();
    if (answer?.status !== 200) throw new Error(`${answer?.status} ${answer?.text.slice(0, 200)}`);
  };
  // Processes that have just begun are slow for a moment by themselves.
  const warming = startLoad(call);
  await pause(3_000);
  await warming.stop();
  const load = startLoad(call);
  await pause(1_000);
  const migration = startProcess('migrate', migrateFile, { DATABASE_URL: product.databaseUrl });
  const code = await migration.exited;
  await pause(1_000);
  const { calls: made, slowestMs } = await load.stop();
  if (code !== 0) throw new Error(`the migration ended with ${code}: ${migration.output()}`);
  if (slowestMs > slowestAllowedMs)
    throw new Error(`a request took ${Math.round(slowestMs)} ms of ${slowestAllowedMs}`);
  return `${made} requests, the slowest ${Math.round(slowestMs)} ms`;
}

async function checkStalls(folder: string): Promise<string> {
  const { stalls, control } = await measureStalls(join(folder, 'stalls'), Number(values.rows));
  for (const { what, tookMs, slowestMs, calls } of [control, ...stalls]) {
    console.log(
      `    ${what}: ${Math.round(tookMs)} ms, ${calls} statements, the slowest ${Math.round(slowestMs)} ms`,
    );
  }
  if (control.slowestMs <= slowestAllowedMs) throw new Error('a lock of 400 ms was not seen');
  const slow = stalls.filter(one => one.slowestMs > slowestAllowedMs).map(one => one.what);
  if (slow.length > 0)
    throw new Error(`held a statement up for more than ${slowestAllowedMs} ms: ${slow.join(', ')}`);
  const slowestMs = Math.max(...stalls.map(one => one.slowestMs));
  return `${stalls.length} migrations on ${values.rows} rows a table, the slowest statement ${Math.round(slowestMs)} ms`;
}
