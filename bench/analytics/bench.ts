/**
 * The summary of an account with 100,000 posts and 10,000,000 snapshots, next to accounts of a tenth and a
 * hundredth of that, and a naive query over the same rows, with which it must agree.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { freePort } from '@hookline/embedded/free-port';
import { createLogger, type Logger } from '@hookline/shared/kernel';
import { type Database, openDatabase } from '@hookline/shared/postgres';
import { createMigratedDatabase, signingKeysFor } from '@hookline/testing/service-harness';
import { type BenchRun, defineBench, type Measurement } from '../harness/bench.ts';
import { type Figure, ratioOf } from '../harness/figures.ts';
import { answers, launch } from '../harness/launch.ts';
import { runOpenLoop } from '../harness/open-loop.ts';
import { type RoundTable, runRounds } from '../harness/rounds.ts';
import type { LoadRequest } from '../harness/wrk.ts';
import { readSummary, summaryRequests, windows } from './ask.ts';
import { sumNaively } from './naive.ts';
import { collectMore, seedAccount, seedRollups, snapshotsPerPost } from './seed.ts';

const postsUsual = 100_000;
const [rounds, collectedAgain] = [5, 5_000];
const load = { perSecond: 100, seconds: 8, connectionsMax: 50 };

const accountsOf = (posts: number) =>
  [
    { name: 'summary, 1 % of the posts', accountId: 'acct_small', posts: Math.ceil(posts / 100) },
    { name: 'summary, 10 % of the posts', accountId: 'acct_middle', posts: Math.ceil(posts / 10) },
    { name: 'summary', accountId: 'acct_large', posts },
  ] as const;
const accounts = accountsOf(0);
const large = accounts[2];

type Candidate = { name: string; measure(): Promise<Record<string, number>> };

async function run({ workDir, flags, beginMeasuring }: BenchRun<typeof flagsTaken>): Promise<Measurement> {
  const { posts } = flags;
  const database = await createMigratedDatabase();
  const log = createLogger({ service: 'bench', level: 'warn' });
  const url = database.roleUrl('analytics');
  // The naive query and the seeding exceed the service's statement timeout of 10 s.
  const db = openDatabase({ url, connectionsMax: 2, name: 'bench', log, statementMaxMs: 3_600_000 });
  try {
    const now = new Date();
    const seededMs = await timed(() => seed(db, log, posts, now));
    beginMeasuring();
    const measured = await measure(db, database, workDir, now);
    const isPart = posts < postsUsual;
    if (isPart && measured.disagreements !== 0) process.exitCode = 1;
    const seededSeconds = Math.round(seededMs / 1_000);
    return { notes: notesOf(posts, seededMs), measured: { ...measured, seededSeconds }, isPart };
  } finally {
    await db.close();
    await database.drop();
  }
}

async function seed(db: Database, log: Logger, posts: number, now: Date): Promise<void> {
  for (const account of accountsOf(posts)) await seedAccount(db, account, now);
  await seedRollups(db);
  const collected = await collectMore(db, log, Math.min(collectedAgain, posts / 10), now);
  console.log(`seeded; ${collected} posts collected once more by the collector's own transaction`);
}

async function measure(
  db: Database,
  database: Awaited<ReturnType<typeof createMigratedDatabase>>,
  workDir: string,
  now: Date,
): Promise<Record<string, unknown>> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    PORT: String(port),
    ROLE: 'api',
    DATABASE_URL: database.roleUrl('analytics'),
    SERVICE_SIGNING_KEYS: signingKeysFor('analytics'),
    ENCRYPTION_KEYS: `bench:${randomBytes(32).toString('base64')}`,
    YOUTUBE_API_URL: 'http://127.0.0.1:9',
    YOUTUBE_API_KEY: 'none',
    INSTAGRAM_API_URL: 'http://127.0.0.1:9',
  };
  const server = await launch({
    name: 'analytics',
    command: process.execPath,
    args: [join(import.meta.dirname, 'server.ts'), JSON.stringify({ env, busUrl: database.roleUrl('bus') })],
    logFile: join(workDir, 'analytics.log'),
    isReady: () => answers(`${url}/readyz`),
  });
  try {
    const agreement = await compare(db, url, now);
    await runOpenLoop(url, summaryRequests(large.accountId), load);
    const table = await runRounds(candidates(db, url, now), rounds, candidate => candidate.measure());
    print(table);
    const figure = (name: string, of: string) => table[name]?.[of] as Figure;
    return {
      table,
      ...agreement,
      summaryP99Ms: figure(large.name, 'p99Ms'),
      naiveRatio: ratioOf(figure('naive query', 'p50Ms'), figure(large.name, 'p50Ms')),
      growthRatio: ratioOf(figure(large.name, 'p50Ms'), figure(accounts[0].name, 'p50Ms')),
    };
  } finally {
    await server.stop();
  }
}

function candidates(db: Database, url: string, now: Date): Candidate[] {
  const ofAccounts = accounts.map(({ name, accountId }) => ({
    name,
    measure: () => latency(url, summaryRequests(accountId)),
  }));
  // Baseline: this machine's time for a trivial Postgres query.
  const floor = {
    name: 'the same process, /readyz',
    measure: () => latency(url, [{ method: 'GET', path: '/readyz', headers: {} }]),
  };
  const naive = {
    name: 'naive query',
    async measure() {
      const ms = await timed(() => sumNaively(db, large.accountId, 365, now));
      return { p50Ms: ms, p99Ms: ms };
    },
  };
  return [floor, ...ofAccounts, naive];
}

async function latency(url: string, requests: readonly LoadRequest[]): Promise<Record<string, number>> {
  const { p50Ms, p99Ms } = await runOpenLoop(url, requests, load);
  return { p50Ms, p99Ms };
}

/** Runs every window of every account both ways; the widest of the large account reads all its snapshots. */
async function compare(db: Database, url: string, now: Date) {
  let disagreements = 0;
  let snapshots = 0;
  for (const { accountId } of accounts) {
    for (const windowDays of windows) {
      const [naive, ours] = [
        await sumNaively(db, accountId, windowDays, now),
        await readSummary(url, accountId, windowDays),
      ];
      if (JSON.stringify(sorted(naive.totals)) !== JSON.stringify(sorted(ours))) {
        disagreements += 1;
        console.log(
          `${accountId}, ${windowDays} days: naive ${JSON.stringify(naive)}, summary ${JSON.stringify(ours)}`,
        );
      }
      if (accountId === large.accountId) snapshots = Math.max(snapshots, naive.snapshots);
    }
  }
  console.log(`agreement: ${snapshots} snapshots of the large account read, ${disagreements} disagreements`);
  return { snapshots, disagreements };
}

function sorted(totals: object): [string, unknown][] {
  return Object.entries(totals).sort();
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const beganAt = performance.now();
  await work();
  return performance.now() - beganAt;
}

function notesOf(posts: number, seededMs: number): string[] {
  return [
    `The summary is asked over HTTP of a service process with role api, open loop, ${load.perSecond} requests a second, windows of ${windows.join(', ')} days in turn; ${rounds} interleaved rounds.`,
    '`/readyz` asks Postgres two trivial questions: the floor of what the machine gives any answer with a database behind it.',
    `The large account has ${posts} posts with ${snapshotsPerPost} snapshots each; ${Math.min(collectedAgain, posts / 10)} posts were collected once more by the collector's own transaction.`,
    `The naive query finds the newest of all snapshots of the same account, 365 days, straight from Postgres. Over every window and account both gave the same numbers, or the goal on disagreements is not met.`,
    `Seeding took ${Math.round(seededMs / 1_000)} s.`,
  ];
}

function print(table: RoundTable): void {
  for (const [name, { p50Ms, p99Ms }] of Object.entries(table)) {
    console.log(`${name.padEnd(28)} p50 ${p50Ms!.median.toFixed(2)} ms, p99 ${p99Ms!.median.toFixed(2)} ms`);
  }
}

const flagsTaken = {
  posts: { usual: postsUsual, about: 'of the largest account; fewer make a try that judges no goal' },
} as const;

export const bench = defineBench({
  about:
    'the summary of an account with 100,000 posts and 10,000,000 snapshots, compared with the naive query',
  takes: 'about 15 minutes, most of them seeding',
  flags: flagsTaken,
  run,
});
