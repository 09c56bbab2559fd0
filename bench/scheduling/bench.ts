/**
 * The queue, the lateness of posts, and the cost of polling as schedules pile
 * up.
 */
import { type BenchRun, defineBench, type Measurement } from '../harness/bench.ts';
import { type BenchPostgres, startBenchPostgres } from '../harness/postgres.ts';
import { printTable, type RoundTable } from '../harness/rounds.ts';
import { measureFlat } from './flat.ts';
import { measureExpired, measureLateness } from './lateness.ts';
import { measureQueue } from './queue.ts';
import { pullDelayMs, startStack } from './stack.ts';

const allParts = ['queue', 'lateness', 'polls'];
const queueItems = 20_000;
const sizes = [1_000, 1_000_000];
const overdue = 50_000;
const lateness = { accounts: 200, burst: 1_000, idle: 100 };
const expired = { counts: [400, 2_000], tokenMs: 300 };

const notesOf = (rounds: number): string[] => [
  `Queue: ${queueItems.toLocaleString('en-US')} items whose work is nothing, ${rounds} interleaved rounds, each in a process of its own that is warmed up first; one Postgres with fsync, as \`npm start\` runs it. Ours: the worker loop of the product with a lease, a raised fence, the state \`sending\` with its timeline entry, and the way out under the fence. graphile-worker: 128 jobs at once; batched: with its local queue of 500 and batched completions.`,
  `Lateness: content, scheduling as API and as worker, the simulators and Postgres as processes of their own on this machine; the events go over the Postgres log. ${lateness.accounts} accounts a round, drafts of three slides out of 50 decks. From the due time to the moment at which the platform writes the call down, both by this machine's clock. The platform begins to pull ${pullDelayMs / 1000} s after its yes.`,
  `Burst: ${lateness.burst.toLocaleString('en-US')} schedules due within one second, evenly. Alone: ${lateness.idle} schedules, 100 to 500 ms apart.`,
  `Expired: one post per account, ${expired.counts.map(count => count.toLocaleString('en-US')).join(' and ')} due at one instant, whose access tokens ended 2 s before; the token endpoint takes ${expired.tokenMs} ms.`,
  `A poll: the sender's two statements with nothing due, and the claim of one due schedule among those that wait for another day. Ratios are taken within each round.`,
  `Overdue: ${overdue.toLocaleString('en-US')} posts of one creator who may not be called for another hour. Claims of others' posts move them to their turns; the poll is measured after that.`,
];

async function run({ workDir, flags, beginMeasuring }: BenchRun<typeof flagsTaken>): Promise<Measurement> {
  const rounds = flags.long ? 9 : 5;
  const postgres = await startBenchPostgres(workDir);
  try {
    beginMeasuring();
    const parts = flags.only === '' ? allParts : flags.only.split(',');
    const measured: Record<string, unknown> = {};
    if (parts.includes('queue')) {
      const queue = await measureQueue(postgres, { items: queueItems, rounds });
      printTable('claim and complete', queue.queue, ['perSecond']);
      Object.assign(measured, queue);
    }
    if (parts.includes('lateness')) {
      Object.assign(measured, await measureInStack(postgres, workDir, flags.long ? 5 : 3));
    }
    if (parts.includes('polls')) {
      const flat = await measureFlat(postgres, { sizes, overdue, rounds });
      printTable('one poll', flat.flat, ['emptyMs', 'dueMs']);
      Object.assign(measured, flat);
    }
    return { notes: notesOf(rounds), measured, isPart: flags.only !== '' };
  } finally {
    await postgres.stop();
  }
}

async function measureInStack(postgres: BenchPostgres, workDir: string, rounds: number) {
  const database = await postgres.createMigrated('stack');
  const stack = await startStack(database, workDir);
  try {
    const { idle, burst, contentIds } = await measureLateness(stack, { ...lateness, rounds });
    const together = await measureExpired(stack, contentIds, { ...expired, rounds });
    const lateTable: RoundTable = {
      alone: idle,
      [`${lateness.burst.toLocaleString('en-US')} in a second`]: burst,
      ...Object.fromEntries(
        expired.counts.map(count => [
          `${count.toLocaleString('en-US')} with expired tokens`,
          together[`expired${count}`] as RoundTable[string],
        ]),
      ),
    };
    printTable('lateness', lateTable, ['p50Ms', 'p99Ms', 'maxMs']);
    return { lateness: lateTable, idle, burst, ...together };
  } finally {
    await stack.stop();
  }
}

const flagsTaken = {
  long: { usual: false, about: 'more rounds' },
  only: { usual: '', about: `of ${allParts.join(',')}` },
} as const;

export const bench = defineBench({
  about: 'the queue, the lateness of posts, a poll of the sender as schedules pile up',
  takes: 'about 6 minutes',
  flags: flagsTaken,
  run,
});
