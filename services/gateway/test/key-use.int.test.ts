/** Several gateways write the last use of the same keys concurrently. */
import { randomBytes } from 'node:crypto';
import { type Database, openDatabase } from '@hookline/shared/postgres';
import { lockWaits } from '@hookline/testing/database';
import { perSuite } from '@hookline/testing/per-suite';
import { createMigratedDatabase } from '@hookline/testing/service-harness';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  findApiKey,
  insertApiKey,
  markRevoked,
  markRevokedIn,
  markRevokedOf,
  touchLastUsed,
} from '../src/identity/keys/queries.ts';
import { deleteSessionsIn, deleteSessionsOf, insertSession } from '../src/identity/sessions/queries.ts';
import { silent } from './world.ts';

const database = perSuite(createMigratedDatabase);
let gateways: Database[];
const ids = Array.from({ length: 400 }, (_, index) => `key_${String(index).padStart(3, '0')}`);
const now = new Date('2026-11-22T09:00:00.000Z');

beforeAll(async () => {
  gateways = [1, 2, 3].map(nth =>
    openDatabase({
      url: database.roleUrl('gateway'),
      connectionsMax: 2,
      name: `gateway ${nth}`,
      log: silent,
    }),
  );
  for (const id of ids) {
    await insertApiKey(gateways[0]!, {
      ...{ id, accountId: 'acct_1', name: 'test', prefix: 'hl', scopes: ['apps:read'], expiresAt: null, now },
      keyHash: randomBytes(32),
      createdBy: 'user_1',
    });
  }
});
afterAll(async () => {
  await Promise.all(gateways.map(gateway => gateway.close()));
});

it('writes in any order without a deadlock, and never backwards', async () => {
  const orders = [ids, ids.toReversed(), [...ids.slice(200), ...ids.slice(0, 200)]];
  const faults: unknown[] = [];
  await Promise.all(
    gateways.map(async (gateway, nth) => {
      const order = orders[nth] ?? ids;
      for (let round = 0; round < 20; round += 1) {
        const usedAt = order.map(() => new Date(now.getTime() + round));
        await touchLastUsed(gateway, 'api_keys', order, usedAt).catch(error => faults.push(error.code));
      }
    }),
  );
  const [stats] = await gateways[0]!.query<{ deadlocks: number }>(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  );
  expect([faults, stats?.deadlocks]).toEqual([[], 0]);
  for (const id of [ids[0], ids[399]]) {
    expect((await findApiKey(gateways[0]!, id ?? ''))?.lastUsedAt).toEqual(new Date(now.getTime() + 19));
  }
}, 120_000);

const [accountId, userId] = ['acct_2', 'user_2'];
const later = new Date(now.getTime() + 1_000);
const newSession = (id: string) => ({
  ...{ id, userId, accountId, tokenHash: randomBytes(32), client: null, now },
  expiresAt: later,
});

it.each([
  ['sessions', 'all are ended', sql => deleteSessionsOf(sql, userId, null)],
  ['sessions', 'those in a workspace are ended', sql => deleteSessionsIn(sql, accountId, userId)],
  ['sessions', 'one is opened', sql => insertSession(sql, { ...newSession('session_new'), now: later })],
  ['api_keys', 'they are revoked', sql => markRevoked(sql, ['key_c', 'key_b', 'key_a'], now)],
  ['api_keys', 'those of a person are revoked', sql => markRevokedOf(sql, { accountId, userId }, now)],
  ['api_keys', 'those of a workspace are revoked', sql => markRevokedIn(sql, accountId, now)],
] as ['api_keys' | 'sessions', string, (sql: Database) => Promise<unknown>][])(
  'the use of %s is written while %s, without a deadlock',
  async (table, _, end) => {
    const [one, other] = [gateways[0]!, gateways[1]!];
    await one.query(`delete from ${table}`);
    const made = ['c', 'b', 'a'].map(letter => `${table === 'sessions' ? 'session' : 'key'}_${letter}`);
    for (const id of made) {
      if (table === 'sessions') await insertSession(one, newSession(id));
      else
        await insertApiKey(one, {
          ...{ id, accountId, name: 'test', prefix: 'hl', scopes: ['apps:read'], expiresAt: null, now },
          ...{ keyHash: randomBytes(32), createdBy: userId },
        });
    }
    const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = gateways[2]!.transaction(async tx => {
      await tx.query(`select 1 from ${table} where id = $1 for update`, [made[1]]);
      held.resolve();
      await released.promise;
    });
    await held.promise;
    const writing = touchLastUsed(
      other,
      table,
      made,
      made.map(() => now),
    );
    await lockWaits(one);
    const ending = end(one);
    await lockWaits(one, 2);
    released.resolve();
    expect((await Promise.allSettled([holding, writing, ending])).map(({ status }) => status)).toEqual(
      Array.from({ length: 3 }, () => 'fulfilled'),
    );
  },
);
