/** The cost of one poll of the sender while few or many schedules are due on another day. */

import { claimDue, defaultTimings, findOutlook, parkAll } from '@hookline/scheduling/testing';
import { createLogger } from '@hookline/shared/kernel';
import type { Database } from '@hookline/shared/postgres';
import { openDatabase } from '@hookline/shared/postgres';
import { percentileOf } from '../../tests/lab/kit/checks/percentile.ts';
import { ratioOf } from '../harness/figures.ts';
import { type BenchPostgres, withClient } from '../harness/postgres.ts';
import { runRounds } from '../harness/rounds.ts';
import { insertWaiting } from './waiting-rows.ts';

export type FlatOptions = { sizes: readonly number[]; rounds: number };

type Place = { name: string; db: Database; dueId: string };

const ticks = 100;
const creators = 1_000;

export async function measureFlat(postgres: BenchPostgres, { sizes, rounds }: FlatOptions) {
  const places: Place[] = [];
  for (const size of sizes) places.push(await fill(postgres, size));
  try {
    // One tick with nothing due, and one with a single due schedule: found, claimed, released and put back.
    const flat = await runRounds(places, rounds, async place => ({
      emptyMs: await medianMs(() => findOutlook(place.db)),
      dueMs: await medianMs(() => tickWithOneDue(place)),
    }));
    const [first, last] = [places[0]?.name ?? '', places.at(-1)?.name ?? ''];
    const ratio = (measure: string) => {
      const [many, few] = [flat[last]?.[measure], flat[first]?.[measure]];
      if (!many || !few) throw new Error(`${measure} was not measured`);
      return ratioOf(many, few);
    };
    return { flat, flatEmptyRatio: ratio('emptyMs'), flatDueRatio: ratio('dueMs') };
  } finally {
    for (const { db } of places) await db.close();
  }
}

async function fill(postgres: BenchPostgres, size: number): Promise<Place> {
  const database = await postgres.createMigrated(`flat_${size}`);
  await withClient(database.url, async client => {
    for (let at = 0; at < size; at += 100_000) {
      const count = Math.min(100_000, size - at);
      await insertWaiting(client, { prefix: `far_${at}`, count, creators, dueIn: '1 day' });
    }
    await insertWaiting(client, { prefix: 'near', count: 1, creators, dueIn: '1 day' });
    await client.query('vacuum analyze');
  });
  const log = createLogger({ service: 'bench', level: 'silent' });
  const name = `${size.toLocaleString('en-US')} waiting`;
  const db = openDatabase({
    url: database.roleUrl('scheduling'),
    connectionsMax: 2,
    name: 'bench flat',
    log,
  });
  return { name, db, dueId: 'near_1' };
}

async function tickWithOneDue({ db, dueId }: Place): Promise<void> {
  await db.query(`update schedules set status = 'pending', due_at = now() where id = $1`, [dueId]);
  await findOutlook(db);
  const claims = await claimDue({ db, now: () => new Date(), timings: defaultTimings }, 64);
  if (claims.length !== 1) throw new Error(`${claims.length} schedules were claimed instead of one`);
  await db.transaction(tx => parkAll(tx, claims));
}

async function medianMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let tick = 0; tick < ticks; tick += 1) {
    const beganAt = performance.now();
    await work();
    times.push(performance.now() - beganAt);
  }
  return percentileOf(
    times.toSorted((a, b) => a - b),
    0.5,
  );
}
