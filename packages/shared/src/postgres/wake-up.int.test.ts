import { createTestDatabase } from '@hookline/infra/test-databases';
import { testPostgresUrl } from '@hookline/infra/test-infra';
import { openTestDatabase } from '@hookline/testing/database';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { expect, it } from 'vitest';
import { createLogger } from '../kernel/logger.ts';
import { openWakeUp } from './wake-up.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const database = perSuite(async () => createTestDatabase({ serverUrl: await testPostgresUrl() }));
const db = perSuite(() => openTestDatabase(database.url, 1));

it('leaves no connection behind that could not listen', async () => {
  let failures = 0;
  const counting = { ...log, debug: () => (failures += 1) } as never;
  const wakeUp = openWakeUp(database.url, 'wake-up-test', counting);
  wakeUp.on('listening to two words', () => {});
  await eventually(() => expect(failures).toBeGreaterThanOrEqual(2));
  await wakeUp.close();
  await eventually(async () => {
    const open = await db.query(`select 1 from pg_stat_activity where application_name = 'wake-up-test'`);
    expect(open).toEqual([]);
  });
});

it('listens to channels as they are added, and again on a new connection', async () => {
  const wakeUp = openWakeUp(database.url, 'wake-up-test', log);
  const calls = { first: 0, second: 0 };
  wakeUp.on('first', () => {
    calls.first += 1;
  });
  await eventually(() => expect(calls.first).toBe(1));
  wakeUp.on('second', () => {
    calls.second += 1;
  });
  await eventually(() => expect(calls).toEqual({ first: 1, second: 1 }));
  await db.query(`select pg_notify('first', ''), pg_notify('second', '')`);
  await eventually(() => expect(calls).toEqual({ first: 2, second: 2 }));
  await db.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'wake-up-test'`,
  );
  await eventually(() => expect(calls).toEqual({ first: 3, second: 3 }));
  await db.query(`select pg_notify('second', '')`);
  await eventually(() => expect(calls).toEqual({ first: 3, second: 4 }));
  await wakeUp.close();
});
