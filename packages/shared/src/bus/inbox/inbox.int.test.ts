import { openTestDatabase } from '@hookline/testing/database';
import { perSuite } from '@hookline/testing/per-suite';
import { createMigratedDatabase } from '@hookline/testing/service-harness';
import { describe, expect, it } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import type { Database } from '../../postgres/db.ts';
import { runAllOnce, runOnce } from './inbox.ts';

const database = perSuite(createMigratedDatabase);
const db = perSuite(() => openTestDatabase(database.roleUrl('content'), 8));

/** A countable effect: one more row for the event. */
function effectOf(eventId: string) {
  return async (tx: Parameters<Parameters<Database['transaction']>[0]>[0]): Promise<void> => {
    await tx.query(
      `insert into daily_generations as d values ($1, '2026-11-21', 1)
       on conflict (account_id, day) do update set used = d.used + 1`,
      [eventId],
    );
  };
}

async function effectsOf(eventId: string): Promise<number> {
  const rows = await db.query<{ used: number }>('select used from daily_generations where account_id = $1', [
    eventId,
  ]);
  return rows[0]?.used ?? 0;
}

describe('runOnce', () => {
  it('has one effect when the event comes twice', async () => {
    const id = newId('event');
    expect(await runOnce(db, 'a', id, effectOf(id))).toBe(true);
    expect(await runOnce(db, 'a', id, effectOf(id))).toBe(false);
    expect(await effectsOf(id)).toBe(1);
  });

  it('has one effect when the event comes eight times at once', async () => {
    const id = newId('event');
    const results = await Promise.all(Array.from({ length: 8 }, () => runOnce(db, 'a', id, effectOf(id))));
    expect(results.filter(Boolean)).toHaveLength(1);
    expect(await effectsOf(id)).toBe(1);
  });

  it('one that waits for a first that then fails does the work itself', async () => {
    const id = newId('event');
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const first = runOnce(db, 'a', id, async tx => {
      await effectOf(id)(tx);
      begun.resolve();
      await end.promise;
      throw new Error('the first fails');
    });
    await begun.promise;
    const second = runOnce(db, 'a', id, effectOf(id));
    end.resolve();
    await expect(first).rejects.toThrow('the first fails');
    expect(await second).toBe(true);
    expect(await effectsOf(id)).toBe(1);
  });

  it('keeps consumers apart', async () => {
    const id = newId('event');
    expect(await runOnce(db, 'a', id, effectOf(id))).toBe(true);
    expect(await runOnce(db, 'b', id, effectOf(id))).toBe(true);
    expect(await effectsOf(id)).toBe(2);
  });
});

describe('runAllOnce', () => {
  const once = (eventId: string, orderedBy = 'a') => ({ eventId, orderedBy, effect: effectOf(eventId) });

  it('has the effects of those that are new, each once', async () => {
    const [known, fresh, twice] = [newId('event'), newId('event'), newId('event')];
    await runOnce(db, 'a', known, effectOf(known));
    const isNew = await runAllOnce(db, 'a', [once(known), once(fresh), once(twice), once(twice)]);
    expect(isNew).toEqual([false, true, true, false]);
    expect(await Promise.all([known, fresh, twice].map(effectsOf))).toEqual([1, 1, 1]);
  });

  it('has none when one of them fails, and the others alone afterwards', async () => {
    const [good, bad] = [newId('event'), newId('event')];
    const failing = { ...once(bad), effect: () => Promise.reject(new Error('refused')) };
    await expect(runAllOnce(db, 'a', [once(good), failing])).rejects.toThrow('refused');
    expect(await effectsOf(good)).toBe(0);
    expect(await runAllOnce(db, 'a', [once(good)])).toEqual([true]);
    expect(await effectsOf(good)).toBe(1);
  });

  it('takes the same events from several processes at once without a deadlock', async () => {
    const ids = Array.from({ length: 40 }, () => newId('event'));
    const orders = Array.from({ length: 6 }, (_, at) => [...ids.slice(at * 5), ...ids.slice(0, at * 5)]);
    const results = await Promise.all(
      orders.map(order =>
        runAllOnce(
          db,
          'a',
          order.map(id => once(id, id)),
        ),
      ),
    );
    expect(results.flat().filter(Boolean)).toHaveLength(40);
    expect(await Promise.all(ids.map(effectsOf))).toEqual(ids.map(() => 1));
  });
});
