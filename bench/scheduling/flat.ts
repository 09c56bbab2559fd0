/**
 * The cost of one poll of the sender while few or many schedules are due on another day, and while one
 * creator who may not be called yet has overdue posts.
 */

import { claimDue, defaultTimings, findOutlook, parkAll } from '@hookline/scheduling/testing';
import { createLogger } from '@hookline/shared/kernel';
import type { Database } from '@hookline/shared/postgres';
import { openDatabase } from '@hookline/shared/postgres';
import { percentileOf } from '../../tests/lab/kit/checks/percentile.ts';
import { ratioOf } from '../harness/figures.ts';
import { type BenchPostgres, withClient } from '../harness/postgres.ts';
import { runRounds } from '../harness/rounds.ts';
import { insertWaiting } from './waiting-rows.ts';

export type FlatOptions = {
  sizes: readonly number[];
  /** Overdue posts of one creator, next to the smallest of the sizes. */
  overdue: number;
  rounds: number;
};

type Place = { name: string; db: Database; dueId: string };

const ticks = 100;
const creators = 1_000;

export async function measureFlat(postgres: BenchPostgres, { sizes, overdue, rounds }: FlatOptions) {
  const places: Place[] = [];
  for (const size of sizes) places.push(await fill(postgres, size));
  const blocked = await fill(postgres, sizes[0] ?? 0, overdue);
  places.push(blocked);
  try {
    await moveOverdue(blocked);
    // One tick with nothing due, and one with a single due schedule: found, claimed, released and put back.
    const flat = await runRounds(places, rounds, async place => ({
      emptyMs: await medianMs(() => findOutlook(place.db)),
      dueMs: await medianMs(() => tickWithOneDue(place)),
    }));
    const [few, many] = [places[0]?.name ?? '', places.at(-2)?.name ?? ''];
    const ratio = (place: string, measure: string) => {
      const [ours, base] = [flat[place]?.[measure], flat[few]?.[measure]];
      if (!ours || !base) throw new Error(`${measure} was not measured`);
      return ratioOf(ours, base);
    };
    return {
      flat,
      flatEmptyRatio: ratio(many, 'emptyMs'),
      flatDueRatio: ratio(many, 'dueMs'),
      overdueEmptyRatio: ratio(blocked.name, 'emptyMs'),
      overdueDueRatio: ratio(blocked.name, 'dueMs'),
    };
  } finally {
    for (const { db } of places) await db.close();
  }
}

async function fill(postgres: BenchPostgres, size: number, overdue = 0): Promise<Place> {
  const database = await postgres.createMigrated(`flat_${size}_${overdue}`);
  await withClient(database.url, async client => {
    for (let at = 0; at < size; at += 100_000) {
      const count = Math.min(100_000, size - at);
      await insertWaiting(client, { prefix: `far_${at}`, count, creators, dueIn: '1 day' });
    }
    await insertWaiting(client, { prefix: 'near', count: 1, creators, dueIn: '1 day' });
    if (overdue > 0) {
      await insertWaiting(client, { prefix: 'overdue', count: overdue, creators: 1, dueIn: '-1 hour' });
      // Later than the end of the run: one that became claimable would be claimed with the measured one.
      await client.query(`update creators set next_init_at = now() + interval '1 hour' where open_id = 'o1'`);
    }
    await client.query('vacuum analyze');
  });
  const log = createLogger({ service: 'bench', level: 'silent' });
  const waiting = `${size.toLocaleString('en-US')} waiting`;
  const name = overdue > 0 ? `${waiting}, ${overdue.toLocaleString('en-US')} overdue` : waiting;
  const db = openDatabase({
    url: database.roleUrl('scheduling'),
    connectionsMax: 2,
    name: 'bench flat',
    log,
  });
  return { name, db, dueId: 'near_1' };
}

/** Claims of other creators' posts also move the overdue ones to their turns. */
async function moveOverdue(place: Place): Promise<void> {
  while ((await findOutlook(place.db)).isDue) await tickWithOneDue(place);
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
