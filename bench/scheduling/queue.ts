/**
 * Claim and completion of items that do nothing, each round in a separate process.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { cpuUsWithEnded } from '../harness/cpu.ts';
import type { BenchPostgres } from '../harness/postgres.ts';
import { runRounds } from '../harness/rounds.ts';

export type QueueOptions = { items: number; rounds: number };

export async function measureQueue(postgres: BenchPostgres, { items, rounds }: QueueOptions) {
  const ours = await postgres.createMigrated('queue_ours');
  const own = join(import.meta.dirname, 'drain.ts');
  const candidates = [{ name: 'hookline', args: [own, ours.url, ours.roleUrl('scheduling'), `${items}`] }];
  const table = await runRounds(candidates, rounds, ({ args }) => drainIn(args, items, postgres.pid));
  const queuePerSecond = table.hookline?.perSecond;
  if (!queuePerSecond) throw new Error('the queue was not measured');
  return { queue: table, queuePerSecond };
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
