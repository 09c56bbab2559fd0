/**
 * Five services with two replicas each over real Kafka, Redis and
 * Postgres; each replica is ended by SIGTERM in turn, and started again, under 200 requests a second.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { countContents, countDuplicates } from '../../kit/checks/duplicates.ts';
import { checkLogsOf, keepLogs, sayLogs } from '../../kit/checks/kept-logs.ts';
import { tooFew } from '../../kit/checks/verdict.ts';
import { prepareCreators } from '../../kit/clients/creators.ts';
import { failuresOf, makeAutomation, startLoad, type Told } from '../../kit/clients/product-load.ts';
import { openAsSuperuser } from '../../kit/product/database.ts';
import { services, startStack } from '../../kit/product/stack.ts';
import { defineScenario, type Figures, type Outcome } from '../../kit/run/scenario.ts';
import { type Restart, restartInTurn } from './restarts.ts';

const sizes = {
  usual: { rounds: 1, creators: 8, leastRequests: 5_000 },
  long: { rounds: 10, creators: 40, leastRequests: 100_000 },
};
const exitWithinMs = 15_000;
const decks = 8;

async function prove(
  folder: string,
  size: (typeof sizes)['usual'],
  perSecond: number,
  signal: 'SIGTERM' | 'SIGKILL',
): Promise<Outcome> {
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
    signal,
    onRestart: say,
  });
  while (load.told.length < size.leastRequests) await wait(500);
  await wait(2_000);
  await load.stop();
  const duplicates = await countDuplicates(product, load, before, 120_000);
  keepLogs(product, folder);
  const logs = await checkLogsOf(product, load.told, [creators.client.key, creators.client.session]);
  const complaints = [...judge(load.told, restarts, duplicates, size.leastRequests), ...logs.complaints];
  for (const complaint of complaints.slice(0, 40)) console.log(`  ${complaint}`);
  console.log(sayLogs(logs));
  await stack.close();
  return {
    isProven: complaints.length === 0,
    figures: { ...figuresOf(load.told, restarts, duplicates), 'log lines': logs.lines },
  };
}

function judge(
  told: readonly Told[],
  restarts: readonly Restart[],
  duplicates: Awaited<ReturnType<typeof countDuplicates>>,
  leastRequests: number,
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
        requests: leastRequests,
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
): Figures {
  const took = told.map(one => one.tookMs).toSorted((a, b) => a - b);
  const writes = told.filter(one => one.operation !== 'read').length;
  return {
    requests: told.length,
    writes,
    failed: failuresOf(told).length,
    restarts: restarts.length,
    'with requests in flight': restarts.filter(one => one.inFlightMax > 0).length,
    'slowest exit': `${Math.round(Math.max(...restarts.map(one => one.exitMs)))} ms`,
    contents: duplicates.keys,
    'contents twice': duplicates.contents,
    posts: duplicates.posts,
    'posts twice': duplicates.doublePosts,
    p50: `${took[Math.floor(took.length / 2)]} ms`,
    p99: `${took[Math.floor(took.length * 0.99)]} ms`,
  };
}

function say({ service, inFlight, inFlightMax, exit, exitMs, readyMs }: Restart): void {
  console.log(
    `  ${service}: in flight ${inFlight} (at most ${inFlightMax}), ended with ${exit} after ${Math.round(exitMs)} ms, ready again after ${Math.round(readyMs)} ms`,
  );
}

export const scenario = defineScenario({
  about: 'each replica of each service ended and started again under load: no request may fail',
  takes: 'about 3 minutes',
  long: 'ten rounds and 100,000 requests',
  flags: { rate: { usual: 200, about: 'requests a second' } },
  plants: { 'no-drain': 'replicas are killed instead of ended' },
  run: ({ folder, isLong, flags, plant }) =>
    prove(folder, isLong ? sizes.long : sizes.usual, flags.rate, plant ? 'SIGKILL' : 'SIGTERM'),
});
