/**
 * The previous version and this one in the order of a rollout, over real Kafka, Redis and Postgres, and each
 * migration under 100 calls a second.
 */

import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type DistributedProduct, type Service, startDistributed } from '../../kit/product/distributed.ts';
import { type ProductProcess, startProcess } from '../../kit/product/processes.ts';
import { defineScenario, type Figures, type Outcome } from '../../kit/run/scenario.ts';
import { startWebhookReceiver } from '../../kit/servers/webhook-receiver.ts';
import { openTraveller, startGoneEndpoint, type Traveller } from './journey.ts';
import { startLoad } from './load.ts';
import { addedMigrations, layOut, previousVersion } from './previous-tree.ts';

const services = ['content', 'scheduling', 'automation', 'analytics', 'gateway'] as const;
const owners = services.filter(service => service !== 'gateway');
const slowestAllowedMs = 250;
const migrateFile = 'packages/shared/src/postgres/migrate-main.ts';
const entryOf = (service: Service): string => `services/${service}/src/main.ts`;

type Rollout = {
  product: DistributedProduct;
  traveller: Traveller;
  entries: Partial<Record<Service, string>>;
  /** Entry files of the previous version. */
  tree: string;
};

const broken: string[] = [];
const figures: Figures = {};
let stages = 0;

async function step(what: string, work: () => Promise<string | undefined>): Promise<void> {
  const began = performance.now();
  stages += 1;
  const said = await work().catch((error: Error) => {
    broken.push(`${what}: ${error.message}`);
    return `BROKEN: ${error.message}`;
  });
  console.log(`  ${what}: ${said ?? 'ok'} (${((performance.now() - began) / 1_000).toFixed(1)} s)`);
}

async function prove(folder: string, from: string): Promise<Outcome> {
  const tree = join(folder, 'previous');
  if (!(await layOut(from, tree))) {
    console.log(
      `  skipped: the history here does not reach back to ${from}; fetch it whole (git fetch --unshallow)`,
    );
    return { isProven: process.env.CI !== 'true', figures: { skipped: 1 } };
  }
  console.log(`  from ${from} to this tree`);
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
  await step('migrated under 100 requests a second', () => migrateUnderLoad(rollout));
  await step('the version before on the new schema', travel);
  // Each side signs its calls for the other, in both orders of a rollout (D-52).
  const before = (service: Service): string => join(tree, entryOf(service));
  await step("this version's services behind the gateway before", async () => {
    await Promise.all(owners.map(service => replace(rollout, service, product.replicas(service))));
    await travel();
  });
  await step("this version's gateway in front of the services before", async () => {
    await replace(rollout, 'gateway', product.replicas('gateway'));
    await Promise.all(
      owners.map(service => replace(rollout, service, product.replicas(service), before(service))),
    );
    await travel();
  });
  await step('one process of each service in this version', () =>
    replaceAll(rollout, service => product.replicas(service).slice(0, 1)),
  );
  await step('both versions on the new schema', travel);
  // The replaced one is the last.
  await step('the others', () => replaceAll(rollout, service => product.replicas(service).slice(0, -1)));
  await step('this version alone', travel);
  await product.remove();
  await receiver.close();
  gone.close();
  for (const line of broken) console.log(`  wrong: ${line}`);
  return {
    isProven: broken.length === 0,
    figures: { stages: stages - broken.length, 'of stages': stages, from, ...figures },
  };
}

/**
 * Each service with a complete schema serves and makes the journey; each with an incomplete one reports that
 * and exits.
 */
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
  const earlier = (service: Service): string => join(rollout.tree, entryOf(service));
  await Promise.all(serving.map(service => replace(rollout, service, replicas(service), earlier(service))));
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

/** One after the other: ended like in a rollout, and replaced by another version. */
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

/** Reads and writes of an account, at the previous version, while the tables change. */
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
  // Freshly started processes are slow for a moment.
  const warming = startLoad(call);
  await wait(3_000);
  await warming.stop();
  const load = startLoad(call);
  await wait(1_000);
  const migration = startProcess('migrate', migrateFile, { DATABASE_URL: product.databaseUrl });
  const code = await migration.exited;
  await wait(1_000);
  const { calls: made, slowestMs } = await load.stop();
  if (code !== 0) throw new Error(`the migration ended with ${code}: ${migration.output()}`);
  if (slowestMs > slowestAllowedMs)
    throw new Error(`a request took ${Math.round(slowestMs)} ms of ${slowestAllowedMs}`);
  figures['slowest request'] = `${Math.round(slowestMs)} ms`;
  return `${made} requests, the slowest ${Math.round(slowestMs)} ms`;
}

export const scenario = defineScenario({
  about: 'the version before and this one in the order of a rollout',
  takes: 'about 3 minutes',
  flags: {
    from: { usual: previousVersion(), about: 'commit of the version before' },
  },
  run: ({ folder, flags }) => prove(folder, flags.from),
});
