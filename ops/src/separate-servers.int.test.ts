/**
 * A server that has only some of the schemas: no command that needs several takes it for the whole product.
 */

import { perSuite } from '@hookline/testing/per-suite';
import { createMigratedDatabase } from '@hookline/testing/service-harness';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { runOps } from './commands.ts';
import { allSchemas } from './target.ts';

const server = perSuite(createMigratedDatabase);
const admin = perSuite(() => new pg.Client({ connectionString: server.url }));

function run(url: string, ...args: string[]): Promise<boolean> {
  const ENCRYPTION_KEYS = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
  return runOps(args, { DATABASE_URL: url, ENCRYPTION_KEYS, KAFKA_BROKERS: '127.0.0.1:1' }, () => {});
}

beforeAll(async () => {
  await admin.connect();
});

const since = ['--since', '2026-11-21T09:00:00Z'];
const outboxes = ['content', 'scheduling', 'automation', 'analytics'];
const commands: [args: string[], needs: readonly string[]][] = [
  [['check-invariants'], allSchemas],
  [['close-after', ...since], allSchemas],
  [['republish', '--check', ...since], outboxes],
  [['dead-letters'], outboxes],
  [['rotate-keys'], outboxes],
];

describe.each(commands)('%j', (args, needs) => {
  it.each(needs)('is refused where %s is elsewhere', async schema => {
    await admin.query(`alter schema ${schema} rename to elsewhere`);
    try {
      await expect(run(server.url, ...args)).rejects.toThrow(
        `The database has no schema ${schema}: this command needs ${needs.join(', ')} in one database.`,
      );
    } finally {
      await admin.query(`alter schema elsewhere rename to ${schema}`);
    }
  });
});

describe('a command of one service', () => {
  it.each([
    ['scheduling', ['pause-sending', '--reason', 'test']],
    ['scheduling', ['resume-sending']],
    ['gateway', ['deletions']],
    ['analytics', ['detach-snapshots']],
    ['content', ['republish', '--service', 'content', '--check', ...since]],
  ])('works on the server of %s: %j', async (own, args) => {
    const others = allSchemas.filter(schema => schema !== own);
    for (const schema of others) await admin.query(`alter schema ${schema} rename to ${schema}_elsewhere`);
    try {
      expect(await run(server.url, ...args)).toBe(true);
    } finally {
      for (const schema of others) await admin.query(`alter schema ${schema}_elsewhere rename to ${schema}`);
    }
  });
});

it('for a database without any schema, the message says to migrate it', async () => {
  const empty = new URL(server.url);
  empty.pathname = '/postgres';
  await expect(run(empty.href, 'check-invariants')).rejects.toThrow('is not migrated');
});
