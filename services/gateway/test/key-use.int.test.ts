/** Several gateways write the last use of the same keys concurrently. */
import { randomBytes } from 'node:crypto';
import { type Database, openDatabase } from '@hookline/shared/postgres';
import { perSuite } from '@hookline/testing/per-suite';
import { createMigratedDatabase } from '@hookline/testing/service-harness';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findApiKey, insertApiKey, touchLastUsed } from '../src/identity/keys/queries.ts';
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
