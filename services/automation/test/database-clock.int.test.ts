import { setTimeout as delay } from 'node:timers/promises';
import { dayMs } from '@hookline/shared/kernel/durations';
import { openTestDatabase } from '@hookline/testing/database';
import { perSuite } from '@hookline/testing/per-suite';
import { createMigratedDatabase, startTestService, testCaller } from '@hookline/testing/service-harness';
import { expect, it } from 'vitest';
import { automation } from '../src/service.ts';
import { startPeerDoubles } from './peer-doubles.ts';

const caller = testCaller();
const peers = perSuite(startPeerDoubles);
const database = perSuite(createMigratedDatabase);
const admin = perSuite(() => openTestDatabase(database.url, 1));

it('no slot is settled by a clock of the database that jumped', async () => {
  await admin.query(`create table automation.jump as select interval '0' as ahead`);
  await admin.query(`grant select on automation.jump to automation`);
  await admin.query(`create function automation.clock_timestamp() returns timestamptz language sql
    as 'select pg_catalog.clock_timestamp() + ahead from automation.jump'`);
  await admin.query(
    `do $$ begin execute format('alter role automation in database %I set search_path to automation, pg_catalog',
       current_database()); end $$`,
  );
  peers.addApp(caller.accountId, 'product_mine');
  peers.addAccount(caller.accountId, 'account_mine');
  const env = { ...peers.env, PUBLIC_URL: 'http://localhost:8080' };
  const service = await startTestService(automation, { env, database });
  const time = new Date(Date.now() + dayMs / 2).toISOString().slice(11, 16);
  const body = {
    ...{ appId: 'product_mine', tiktokAccountId: 'account_mine', format: 'slideshow' },
    postingTimes: [{ time, days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] }],
  };
  const made = await service.call('POST', '/v1/automations', { caller, body });
  const { id, nextFireAt } = (made.body as { data: { id: string; nextFireAt: string } }).data;
  await admin.query(`update automation.jump set ahead = interval '3 days'`);
  // The service reads the clock every 10 s, and looks for due slots every 2 s.
  await delay(13_000);
  const rows = await service.db.query('select next_fire_at as at from automations where id = $1', [id]);
  expect(rows).toEqual([{ at: new Date(nextFireAt) }]);
  await service.stop();
}, 30_000);
