/**
 * `npm run test:idempotency [-- --keys N --duplicates N]`: simultaneous duplicates over three gateways and two content
 * services (real Postgres, Redis, Kafka), keys used for something else, failures, top-ups, restarts. About 3 minutes.
 */
import { parseArgs } from 'node:util';
import { testRedisUrl } from '@hookline/infra/test-infra';
import { startDistributed } from '../../kit/product/distributed.ts';
import { runProof } from '../../kit/run/proof-run.ts';
import { prepareAccounts } from './accounts.ts';
import { checkFailures, checkReplays } from './charges.ts';
import { openGateways } from './client.ts';
import { sendDuplicates } from './duplicates.ts';
import { checkLedger } from './ledger.ts';
import { sendStrangers } from './strangers.ts';

const { values } = parseArgs({
  options: { keys: { type: 'string', default: '1000' }, duplicates: { type: 'string', default: '50' } },
});
const size = { keys: Number(values.keys), duplicates: Number(values.duplicates) };
// 100 credits each, so that a thousand keys fit.
const accountsMax = 20;
const strangersMax = 100;
const replaysMax = 200;

function say(title: string, wrong: readonly string[]): number {
  console.log(`  ${title}`);
  for (const line of wrong.slice(0, 10)) console.log(`    wrong: ${line}`);
  return wrong.length;
}

await runProof('idempotency', async () => {
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
  await gateways.close();
  await product.remove();
  console.log(
    `keys ${sent.told.length}, duplicates ${sent.requests}, contents ${ledger.contents}, charges ${ledger.charges}, told to wait ${sent.conflicts}, other uses ${strangers.tried}, replayed after restarts ${replays.replayed}, wrong ${wrong}`,
  );
  const isWhole = sent.told.length === size.keys && replays.replayed > 0 && strangers.tried > 0;
  return wrong === 0 && isWhole;
});
