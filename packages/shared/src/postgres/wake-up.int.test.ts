import { createTestDatabase, type TestDatabase } from '@hookline/infra/test-databases';
import { testPostgresUrl } from '@hookline/infra/test-infra';
import { eventually } from '@hookline/testing/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLogger } from '../kernel/logger.ts';
import { type Database, openDatabase } from './db.ts';
import { openWakeUp } from './wake-up.ts';

const log = createLogger({ service: 'test', level: 'silent' });
let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase({ serverUrl: await testPostgresUrl() });
  db = openDatabase({ url: database.url, connectionsMax: 1, name: 'test', log });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

it('leaves no connection behind that could not listen', async () => {
  let failures = 0;
  const counting = { ...log, debug: () => (failures += 1) } as never;
  const wakeUp = openWakeUp(database.url, 'wake-up-test', ['listening to two words'], counting);
  await eventually(() => expect(failures).toBeGreaterThanOrEqual(2));
  await wakeUp.close();
  await eventually(async () => {
    const open = await db.query(`select 1 from pg_stat_activity where application_name = 'wake-up-test'`);
    expect(open).toEqual([]);
  });
});
