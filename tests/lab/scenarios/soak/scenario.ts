/**
 * Five services over Kafka, Redis and Postgres under 50 requests a second: reads, writes, posts and webhooks.
 * Memory, open files and database connections must stay flat, queues must be empty at rest, tables clean. V8
 * has the limits of the containers of `deploy/k8s`: on a machine of 24 GB it would keep hundreds of megabytes
 * in reserve, which look like a leak.
 */

import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { countContents, countDuplicates } from '../../kit/checks/duplicates.ts';
import { tooFew } from '../../kit/checks/verdict.ts';
import { prepareCreators } from '../../kit/clients/creators.ts';
import { registerWebhook } from '../../kit/clients/journeys.ts';
import { failuresOf, makeAutomation, startLoad } from '../../kit/clients/product-load.ts';
import { openAsSuperuser } from '../../kit/product/database.ts';
import { nodeOptionsOf } from '../../kit/product/deployment-limits.ts';
import { startStack } from '../../kit/product/stack.ts';
import { defineScenario, type Outcome } from '../../kit/run/scenario.ts';
import { startWebhookReceiver } from '../../kit/servers/webhook-receiver.ts';
import { findBloat, findGrowth, findSwelling, growthOf, limitsOf, megabytes, type Sample } from './judge.ts';
import { countOutboxRows, listTables, takeSample } from './watch.ts';

const perSecond = 50;
const sampleEveryMs = 10_000;
const settleWithinMs = 120_000;
// The platform accepts six posts a minute per creator.
const creatorsCount = 40;
const leak = pathToFileURL(join(import.meta.dirname, 'leak.mjs')).href;

async function prove(folder: string, minutes: number, leaks: boolean): Promise<Outcome> {
  const runMs = minutes * 60_000;
  const receiver = await startWebhookReceiver();
  const stack = await startStack(
    { WEBHOOK_ALLOW_TARGETS: receiver.target, LOG_LEVEL: 'warn' },
    {
      replicas: { gateway: 1, content: 1, scheduling: 1, automation: 1, analytics: 1 },
      envOf: service => {
        const isPlanted = leaks && service === 'content';
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
  await receiver.close();
  await stack.close();
  return {
    isProven: complaints.length === 0,
    figures: {
      requests: load.told.length,
      failed: failed.length,
      posts: duplicates.posts,
      'posts twice': duplicates.doublePosts,
      webhooks: happened.webhooks,
      'steepest growth in 10 minutes': `${megabytes(steepest)} MB`,
      outbox: outboxRows,
      wrong: complaints.length,
    },
  };
}

export const scenario = defineScenario({
  about: '50 requests a second: memory, sockets, connections, queues and tables stay flat',
  takes: 'about 13 minutes',
  minutes: { usual: 10, long: 120 },
  long: 'two hours',
  plants: { leak: 'content keeps 5 MB a minute' },
  run: ({ folder, minutes, plant }) => prove(folder, minutes, plant !== null),
});
