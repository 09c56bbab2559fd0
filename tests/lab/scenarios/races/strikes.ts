/** Kills one replica, or suspends it for twice its lease, while it holds claimed schedules. */

import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '@hookline/shared/postgres';
import { eventually } from '@hookline/testing/eventually';
import { putFaults } from '../../kit/clients/api.ts';
import { untilNoneIsOpen } from '../../kit/product/database.ts';
import type { DistributedProduct } from '../../kit/product/distributed.ts';
import type { ProductProcess } from '../../kit/product/processes.ts';
import type { Struck } from './check-leases.ts';
import { type Ground, resetPace } from './ground.ts';

export type StruckLine = Struck & { kind: 'struck'; what: 'killed' | 'stopped' };

const inHandMax = 16;
const leaseMs = 8_000;

const init = (kind: string, delayMs: number, change: Record<string, unknown> = {}) => ({
  platform: 'tiktok',
  operation: 'content_init',
  kind,
  delayMs,
  share: 1,
  ...change,
});
const latePull = (delayMs: number, change: Record<string, unknown> = {}) => ({
  platform: 'tiktok',
  operation: 'pull',
  kind: 'late_pull',
  delayMs,
  share: 1,
  ...change,
});

/** Kills a replica once every schedule's call is at the platform, which holds its answers. */
export async function killOnce({ product, db, lanes }: Ground, name: string): Promise<StruckLine> {
  await resetPace(db);
  await putFaults(product.simulatorsUrl, [
    init('accepted_then_slow', 60_000, { times: inHandMax }),
    latePull(25_000, { times: inHandMax }),
  ]);
  const dueAt = new Date(Date.now() + 1_500);
  await Promise.all(lanes.slice(0, inHandMax).map((lane, at) => lane.create(`${name} ${at}`, dueAt)));
  await eventually(async () => {
    const calling = await db.query(`select 1 from scheduling.attempts where state = 'calling'`);
    if (calling.length < inHandMax / 2) throw new Error(`${calling.length} calls are on their way`);
  }, 20_000);
  const victim = await busiest(product, db);
  const line: StruckLine = { kind: 'struck', what: 'killed', app: appOf(victim.pid), atMs: Date.now() };
  victim.signal('SIGKILL');
  await victim.exited;
  await product.restart(victim);
  await putFaults(product.simulatorsUrl, []);
  await untilNoneIsOpen(db);
  return line;
}

/**
 * Suspends a replica at any point of its sending, for twice the lease; half of its answers arrive during that
 * time.
 */
export async function stopOnce({ product, db, lanes }: Ground, name: string): Promise<StruckLine> {
  await resetPace(db);
  await putFaults(product.simulatorsUrl, [
    init('accepted_then_slow', 3_000, { share: 0.5 }),
    latePull(12_000, { share: 0.7 }),
  ]);
  const dueAt = new Date(Date.now() + 1_500);
  await Promise.all(lanes.slice(0, inHandMax).map((lane, at) => lane.create(`${name} ${at}`, dueAt)));
  await wait(dueAt.getTime() - Date.now() + 20 + Math.random() * 400);
  const victim = await busiest(product, db);
  const line: StruckLine = { kind: 'struck', what: 'stopped', app: appOf(victim.pid), atMs: Date.now() };
  victim.signal('SIGSTOP');
  await wait(2 * leaseMs);
  victim.signal('SIGCONT');
  await putFaults(product.simulatorsUrl, []);
  await untilNoneIsOpen(db);
  return line;
}

/** One replica may hold everything: striking the other would disturb nothing. */
async function busiest(product: DistributedProduct, db: Database): Promise<ProductProcess> {
  return await eventually(async () => {
    const [row] = await db.query<{ app: string }>(
      `select app from proof.audit where kind = 'claim' and at > clock_timestamp() - interval '5 s'
       group by app order by count(*) desc limit 1`,
    );
    const holder = product.replicas('scheduling').find(one => appOf(one.pid) === row?.app);
    if (!holder) throw new Error('nothing was claimed');
    return holder;
  }, 20_000);
}

/** The application name of the process's database connections. */
function appOf(pid: number): string {
  const entry = readFileSync(`/proc/${pid}/environ`, 'utf8')
    .split('\0')
    .find(line => line.startsWith('DATABASE_URL='));
  return new URL(entry?.slice('DATABASE_URL='.length) ?? '').searchParams.get('application_name') ?? '';
}
