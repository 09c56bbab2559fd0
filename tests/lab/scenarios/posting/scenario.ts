/**
 * `npm run test:posting [-- --long | --minutes N]`: two scheduling replicas over real Kafka, Redis and Postgres post
 * to the simulated platform while they are killed and stopped, and the platform drops, delays and refuses. Afterwards
 * the platform must hold at most one post per schedule and nothing may be lost (G-S1, G-S2).
 * `--planted fence` runs it on a copy of the service whose fence is off, to show that the run can fail.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { eventually } from '@hookline/testing/eventually';
import { countBy, listed } from '../../kit/checks/counts.ts';
import { readPlatformLog, untilPlatformRests } from '../../kit/checks/platform-log.ts';
import { checkPosting, type PostingVerdict } from '../../kit/checks/posting.ts';
import { readPostingDatabase } from '../../kit/checks/posting-database.ts';
import type { PostingLine } from '../../kit/checks/posting-history.ts';
import { tooFew } from '../../kit/checks/verdict.ts';
import { putFaults } from '../../kit/clients/api.ts';
import { prepareCreators } from '../../kit/clients/creators.ts';
import { disturb } from '../../kit/faults/disturb.ts';
import { plantings } from '../../kit/faults/plants.ts';
import { startTcpProxy, type TcpProxy } from '../../kit/faults/tcp-proxy.ts';
import { countOpen, openAsSuperuser } from '../../kit/product/database.ts';
import { type DistributedProduct, startDistributed } from '../../kit/product/distributed.ts';
import { plant } from '../../kit/product/planted.ts';
import { openRecorder, readHistory } from '../../kit/run/history.ts';
import { runProof } from '../../kit/run/proof-run.ts';
import { drive } from './drive.ts';
import { leastFaults, platformFaults, seenFaults, ways } from './faults.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    long: { type: 'boolean', default: false },
    planted: { type: 'string' },
  },
});
const minutes = Number(values.minutes ?? (values.long ? 10 : 1.25));
const runMs = minutes * 60_000;
const creators = 60;
const perMinute = 200;
const settledWithinMs = 120_000;

async function prove(folder: string): Promise<boolean> {
  const planted = values.planted ? plant('scheduling', plantings(values.planted)) : null;
  let way: TcpProxy | undefined;
  const product = await startDistributed(
    { LIMIT_PER_IP: '1000000', LIMIT_PER_KEY: '1000000', LIMIT_CONTENT_PER_KEY: '1000', LOG_LEVEL: 'warn' },
    {
      replicas: { gateway: 1, content: 1, scheduling: 2 },
      ...(planted ? { entries: { scheduling: planted.entry } } : {}),
      platformWay: async to => {
        way = await startTcpProxy(to);
        return `http://127.0.0.1:${way.port}`;
      },
    },
  );
  if (!product || !way) throw new Error('Kafka or Redis is missing');
  try {
    return await disturbAndCheck(product, way, folder);
  } finally {
    await way.close();
    await product.remove();
    planted?.remove();
  }
}

async function disturbAndCheck(product: DistributedProduct, way: TcpProxy, folder: string): Promise<boolean> {
  const recorder = openRecorder<PostingLine>(join(folder, 'history.jsonl'));
  const db = openAsSuperuser(product.databaseUrl);
  const prepared = await prepareCreators(product, { count: creators, decks: 6 });
  await putFaults(product.simulatorsUrl, platformFaults);
  way.poison(ways);
  const disturbance = disturb(product, {
    services: ['scheduling'],
    killEveryMs: 2_000,
    // The lease is 8 s.
    stops: { everyMs: 12_000, forMs: [9_000, 14_000] },
    onFault: (what, pid) => recorder.write({ kind: 'fault', what, pid }),
  });
  await drive(prepared, { count: Math.round(minutes * perMinute), runMs }, recorder);
  const seen = await seenFaults(product.simulatorsUrl, way);
  way.mend();
  await putFaults(product.simulatorsUrl, []);
  await disturbance.heal();
  recorder.write({ kind: 'healed' });
  const healedAt = Date.now();
  const open = await untilNoneIsOpen(() => countOpen(db));
  const afterMs = Date.now() - healedAt;
  recorder.write({ kind: 'settled', afterMs, open });
  await untilPlatformRests(product.simulatorsDir);
  const platform = readPlatformLog(product.simulatorsDir);
  const database = await readPostingDatabase(db);
  await db.close();
  // Kept beside the history, so that a verdict can be looked into afterwards.
  writeFileSync(join(folder, 'platform.json'), JSON.stringify(platform));
  writeFileSync(join(folder, 'database.json'), JSON.stringify(database));
  const history = readHistory<PostingLine>(recorder.file);
  const { verdicts, figures } = checkPosting(history, platform, database);
  console.log(`  failed: ${listed(countBy(database.schedules, row => row.failureCode && row.reason))}`);
  console.log(`  not told: ${history.filter(line => line.kind === 'refused').length}`);
  const { kills, stops } = disturbance;
  const happened = {
    ...seen,
    kills,
    stops,
    ambiguous: figures.ambiguous,
    fenced: figures.fencedAfterAccepted,
  };
  return report({ verdicts, figures }, happened, afterMs);
}

function report(
  { verdicts, figures }: PostingVerdict,
  happened: Record<string, number>,
  healedMs: number,
): boolean {
  const missing = tooFew(happened, leastFaults(minutes));
  const settledShare = figures.ambiguous === 0 ? 0 : figures.settled / figures.ambiguous;
  for (const line of [...verdicts.lines(), ...missing.map(text => `  ${text}`)]) console.log(line);
  console.log(`  faults: ${listed(happened)}`);
  const { lost, unexpected } = verdicts.counts();
  const { told, posts, doubles, sent, failed, unknown, ambiguous, settled } = figures;
  console.log(
    `schedules ${told}, posts ${posts}, doubles ${doubles}, lost ${lost}, unexpected ${unexpected}, sent ${sent}, ` +
      `failed ${failed}, unknown ${unknown}, ambiguous calls ${ambiguous}, settled ${settled} ` +
      `(${(100 * settledShare).toFixed(1)} %), kills ${happened.kills}, stops ${happened.stops}, ` +
      `all terminal ${(healedMs / 1_000).toFixed(0)} s after healing`,
  );
  return verdicts.isGreen() && settledShare >= 0.99 && missing.length === 0;
}

/** @returns how many are still open when the time is over. */
async function untilNoneIsOpen(count: () => Promise<number>): Promise<number> {
  let open = 0;
  await eventually(async () => {
    open = await count();
    if (open > 0) throw new Error(`${open} are open`);
  }, settledWithinMs).catch(() => {});
  return open;
}

await runProof('posting', prove);
