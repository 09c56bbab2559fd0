import { createTestDatabase } from '@hookline/infra/test-databases';
import { testPostgresUrl } from '@hookline/infra/test-infra';
import { openTestDatabase } from '@hookline/testing/database';
import { perSuite } from '@hookline/testing/per-suite';
import { afterEach, expect, it, vi } from 'vitest';
import { createLogger } from '../kernel/logger.ts';
import { startDatabaseClock } from './database-clock.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const realNow = Date.now.bind(Date);
const fiveMinutesMs = 300_000;
const database = perSuite(async () => createTestDatabase({ serverUrl: await testPostgresUrl() }));
const db = perSuite(() => openTestDatabase(database.url, 2));

afterEach(() => {
  vi.restoreAllMocks();
});

it('gives the time of the database, however wrong the machine is and whenever it steps', async () => {
  vi.spyOn(Date, 'now').mockImplementation(() => realNow() + fiveMinutesMs);
  const clock = await startDatabaseClock(db, log);
  const isRight = (): boolean => Math.abs(clock.now().getTime() - realNow()) < 500;
  expect(isRight()).toBe(true);
  vi.spyOn(Date, 'now').mockImplementation(() => realNow() - fiveMinutesMs);
  expect(isRight()).toBe(true);
  clock.stop();
});

it('goes by the machine while the database does not answer, or not in time', async () => {
  const away = { query: () => Promise.reject(new Error('away')) };
  const slow = {
    async query<Row>() {
      await new Promise(resolve => setTimeout(resolve, 300));
      return [{ atMs: 0 }] as Row[];
    },
  };
  for (const sql of [away, slow]) {
    const clock = await startDatabaseClock(sql, log);
    expect(Math.abs(clock.now().getTime() - realNow())).toBeLessThan(10_000);
    clock.stop();
  }
});

it('is not steady from a jump of the database until it is back, whatever the machine does', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  let jumpedMs = 0;
  const sql = { query: async <Row>() => [{ atMs: realNow() + jumpedMs }] as Row[] };
  const clock = await startDatabaseClock(sql, log);
  const isSteadyAfter = async (ms: number): Promise<boolean> => {
    jumpedMs = ms;
    await vi.advanceTimersByTimeAsync(10_000);
    return clock.isSteady();
  };
  expect(await isSteadyAfter(29_000)).toBe(true);
  expect(await isSteadyAfter(29_000 + fiveMinutesMs)).toBe(false);
  expect(Math.abs(clock.aheadMs() - 29_000 - fiveMinutesMs)).toBeLessThan(500);
  expect(await isSteadyAfter(29_000 + fiveMinutesMs)).toBe(false);
  expect(await isSteadyAfter(0)).toBe(true);
  vi.spyOn(Date, 'now').mockImplementation(() => realNow() - fiveMinutesMs);
  expect(await isSteadyAfter(0)).toBe(true);
  vi.restoreAllMocks();
  expect(await isSteadyAfter(0)).toBe(true);
  // After a suspension the database and the wall clock are ahead of the monotonic one.
  vi.spyOn(Date, 'now').mockImplementation(() => realNow() + fiveMinutesMs);
  expect(await isSteadyAfter(fiveMinutesMs)).toBe(true);
  clock.stop();
  vi.useRealTimers();
});
