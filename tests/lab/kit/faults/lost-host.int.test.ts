/** The database's host vanishes silently and another one replaces it: everything works again within 30 s. */

import { testPostgresUrl } from '@hookline/infra/test-infra';
import { appendEvent, startOutboxRelay } from '@hookline/shared/bus';
import { createPostgresLogBus } from '@hookline/shared/bus/postgres-log';
import { schedulePublished, topics } from '@hookline/shared/events';
import { createLogger, newId, startWorkerLoop } from '@hookline/shared/kernel';
import { type Database, openWakeUp } from '@hookline/shared/postgres';
import { on, startConsumers } from '@hookline/shared/service';
import { openTestDatabase } from '@hookline/testing/database';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { createMigratedDatabase } from '@hookline/testing/service-harness';
import { afterAll, expect, it } from 'vitest';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const againWithinMs = 30_000;

const database = perSuite(createMigratedDatabase);
const open: { close(): Promise<void> }[] = [];

afterAll(async () => {
  await Promise.all(open.map(one => one.close()));
});

async function openWay(): Promise<TcpProxy> {
  const way = await startTcpProxy(await testPostgresUrl());
  open.push(way);
  return way;
}

/** A pool whose connections all exist and are idle, except those that the test uses. */
async function openThroughProxy(way: TcpProxy, role: string): Promise<Database> {
  const url = new URL(database.roleUrl(role));
  url.port = String(way.port);
  const db = openTestDatabase(url.href, 8);
  open.push(db);
  await Promise.all(Array.from({ length: 8 }, () => db.query('select pg_sleep(0.2)')));
  return db;
}

function openDirect(role: string): Database {
  const db = openTestDatabase(database.roleUrl(role));
  open.push(db);
  return db;
}

it.concurrent('worker loops go on, whatever they were at', { timeout: 90_000 }, async () => {
  const way = await openWay();
  const db = await openThroughProxy(way, 'scheduling');
  const rounds = [0, 0, 0, 0];
  const kinds = [
    () => db.query('select pg_sleep(0.3)'),
    () => db.transaction(tx => tx.query('select pg_sleep($1)', [0.3])),
    () => db.transaction(tx => Promise.all([tx.query('select 1'), tx.query('select pg_sleep(0.3)')])),
    () => db.snapshot(sql => sql.query('select pg_sleep(0.3)')),
  ];
  const loops = kinds.map((kind, at) =>
    startWorkerLoop({
      ...{ name: `loop ${at}`, pollMs: 500, log },
      async work() {
        await kind();
        rounds[at] = (rounds[at] ?? 0) + 1;
        return true;
      },
    }),
  );
  await eventually(() => expect(Math.min(...rounds)).toBeGreaterThan(1), 20_000);
  way.lose();
  const before = [...rounds];
  const lostMs = performance.now();
  const leastNew = (): number => Math.min(...rounds.map((count, at) => count - (before[at] as number)));
  // The first may have been between two rounds; the second began after the loss.
  await eventually(() => expect(leastNew()).toBeGreaterThan(1), againWithinMs);
  console.log(`worker loops: again after ${Math.round(performance.now() - lostMs)} ms`);
  await Promise.all(loops.map(loop => loop.stop()));
});

it.concurrent('relay, bus, consumer and wake-ups go on, and nothing is applied twice', {
  timeout: 120_000,
}, async () => {
  const way = await openWay();
  const db = await openThroughProxy(way, 'analytics');
  const busDatabase = await openThroughProxy(way, 'bus');
  const bus = createPostgresLogBus({ database: busDatabase, log });
  await bus.ensureTopics(topics);
  const direct = openDirect('analytics');
  const begun = new Map<string, number>();
  const applied: string[] = [];
  const effect = on(schedulePublished, async (tx, event) => {
    begun.set(event.subject, (begun.get(event.subject) ?? 0) + 1);
    await tx.query('select pg_sleep(2)');
    applied.push(event.subject);
  });
  await startConsumers({ service: 'analytics', db, bus, log }, [{ name: newId('req'), reactions: [effect] }]);
  const relay = startOutboxRelay({ service: 'analytics', db, bus, log });
  const wakeUp = openWakeUp(db.connectionString, 'test', log);
  let wakeUps = 0;
  wakeUp.on('lost_host', () => {
    wakeUps += 1;
  });
  await eventually(() => expect(wakeUps).toBe(1), 10_000);
  const publish = (subject: string): Promise<unknown> =>
    direct.transaction(tx =>
      appendEvent(tx, schedulePublished, {
        ...{ accountId: 'acct_1', subject, source: 'analytics', at: new Date() },
        data: schedulePublished.example as never,
      }),
    );
  await publish('before');
  await eventually(() => expect(begun.get('before')).toBe(1), 20_000);

  way.lose();
  const lostMs = performance.now();
  await publish('after');
  await eventually(() => expect(applied).toEqual(expect.arrayContaining(['before', 'after'])), againWithinMs);
  console.log(`relay, bus and consumer: again after ${Math.round(performance.now() - lostMs)} ms`);
  await eventually(() => expect(wakeUps).toBeGreaterThan(1), againWithinMs);
  const seen = wakeUps;
  await direct.query(`select pg_notify('lost_host', '')`);
  await eventually(() => expect(wakeUps).toBeGreaterThan(seen), 5_000);
  const inbox = await direct.query<{ count: number }>('select count(*)::int as count from inbox');
  expect(inbox).toEqual([{ count: 2 }]);
  expect(begun.get('before')).toBeGreaterThan(1);
  await relay.stop();
  await wakeUp.close();
  await bus.close();
});
