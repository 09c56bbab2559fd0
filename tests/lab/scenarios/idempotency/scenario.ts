/**
 * Simultaneous duplicates over three gateways and two content
 * services (real Postgres, Redis, Kafka), keys used for something else, failures, top-ups, restarts.
 */
import { testRedisUrl } from '@hookline/infra/test-infra';
import { startDistributed } from '../../kit/product/distributed.ts';
import { defineScenario, type Outcome } from '../../kit/run/scenario.ts';
import { prepareAccounts } from './accounts.ts';
import { checkFailures, checkReplays } from './charges.ts';
import { openGateways } from './client.ts';
import { sendDuplicates } from './duplicates.ts';
import { checkLedger } from './ledger.ts';
import { sendStrangers } from './strangers.ts';

// 100 credits each, so that a thousand keys fit.
const accountsMax = 20;
const strangersMax = 100;
const replaysMax = 200;

function say(title: string, wrong: readonly string[]): number {
  console.log(`  ${title}`);
  for (const line of wrong.slice(0, 10)) console.log(`    wrong: ${line}`);
  return wrong.length;
}

async function prove(size: { keys: number; duplicates: number }): Promise<Outcome> {
  const limit = '1000000';
  const product = await startDistributed(
    {
      SIGNUP_CREDITS: '100',
      DAILY_GENERATIONS: limit,
      DATABASE_POOL_MAX: '12',
      LOG_LEVEL: 'warn',
      ...{ LIMIT_PER_IP: limit, LIMIT_PER_KEY: limit, LIMIT_CONTENT_PER_KEY: limit },
    },
    { replicas: { gateway: 3, content: 2 } },
  );
  const redisUrl = await testRedisUrl();
  if (!product || !redisUrl) throw new Error('Kafka or Redis is missing; this run needs real ones.');
  const accounts = await prepareAccounts(product.baseUrl, product.databaseUrl, accountsMax + 1);
  const poor = accounts.pop();
  if (!poor) throw new Error('no account');
  const gateways = openGateways(product.urlsOf('gateway'), 80);
  let wrong = 0;
  const sent = await sendDuplicates(gateways, accounts, size);
  const slowest = `slowest ${Math.round(sent.slowestMs)} ms`;
  wrong += say(
    `G-I1: ${sent.requests} requests, ${sent.replays} replays, ${sent.conflicts} told to wait, ${slowest}`,
    sent.wrong,
  );
  const strangers = await sendStrangers(gateways, accounts, sent.told.slice(0, strangersMax));
  wrong += say(`G-I3: ${strangers.tried} keys used for something else`, strangers.wrong);
  const failures = await checkFailures(product, gateways, poor);
  wrong += say(
    `G-I4: ${failures.failed} failed uncharged, ${failures.refused} refused with 402`,
    failures.wrong,
  );
  const replays = await checkReplays(product, gateways, redisUrl, sent.told.slice(0, replaysMax));
  wrong += say(`G-I4: ${replays.replayed} replayed after kill -9, flush and cut connections`, replays.wrong);
  const all = [...sent.told, ...strangers.told];
  const ledger = await checkLedger(product.databaseUrl, all);
  wrong += say(`ledger: ${ledger.contents} contents, ${ledger.charges} charges`, ledger.wrong);
  gateways.close();
  await product.remove();
  const isWhole = sent.told.length === size.keys && replays.replayed > 0 && strangers.tried > 0;
  return {
    isProven: wrong === 0 && isWhole,
    figures: {
      keys: sent.told.length,
      duplicates: sent.requests,
      contents: ledger.contents,
      charges: ledger.charges,
      'told to wait': sent.conflicts,
      'other uses': strangers.tried,
      'replayed after restarts': replays.replayed,
      wrong,
    },
  };
}

export const scenario = defineScenario({
  about:
    'fifty simultaneous duplicates of every key over three gateways: one content, one charge, one answer',
  takes: 'about 3 minutes',
  flags: {
    keys: { usual: 1_000, about: 'how many keys' },
    duplicates: { usual: 50, about: 'requests of each' },
  },
  run: ({ flags }) => prove(flags),
});
