/**
 * Claim and completion of items that do nothing: our worker loop and graphile-worker in alternation, each in
 * a separate process.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { cpuUsWithEnded } from '../harness/cpu.ts';
import { ratioOf } from '../harness/figures.ts';
import { installPeer } from '../harness/peers.ts';
import type { BenchPostgres } from '../harness/postgres.ts';
import { type RoundTable, runRounds } from '../harness/rounds.ts';

export type QueueOptions = { items: number; rounds: number };

// The number of schedules that our worker has in flight at once.
const concurrency = 128;

export async function measureQueue(postgres: BenchPostgres, { items, rounds }: QueueOptions) {
  const peer = join(await installPeer('graphile-worker'), 'drain.js');
  const ours = await postgres.createMigrated('queue_ours');
  const plain = await postgres.create('queue_plain');
  const batched = await postgres.create('queue_batched');
  const own = join(import.meta.dirname, 'drain.ts');
  const candidates = [
    { name: 'hookline', args: [own, ours.url, ours.roleUrl('scheduling'), `${items}`] },
    { name: 'graphile-worker', args: [peer, plain, 'plain', `${items}`, `${concurrency}`] },
    { name: 'graphile-worker, batched', args: [peer, batched, 'batched', `${items}`, `${concurrency}`] },
  ];
  const table = await runRounds(candidates, rounds, ({ args }) => drainIn(args, items, postgres.pid));
  return { queue: table, ...compare(table) };
}

/**
 * Runs one drain. The process prints `begin` when its rows exist, `end` when they are gone, and then a line
 * of JSON.
 */
async function drainIn(
  args: readonly string[],
  items: number,
  postgresPid: number,
): Promise<Record<string, number>> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let postgresCpuUs = 0;
  let result: { perSecond: number; cpuUs: number } | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === 'begin') postgresCpuUs -= cpuUsWithEnded(postgresPid);
    else if (line === 'end') postgresCpuUs += cpuUsWithEnded(postgresPid);
    else result = JSON.parse(line) as { perSecond: number; cpuUs: number };
  }
  if (!result) throw new Error(`${args[0]} ended without a result`);
  return { ...result, postgresCpuUs: postgresCpuUs / items };
}

function compare(table: RoundTable) {
  const of = (name: string, measure: string) => {
    const figure = table[name]?.[measure];
    if (!figure) throw new Error(`${measure} of ${name} was not measured`);
    return figure;
  };
  return {
    queuePerSecond: of('hookline', 'perSecond'),
    queueRatio: ratioOf(of('hookline', 'perSecond'), of('graphile-worker', 'perSecond')),
    queueBatchedRatio: ratioOf(of('hookline', 'perSecond'), of('graphile-worker, batched', 'perSecond')),
  };
}
