/**
 * DELETE against the sender within 5 ms of the due time (G-S6), workers killed (G-S4) and suspended for twice
 * their lease (G-S5) during their calls, on two scheduling replicas over real Kafka, Redis and Postgres.
 */
import { join } from 'node:path';
import { installAudit, namedConnection, readAudit } from '../../kit/checks/audit.ts';
import { readPlatformLog } from '../../kit/checks/platform-log.ts';
import { tooFew } from '../../kit/checks/verdict.ts';
import { prepareCreators } from '../../kit/clients/creators.ts';
import { openAsSuperuser, untilNoneIsOpen } from '../../kit/product/database.ts';
import { type DistributedProduct, startDistributed } from '../../kit/product/distributed.ts';
import { openRecorder, readHistory } from '../../kit/run/history.ts';
import { defineScenario, type Outcome } from '../../kit/run/scenario.ts';
import { checkLeases } from './check-leases.ts';
import { checkRaces, type RaceFigures } from './check-races.ts';
import { type RaceLine, runDeleteRaces } from './delete-races.ts';
import { type Ground, lanesOf, resetPace } from './ground.ts';
import { killOnce, type StruckLine, stopOnce } from './strikes.ts';

const sizes = {
  usual: { races: 400, takeOvers: 4, stands: 4 },
  long: { races: 10_000, takeOvers: 100, stands: 200 },
};
type Wanted = (typeof sizes)['usual'];
const creators = 40;
const takeOverWithinMs = 10_000;

type Line = RaceLine | StruckLine;

async function prove(folder: string, wanted: Wanted): Promise<Outcome> {
  const product = await startDistributed(
    { LIMIT_PER_IP: '1000000', LIMIT_PER_KEY: '1000000', LIMIT_CONTENT_PER_KEY: '1000', LOG_LEVEL: 'warn' },
    {
      replicas: { gateway: 1, content: 1, scheduling: 2 },
      envOf: (service, replica, env) => ({
        DATABASE_URL: namedConnection(env.DATABASE_URL ?? '', `${service} ${replica}`),
      }),
    },
  );
  if (!product) throw new Error('Kafka or Redis is missing');
  try {
    return await race(product, folder, wanted);
  } finally {
    await product.remove();
  }
}

async function race(product: DistributedProduct, folder: string, wanted: Wanted): Promise<Outcome> {
  const recorder = openRecorder<Line>(join(folder, 'history.jsonl'));
  const db = openAsSuperuser(product.databaseUrl);
  await installAudit(db);
  const prepared = await prepareCreators(product, {
    count: creators,
    decks: 1,
    creator: { initPerMinuteMax: 1_000_000 },
  });
  const ground: Ground = { product, db, lanes: lanesOf(prepared) };
  await runDeleteRaces({
    lanes: ground.lanes,
    count: wanted.races,
    isStrict: true,
    leadMs: 600,
    beforeRound: () => resetPace(db),
    untilNoneIsOpen: () => untilNoneIsOpen(db),
    onRace: line => recorder.write(line),
  });
  const rows = await db.query<{ id: string; status: string }>('select id, status from scheduling.schedules');
  const raced = checkRaces(
    readHistory<Line>(recorder.file).filter(line => line.kind === 'raced'),
    readPlatformLog(product.simulatorsDir).calls.filter(call => call.arrivedAt !== null),
    new Map(rows.map(row => [row.id, row])),
  );
  const leases = await strikeOn(ground, wanted, line => recorder.write(line));
  await db.close();
  for (const line of [...raced.verdicts.lines(), ...leases.verdicts.lines()]) console.log(line);
  return report(raced.figures, leases, wanted, raced.verdicts.isGreen() && leases.verdicts.isGreen());
}

/** Strikes until enough claims were taken over, from killed and from suspended replicas. */
async function strikeOn(ground: Ground, wanted: Wanted, tell: (line: StruckLine) => void) {
  const strikes: StruckLine[] = [];
  const judge = async (what?: StruckLine['what']) =>
    checkLeases(
      await readAudit(ground.db),
      readPlatformLog(ground.product.simulatorsDir).calls,
      strikes.filter(strike => what === undefined || strike.what === what),
    );
  for (const [what, count, strike] of [
    ['killed', wanted.takeOvers, killOnce],
    ['stopped', wanted.stands, stopOnce],
  ] as const) {
    for (let turn = 0; turn < count && (await judge(what)).figures.takeOversMs.length < count; turn += 1) {
      const line = await strike(ground, `${what} ${turn}`);
      strikes.push(line);
      tell(line);
    }
  }
  const killed = (await judge('killed')).figures.takeOversMs;
  const stopped = (await judge('stopped')).figures.takeOversMs;
  const kills = strikes.filter(strike => strike.what === 'killed').length;
  return { ...(await judge()), killed, stopped, kills };
}

function report(
  raced: RaceFigures,
  leases: Awaited<ReturnType<typeof strikeOn>>,
  wanted: Wanted,
  isGreen: boolean,
): Outcome {
  const killed = [...leases.killed].sort((a, b) => a - b);
  const p99 = killed[Math.ceil(killed.length * 0.99) - 1] ?? Number.POSITIVE_INFINITY;
  const refused = raced.alreadySending + raced.alreadySent;
  const stands = leases.stopped.length;
  const missing = tooFew(
    {
      'races within 5 ms': raced.within,
      'won by DELETE': raced.deleted,
      'won by the sender': refused,
      'claims taken over from the dead': killed.length,
      'claims taken over from the stopped': stands,
    },
    {
      'races within 5 ms': wanted.races,
      'won by DELETE': wanted.races / 50,
      'won by the sender': wanted.races / 50,
      'claims taken over from the dead': wanted.takeOvers,
      'claims taken over from the stopped': wanted.stands,
    },
  );
  for (const line of missing) console.log(`  ${line}`);
  return {
    isProven: isGreen && p99 <= takeOverWithinMs && missing.length === 0,
    figures: {
      races: raced.races,
      'within 5 ms': raced.within,
      deleted: raced.deleted,
      already_sending: raced.alreadySending,
      already_sent: raced.alreadySent,
      'deleted and posted': raced.deletedAndPosted,
      kills: leases.kills,
      'claims taken over': killed.length,
      p50: seconds(killed[killed.length >> 1]),
      p99: seconds(p99),
      'claims that stood still past their lease': stands,
      'writes accepted of them': leases.figures.lateWrites,
      'calls of them': leases.figures.lateCalls,
    },
  };
}

function seconds(ms: number | undefined): string {
  return ms === undefined ? '-' : `${(ms / 1_000).toFixed(1)} s`;
}

export const scenario = defineScenario({
  about: 'DELETE within 5 ms of the due time against the sender, and dead and stopped workers',
  takes: 'about 5 minutes',
  long: '10,000 races, 100 kills, 200 stops',
  flags: { races: { usual: '', about: 'how many races' } },
  run: ({ folder, isLong, flags }) => {
    const wanted = isLong ? sizes.long : sizes.usual;
    return prove(folder, { ...wanted, races: Number(flags.races) || wanted.races });
  },
});
