/**
 * `npm run test:rolling [-- --long] [--plant no-drain]`: five services with two replicas each over real Kafka, Redis and
 * Postgres; each replica is ended by SIGTERM in turn, and started again, under 200 requests a second.
 */
import { parseArgs } from 'node:util';
import { countContents, countDuplicates } from '../../kit/checks/duplicates.ts';
import { checkLogsOf, keepLogs, sayLogs } from '../../kit/checks/kept-logs.ts';
import { tooFew } from '../../kit/checks/verdict.ts';
import { prepareCreators } from '../../kit/clients/creators.ts';
import { failuresOf, makeAutomation, startLoad, type Told } from '../../kit/clients/product-load.ts';
import { openAsSuperuser } from '../../kit/product/database.ts';
import { services, startStack } from '../../kit/product/stack.ts';
import { runProof } from '../../kit/run/proof-run.ts';
import { type Restart, restartInTurn } from './restarts.ts';

const { values } = parseArgs({
  options: {
    long: { type: 'boolean', default: false },
    plant: { type: 'string' },
    rate: { type: 'string', default: '200' },
  },
});
if (values.plant !== undefined && values.plant !== 'no-drain') {
  console.error('--plant knows no-drain.');
  process.exit(2);
}
const size = values.long
  ? { rounds: 10, creators: 40, leastRequests: 100_000 }
  : { rounds: 1, creators: 8, leastRequests: 5_000 };
const perSecond = Number(values.rate);
const exitWithinMs = 15_000;
const decks = 8;

await runProof('rolling', async folder => {
  const stack = await startStack();
  if (!stack) throw new Error('Kafka or Redis is missing');
  const { product, fronts } = stack;
  const creators = await prepareCreators(product, { count: size.creators, decks });
  const db = openAsSuperuser(product.databaseUrl);
  const before = await countContents(db);
  await db.close();
  const load = startLoad({
    ...{ baseUrl: product.baseUrl, creators, perSecond },
    automationId: await makeAutomation(creators),
  });
  await wait(3_000);
  const restarts = await restartInTurn({
    ...{ product, fronts, services, rounds: size.rounds, pauseMs: 1_000 },
    signal: values.plant === 'no-drain' ? 'SIGKILL' : 'SIGTERM',
    onRestart: say,
  });
  while (load.told.length < size.leastRequests) await wait(500);
  await wait(2_000);
  await load.stop();
  const duplicates = await countDuplicates(product, load, before, 120_000);
  keepLogs(product, folder);
  const logs = await checkLogsOf(product, load.told, [creators.client.key, creators.client.session]);
  const complaints = [...judge(load.told, restarts, duplicates), ...logs.complaints];
  for (const complaint of complaints.slice(0, 40)) console.log(`  ${complaint}`);
  console.log(figuresOf(load.told, restarts, duplicates));
  console.log(sayLogs(logs));
  await stack.close();
  return complaints.length === 0;
});

function judge(
  told: readonly Told[],
  restarts: readonly Restart[],
  duplicates: Awaited<ReturnType<typeof countDuplicates>>,
): string[] {
  const struck = restarts.filter(restart => restart.inFlightMax > 0).length;
  return [
    ...failuresOf(told).map(
      one => `${new Date(one.dueAt).toISOString()} ${one.operation}: ${one.status} ${one.error}`,
    ),
    ...told
      .filter(one => one.status >= 400 && one.status < 500)
      .map(one => `${one.operation} was refused: ${one.status} ${one.error}`),
    ...restarts
      .filter(restart => restart.exit !== 0 || restart.exitMs > exitWithinMs)
      .map(({ service, exit, exitMs }) => `${service} ended with ${exit} after ${Math.round(exitMs)} ms`),
    ...Object.entries({
      'contents twice': duplicates.contents,
      'posts twice': duplicates.doublePosts,
      'schedules not sent': duplicates.unsent,
    })
      .filter(([, count]) => count > 0)
      .map(([what, count]) => `${what}: ${count}`),
    ...tooFew(
      { requests: told.length, posts: duplicates.posts, 'restarts with requests in flight': struck },
      {
        requests: size.leastRequests,
        posts: 10,
        'restarts with requests in flight': Math.ceil(restarts.length * 0.8),
      },
    ),
  ];
}

function figuresOf(
  told: readonly Told[],
  restarts: readonly Restart[],
  duplicates: Awaited<ReturnType<typeof countDuplicates>>,
): string {
  const took = told.map(one => one.tookMs).toSorted((a, b) => a - b);
  const writes = told.filter(one => one.operation !== 'read').length;
  return [
    `requests ${told.length} (writes ${writes})`,
    `failed ${failuresOf(told).length}`,
    `restarts ${restarts.length} (in flight at the signal ${restarts.filter(one => one.inFlight > 0).length}, until the end ${restarts.filter(one => one.inFlightMax > 0).length})`,
    `slowest exit ${Math.round(Math.max(...restarts.map(one => one.exitMs)))} ms`,
    `keys ${duplicates.keys}, contents twice ${duplicates.contents}`,
    `posts ${duplicates.posts}, twice ${duplicates.doublePosts}`,
    `p50 ${took[Math.floor(took.length / 2)]} ms, p99 ${took[Math.floor(took.length * 0.99)]} ms`,
    `${Math.round(performance.now() / 1_000)} s`,
  ].join(', ');
}

function say({ service, inFlight, inFlightMax, exit, exitMs, readyMs }: Restart): void {
  console.log(
    `  ${service}: in flight ${inFlight} (at most ${inFlightMax}), ended with ${exit} after ${Math.round(exitMs)} ms, ready again after ${Math.round(readyMs)} ms`,
  );
}

function wait(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms));
}
