import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createTestDatabase, withDatabase } from '@hookline/infra/test-databases';
import { testPgBouncerUrl, testPostgresUrl } from '@hookline/infra/test-infra';
import type { StatementCounts } from '@hookline/testing/ask-statements';
import { openTestDatabase } from '@hookline/testing/database';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { createMigratedDatabase } from '@hookline/testing/service-harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPostgresLogBus } from '../bus/postgres-log/bus.ts';
import { ConfigurationError } from '../kernel/config.ts';
import { createLogger } from '../kernel/logger.ts';
import type { Database } from './db.ts';
import { migrateAll } from './migrate.ts';
import { requireSessions } from './session-probe.ts';
import { openWakeUp } from './wake-up.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const sessionUrl = await testPgBouncerUrl('session');
const transactionUrl = await testPgBouncerUrl('transaction');

const database = perSuite(async () => createTestDatabase({ serverUrl: await testPostgresUrl() }));
const through = (pooler: string | null): string => withDatabase(pooler as string, database.name);

/** Two processes that use the statements in different orders. */
async function askFromTwoProcesses(url: string): Promise<StatementCounts> {
  const script = new URL('../../../testing/src/ask-statements.ts', import.meta.url).pathname;
  const runs = ['ab', 'ba'].map(order => promisify(execFile)(process.execPath, [script, url, order]));
  const counts = (await Promise.all(runs)).map(run => JSON.parse(run.stdout) as StatementCounts);
  const sum = (kind: keyof StatementCounts): number => counts.reduce((total, one) => total + one[kind], 0);
  return { right: sum('right'), wrong: sum('wrong'), failed: sum('failed') };
}

it('accepts Postgres itself, also from several processes that start at once', async () => {
  await Promise.all(Array.from({ length: 8 }, (_, nth) => requireSessions(database.url, `test ${nth}`)));
});

describe.skipIf(sessionUrl === null)('PgBouncer that pools sessions', () => {
  let db: Database;

  beforeAll(() => {
    db = openTestDatabase(through(sessionUrl), 3);
  });
  afterAll(() => db.close());

  it('is accepted', async () => {
    await Promise.all(Array.from({ length: 4 }, () => requireSessions(through(sessionUrl), 'test')));
  });

  it('gives every connection its time limits', async () => {
    const limits = async (): Promise<unknown> =>
      await db.transaction(tx =>
        Promise.all([
          tx.query('show statement_timeout'),
          tx.query('show idle_in_transaction_session_timeout'),
        ]),
      );
    for (const seen of await Promise.all([limits(), limits(), limits()])) {
      expect(seen).toEqual([
        [{ statement_timeout: '10s' }],
        [{ idle_in_transaction_session_timeout: '15s' }],
      ]);
    }
  });

  it('answers two processes correctly, in whatever order they send the statements', async () => {
    expect(await askFromTwoProcesses(through(sessionUrl))).toEqual({ right: 1204, wrong: 0, failed: 0 });
  });

  it('carries wake-ups', async () => {
    const wakeUp = openWakeUp(db.connectionString, 'test', log);
    let times = 0;
    wakeUp.on('pooled', () => {
      times += 1;
    });
    await eventually(() => expect(times).toBe(1));
    await db.transaction(async tx => tx.notifyAfterCommit('pooled'));
    await eventually(() => expect(times).toBe(2));
    await wakeUp.close();
  });

  it('carries the bus: one consumer holds the lock, and another takes over when it closes', async () => {
    const migrated = await createMigratedDatabase();
    const busUrl = new URL(migrated.roleUrl('bus'));
    busUrl.port = new URL(sessionUrl as string).port;
    const opened = [1, 2].map(() => {
      const pool = openTestDatabase(busUrl.href, 3);
      return {
        pool,
        bus: createPostgresLogBus({ database: pool, log, pollMs: 300 }),
        received: [] as string[],
      };
    });
    try {
      await opened[0]?.bus.ensureTopics(['pooled']);
      for (const { bus, received } of opened) {
        const handler = async ({ value }: { value: string }): Promise<void> => void received.push(value);
        await bus.subscribe({ group: 'test.pooled', topics: ['pooled'], handler });
      }
      const [one, other] = opened as [(typeof opened)[0], (typeof opened)[0]];
      await one.bus.publish([{ topic: 'pooled', key: 'k', value: 'first', headers: {} }]);
      await eventually(() => expect([...one.received, ...other.received]).toEqual(['first']));
      const [holder, standby] = one.received.length > 0 ? [one, other] : [other, one];
      await holder.bus.close();
      await standby.bus.publish([{ topic: 'pooled', key: 'k', value: 'second', headers: {} }]);
      await eventually(() => expect(standby.received).toEqual(['second']));
      await standby.bus.close();
    } finally {
      for (const { pool } of opened) await pool.close();
      await migrated.drop();
    }
  });
});

describe.skipIf(transactionUrl === null)('PgBouncer that pools transactions', () => {
  it('is refused in one sentence, idle or busy, and answers no statement with the result of another', {
    timeout: 60_000,
  }, async () => {
    const refused = (): Promise<void> =>
      expect(requireSessions(through(transactionUrl), 'content')).rejects.toThrow(ConfigurationError);
    await refused();
    // Statements fail for those it did not refuse, and none gets the answer to another.
    const busy = askFromTwoProcesses(through(transactionUrl));
    await Promise.all(Array.from({ length: 6 }, refused));
    const { right, wrong, failed } = await busy;
    expect([right + failed, wrong]).toEqual([1204, 0]);
    await expect(requireSessions(through(transactionUrl), 'content')).rejects.toThrow(
      /^DATABASE_URL of content leads to a pooler of transactions [^.]*pool_mode = session\), or name Postgres itself\.$/,
    );
  });

  it('is refused before a migration', async () => {
    await expect(migrateAll({ adminUrl: through(transactionUrl), passwords: {}, sets: [] })).rejects.toThrow(
      ConfigurationError,
    );
  });
});
