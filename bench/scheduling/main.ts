/**
 * `npm run bench:scheduling [-- --long]`: the queue beside graphile-worker, the lateness of posts, and what a look
 * costs as schedules pile up. About 5 minutes on a quiet machine; `--long` takes more rounds.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchOthers } from '../harness/cpu.ts';
import type { Figure } from '../harness/figures.ts';
import { finishRun } from '../harness/results.ts';
import type { RoundTable } from '../harness/rounds.ts';
import { type BenchPostgres, startBenchPostgres } from './databases.ts';
import { measureFlat } from './flat.ts';
import { type LatenessOptions, measureLateness } from './lateness.ts';
import { measureQueue } from './queue.ts';
import { pullDelayMs, startStack } from './stack.ts';

const isLong = process.argv.includes('--long');
const rounds = isLong ? 9 : 5;
const queueItems = 20_000;
const sizes = [1_000, 1_000_000];
const lateness: LatenessOptions = { accounts: 200, burst: 1_000, idle: 100, rounds: isLong ? 5 : 3 };

const notes = [
  `Queue: ${queueItems.toLocaleString('en-US')} items whose work is nothing, ${rounds} interleaved rounds, each in a process of its own that is warmed up first; one Postgres with fsync, as \`npm start\` runs it. Ours: the worker loop of the product with a lease, a raised fence, the state \`sending\` with its timeline entry, and the way out under the fence. graphile-worker: 128 jobs at once; batched: with its local queue of 500 and batched completions.`,
  `Lateness: content, scheduling as API and as worker, the simulators and Postgres as processes of their own on this machine; the events go over the Postgres log. ${lateness.accounts} accounts a round, drafts of three slides out of 50 decks. From the due time to the moment at which the platform writes the call down, both by this machine's clock. The platform begins to pull ${pullDelayMs / 1000} s after its yes.`,
  `Burst: ${lateness.burst.toLocaleString('en-US')} schedules due within one second, evenly. Alone: ${lateness.idle} schedules, 100 to 500 ms apart.`,
  `A look: the sender's two statements with nothing due, and the claim of one due schedule among those that wait for another day. Ratios are taken within each round.`,
];

async function main(): Promise<void> {
  const beganAt = new Date();
  const workDir = mkdtempSync(join(tmpdir(), 'hookline-bench-'));
  process.once('SIGINT', () => process.exit(130));
  const postgres = await startBenchPostgres(workDir);
  try {
    const machine = watchOthers();
    const queue = await measureQueue(postgres, { items: queueItems, rounds });
    print('claim and complete', queue.queue, ['perSecond', 'cpuUs', 'postgresCpuUs']);
    const late = await measureInStack(postgres, workDir);
    const flat = await measureFlat(postgres, { sizes, rounds });
    print('one look', flat.flat, ['emptyMs', 'dueMs']);
    const othersPercent = Math.round(machine.othersShare() * 100);
    const noise = `Other processes used ${othersPercent} % of the machine meanwhile.`;
    finishRun('scheduling', beganAt, [...notes, noise], { ...queue, ...late, ...flat, othersPercent });
  } finally {
    await postgres.stop();
    rmSync(workDir, { recursive: true, force: true });
  }
}

async function measureInStack(postgres: BenchPostgres, workDir: string) {
  const database = await postgres.createMigrated('stack');
  const stack = await startStack(database, postgres.pid, workDir);
  try {
    const { idle, burst } = await measureLateness(stack, lateness);
    const lateTable: RoundTable = {
      alone: idle,
      [`${lateness.burst.toLocaleString('en-US')} in a second`]: burst,
    };
    print('lateness', lateTable, ['p50Ms', 'p99Ms', 'maxMs']);
    return { lateness: lateTable, idle, burst };
  } finally {
    await stack.stop();
  }
}

function print(title: string, table: RoundTable, measures: readonly string[]): void {
  console.log(`\n${title.padEnd(28)}${measures.map(name => name.padStart(26)).join('')}`);
  for (const [name, figures] of Object.entries(table)) {
    const cells = measures.map(measure => {
      const { median, min, max } = figures[measure] as Figure;
      return [median, min, max].map(value => value.toFixed(value < 100 ? 1 : 0)).join(' / ');
    });
    console.log(`${name.padEnd(28)}${cells.map(cell => cell.padStart(26)).join('')}`);
  }
}

await main();
