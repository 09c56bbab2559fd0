/**
 * `npm run test:soak [-- --minutes N | --long] [--plant leak]`: five services over Kafka, Redis and Postgres under 50
 * requests a second, reads, writes, posts and webhooks, for `N` minutes (10; `--long`: 120). Memory, open files and
 * database connections must stay flat, queues must be empty at rest, tables clean. V8 has the limits that it has in the
 * containers of `deploy/k8s`: on a machine of 24 GB it would hold hundreds of megabytes in reserve, which look like a
 * leak. `--plant leak`: content keeps 5 MB a minute; this run has to fail.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { countContents, countDuplicates } from '../../kit/checks/duplicates.ts';
import { tooFew } from '../../kit/checks/verdict.ts';
import { prepareCreators } from '../../kit/clients/creators.ts';
import { registerWebhook } from '../../kit/clients/journeys.ts';
import { failuresOf, makeAutomation, startLoad } from '../../kit/clients/product-load.ts';
import { openAsSuperuser } from '../../kit/product/database.ts';
import { startStack } from '../../kit/product/stack.ts';
import { runProof } from '../../kit/run/proof-run.ts';
import { startWebhookReceiver } from '../../kit/servers/webhook-receiver.ts';
import { nodeOptionsOf } from './deployment-limits.ts';
import { findBloat, findGrowth, findSwelling, growthOf, limitsOf, megabytes, type Sample } from './judge.ts';
import { countOutboxRows, listTables, takeSample } from './watch.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    long: { type: 'boolean', default: false },
    plant: { type: 'string' },
  },
});
if (values.plant !== undefined && values.plant !== 'leak') {
  console.error('--plant knows leak.');
  process.exit(2);
}
const runMs = (values.long ? 120 : Number(values.minutes)) * 60_000;
const perSecond = 50;
const sampleEveryMs = 10_000;
const settleWithinMs = 120_000;
// The platform takes six posts a minute of a creator.
const creatorsCount = 40;
const leak = pathToFileURL(join(import.meta.dirname, 'leak.mjs')).href;

await runProof('soak', async folder => {
  const receiver = await startWebhookReceiver();
  const stack = await startStack(
    { WEBHOOK_ALLOW_TARGETS: receiver.target, LOG_LEVEL: 'warn' },
    {
      replicas: { gateway: 1, content: 1, scheduling: 1, automation: 1, analytics: 1 },
      envOf: service => {
        const isPlanted = values.plant === 'leak' && service === 'content';
        return { NODE_OPTIONS: `${nodeOptionsOf(service)}${isPlanted ? ` --import ${leak}` : ''}` };
      },
    },
  );
  if (!stack) throw new Error('Kafka or Redis is missing');
  const { product } = stack;
  const creators = await prepareCreators(product, { count: creatorsCount, decks: 8 });
  await registerWebhook(creators, receiver.url);
  const db = openAsSuperuser(product.databaseUrl);
  const before = await countContents(db);
  const automationId = await makeAutomation(creators);
  const load = startLoad({ baseUrl: product.baseUrl, creators, automationId, perSecond });
  const samples: Sample[] = [];
  let tablesAtHalf = await listTables(db);
  const beganMs = performance.now();
  for (let turn = 1; performance.now() - beganMs < runMs; turn += 1) {
    await wait(beganMs + turn * sampleEveryMs - performance.now());
    const sample = await takeSample(product, db, performance.now() - beganMs);
    samples.push(sample);
    appendFileSync(join(folder, 'samples.jsonl'), `${JSON.stringify(sample)}\n`);
    if (sample.atMs <= runMs / 2) tablesAtHalf = await listTables(db);
  }
  await load.stop();
  const duplicates = await countDuplicates(product, load, before, settleWithinMs);
  const untilMs = performance.now() + settleWithinMs;
  while (performance.now() < untilMs && (await countOutboxRows(db)) > 0) await wait(500);
  const outboxRows = await countOutboxRows(db);
  const tables = await listTables(db);
  await db.close();
  const failed = failuresOf(load.told);
  const wanted = { requests: Math.floor((runMs / 1_000) * perSecond * 0.98), posts: 20, webhooks: 20 };
  const happened = {
    requests: load.told.length,
    posts: duplicates.posts,
    webhooks: receiver.received.length,
  };
  const complaints = [
    ...failed.map(one => `${one.operation}: ${one.status} ${one.error}`),
    ...findGrowth(samples, limitsOf(runMs)),
    ...findBloat(tables),
    ...findSwelling(tablesAtHalf, tables),
    ...Object.entries({
      'rows left in outboxes': outboxRows,
      'contents twice': duplicates.contents,
      'posts twice': duplicates.doublePosts,
      'schedules not sent': duplicates.unsent,
    })
      .filter(([, count]) => count > 0)
      .map(([what, count]) => `${what}: ${count}`),
    ...tooFew(happened, wanted),
  ];
  for (const complaint of complaints.slice(0, 40)) console.log(`  ${complaint}`);
  for (const { process, rssBytes, rssBytesPer10Min } of growthOf(samples)) {
    console.log(
      `  ${process}: ${megabytes(rssBytes)} MB, ${megabytes(rssBytesPer10Min)} MB more in 10 minutes`,
    );
  }
  const steepest = Math.max(...growthOf(samples).map(one => one.rssBytesPer10Min));
  console.log(
    `requests ${load.told.length}, failed ${failed.length}, posts ${duplicates.posts} (twice ${duplicates.doublePosts}), webhooks ${receiver.received.length}, steepest ${megabytes(steepest)} MB in 10 minutes, outbox ${outboxRows}, wrong ${complaints.length}, ${Math.round(runMs / 60_000)} min`,
  );
  await receiver.close();
  await stack.close();
  return complaints.length === 0;
});

function wait(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms));
}
