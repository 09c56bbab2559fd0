/**
 * Claims and completes due schedules whose sending does nothing, with the product's own worker loop: lease,
 * raised fence, `sending` and its timeline entry, then out of the queue under the fence. Prints one line of
 * JSON.
 */

import { type Claimed, createDueSends, defaultTimings, parkAll } from '@hookline/scheduling/testing';
import { createGatherer, createLogger, startWorkerLoop } from '@hookline/shared/kernel';
import { openDatabase } from '@hookline/shared/postgres';
import { withClient } from '../harness/postgres.ts';
import { insertWaiting } from './waiting-rows.ts';

const [adminUrl = '', roleUrl = '', countText = ''] = process.argv.slice(2);
const log = createLogger({ service: 'bench', level: 'silent' });
const db = openDatabase({ url: roleUrl, connectionsMax: 10, name: 'bench drain', log });

async function drain(prefix: string, count: number): Promise<{ perSecond: number }> {
  await withClient(adminUrl, async client => {
    await insertWaiting(client, { prefix, count, creators: 2_000, dueIn: '-1 hour' });
    await client.query('vacuum analyze schedules');
  });
  let done = 0;
  const finished = Promise.withResolvers<void>();
  const park = createGatherer<Claimed, null>(async claims => {
    done += await db.transaction(tx => parkAll(tx, claims));
    if (done === count) finished.resolve();
    return claims.map(() => null);
  }, 64);
  const beganAt = performance.now();
  const watch = { isReady: () => true };
  const sends = createDueSends(
    { db, log, now: () => new Date(), timings: defaultTimings, watch, clockIsSteady: () => true },
    async claim => {
      await park(claim);
    },
    () => loop.wake(),
  );
  sends.start();
  const { pollMs } = defaultTimings;
  const loop = startWorkerLoop({ name: 'send-due', work: sends.work, pollMs, log });
  await finished.promise;
  const ms = performance.now() - beganAt;
  await loop.stop();
  await sends.stop();
  return { perSecond: (count / ms) * 1000 };
}

const count = Number(countText);
const run = process.pid.toString(36);
await drain(`w${run}`, Math.round(count / 5));
const result = await drain(`m${run}`, count);
await db.close();
console.log(JSON.stringify(result));
