/**
 * Claim and completion of items that do nothing, each round in a separate process.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BenchPostgres } from '../harness/postgres.ts';
import { runRounds } from '../harness/rounds.ts';

export type QueueOptions = { items: number; rounds: number };

export async function measureQueue(postgres: BenchPostgres, { items, rounds }: QueueOptions) {
  const ours = await postgres.createMigrated('queue_ours');
  const own = join(import.meta.dirname, 'drain.ts');
  const candidates = [{ name: 'hookline', args: [own, ours.url, ours.roleUrl('scheduling'), `${items}`] }];
  const table = await runRounds(candidates, rounds, ({ args }) => drainIn(args));
  const queuePerSecond = table.hookline?.perSecond;
  if (!queuePerSecond) throw new Error('the queue was not measured');
  return { queue: table, queuePerSecond };
}

/** Runs one drain, whose only output is a line of JSON. */
async function drainIn(args: readonly string[]): Promise<{ perSecond: number }> {
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as { perSecond: number };
}
