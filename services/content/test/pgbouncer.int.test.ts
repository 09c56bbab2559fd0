import { testPgBouncerUrl } from '@hookline/infra/test-infra';
import { ConfigurationError } from '@hookline/shared/kernel';
import { eventually } from '@hookline/testing/eventually';
import { createMigratedDatabase, testCaller } from '@hookline/testing/service-harness';
import { describe, expect, it } from 'vitest';
import { startContent } from './world.ts';

const poolers = {
  session: await testPgBouncerUrl('session'),
  transaction: await testPgBouncerUrl('transaction'),
};

/** A migrated database whose roles sign in through the pooler. */
async function pooledDatabase(pooler: keyof typeof poolers) {
  const database = await createMigratedDatabase();
  return {
    ...database,
    roleUrl(role: string) {
      const url = new URL(database.roleUrl(role));
      url.port = new URL(poolers[pooler] as string).port;
      return url.href;
    },
  };
}

describe.skipIf(poolers.session === null)('behind PgBouncer', () => {
  it('behind PgBouncer with sessions a deck is made, and relay and bus carry its events', {
    timeout: 60_000,
  }, async () => {
    const database = await pooledDatabase('session');
    const under = await startContent({ database });
    try {
      const deck = await under.readyDeck(testCaller());
      const types = () => under.service.published.filter(({ key }) => key === deck.id).length;
      await eventually(() => expect(types()).toBeGreaterThan(0), 15_000);
    } finally {
      await under.stop();
      await database.drop();
    }
  });

  it('the service refuses to start behind PgBouncer with transactions', async () => {
    const database = await pooledDatabase('transaction');
    // Connects the test's bus directly: it is not what the pooler refuses.
    const direct = await createMigratedDatabase();
    const mixed = {
      ...direct,
      roleUrl: (role: string) => (role === 'bus' ? direct.roleUrl(role) : database.roleUrl(role)),
    };
    await expect(startContent({ database: mixed })).rejects.toThrow(ConfigurationError);
    await database.drop();
    await direct.drop();
  });
});
