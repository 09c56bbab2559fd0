/**
 * Three scheduling replicas over real Kafka, Redis and Postgres post to the simulated platform while they are
 * killed and suspended, and the platform drops, delays and refuses. Afterwards the platform must hold at most
 * one post per schedule and nothing may be lost (G-S1, G-S2).
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countBy, listed } from '../../kit/checks/counts.ts';
import { readPlatformLog, untilPlatformRests } from '../../kit/checks/platform-log.ts';
import { checkPosting, type PostingVerdict } from '../../kit/checks/posting.ts';
import { readPostingDatabase } from '../../kit/checks/posting-database.ts';
import type { PostingLine } from '../../kit/checks/posting-history.ts';
import { tooFew } from '../../kit/checks/verdict.ts';
import { putFaults } from '../../kit/clients/api.ts';
import { prepareCreators } from '../../kit/clients/creators.ts';
import { disturb } from '../../kit/faults/disturb.ts';
import { fenceOff } from '../../kit/faults/plants.ts';
import { startTcpProxy, type TcpProxy } from '../../kit/faults/tcp-proxy.ts';
import { countOpen, openAsSuperuser, untilNoneIsOpen } from '../../kit/product/database.ts';
import { type DistributedProduct, startDistributed } from '../../kit/product/distributed.ts';
import { plant } from '../../kit/product/planted.ts';
import { openRecorder, readHistory } from '../../kit/run/history.ts';
import { defineScenario, type Outcome } from '../../kit/run/scenario.ts';
import { drive } from './drive.ts';
import { leastFaults, platformFaults, seenFaults, ways } from './faults.ts';

const creators = 60;
const perMinute = 200;

async function prove(folder: string, minutes: number, isPlanted: boolean): Promise<Outcome> {
  const planted = isPlanted ? plant('scheduling', fenceOff) : null;
  let way: TcpProxy | undefined;
  const product = await startDistributed(
    { LIMIT_PER_IP: '1000000', LIMIT_PER_KEY: '1000000', LIMIT_CONTENT_PER_KEY: '1000', LOG_LEVEL: 'warn' },
    {
      replicas: { gateway: 1, content: 1, scheduling: 3 },
      ...(planted ? { entries: { scheduling: planted.entry } } : {}),
      platformWay: async to => {
        way = await startTcpProxy(to);
        return `http://127.0.0.1:${way.port}`;
      },
    },
  );
  if (!product || !way) throw new Error('Kafka or Redis is missing');
  try {
    return await disturbAndCheck(product, way, folder, minutes);
  } finally {
    await way.close();
    await product.remove();
    planted?.remove();
  }
}

async function disturbAndCheck(
  product: DistributedProduct,
  way: TcpProxy,
  folder: string,
  minutes: number,
): Promise<Outcome> {
  const recorder = openRecorder<PostingLine>(join(folder, 'history.jsonl'));
  const db = openAsSuperuser(product.databaseUrl);
  const prepared = await prepareCreators(product, { count: creators, decks: 6 });
  await putFaults(product.simulatorsUrl, platformFaults);
  way.poison(ways);
  const disturbance = disturb(product, {
    services: ['scheduling'],
    // The consumers of a killed process are replaced after their session of 8 s.
    killEveryMs: 10_000,
    // The lease is 8 s.
    stops: { everyMs: 20_000, forMs: [9_000, 14_000] },
    onFault: (what, pid) => recorder.write({ kind: 'fault', what, pid }),
  });
  await drive(prepared, { count: Math.round(minutes * perMinute), runMs: minutes * 60_000 }, recorder);
  const seen = await seenFaults(product.simulatorsUrl, way);
  way.mend();
  await putFaults(product.simulatorsUrl, []);
  await disturbance.heal();
  recorder.write({ kind: 'healed' });
  const healedAt = Date.now();
  const open = await untilNoneIsOpen(db).then(
    () => 0,
    () => countOpen(db),
  );
  const afterMs = Date.now() - healedAt;
  recorder.write({ kind: 'settled', afterMs, open });
  await untilPlatformRests(product.simulatorsDir);
  const platform = readPlatformLog(product.simulatorsDir);
  const database = await readPostingDatabase(db);
  await db.close();
  // Stored next to the history, so that a verdict can be investigated afterwards.
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
  return report({ verdicts, figures }, happened, minutes, afterMs);
}

function report(
  { verdicts, figures }: PostingVerdict,
  happened: Record<string, number>,
  minutes: number,
  healedMs: number,
): Outcome {
  const missing = tooFew(happened, leastFaults(minutes));
  const settledShare = figures.ambiguous === 0 ? 0 : figures.settled / figures.ambiguous;
  for (const line of [...verdicts.lines(), ...missing.map(text => `  ${text}`)]) console.log(line);
  console.log(`  faults: ${listed(happened)}`);
  const { lost, unexpected } = verdicts.counts();
  const { told, posts, doubles, sent, failed, unknown, ambiguous, settled } = figures;
  return {
    isProven: verdicts.isGreen() && settledShare >= 0.99 && missing.length === 0,
    figures: {
      schedules: told,
      posts,
      doubles,
      lost,
      unexpected,
      sent,
      failed,
      unknown,
      'ambiguous calls': ambiguous,
      settled,
      ...happened,
      'terminal after': `${(healedMs / 1_000).toFixed(0)} s`,
    },
  };
}

export const scenario = defineScenario({
  about: 'posting under kill -9, standing still and a hostile platform: one post per schedule, none lost',
  takes: 'about 4 minutes',
  minutes: { usual: 1.25, long: 10 },
  long: 'ten minutes of faults',
  plants: { fence: 'what is called again is posted again' },
  run: ({ folder, minutes, plant: defect }) => prove(folder, minutes, defect !== null),
});
