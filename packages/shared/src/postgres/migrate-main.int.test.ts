import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTestDatabase, type TestDatabase } from '@hookline/infra/test-databases';
import { testPostgresUrl } from '@hookline/infra/test-infra';
import { perSuite } from '@hookline/testing/per-suite';
import { createMigratedDatabase } from '@hookline/testing/service-harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrationSets } from './migrate.ts';

const entry = fileURLToPath(new URL('./migrate-main.ts', import.meta.url));
const roles = migrationSets.map(set => set.schema);
const execute = promisify(execFile);

let database: TestDatabase;
const migrated = perSuite(createMigratedDatabase);
let passwords: string;

beforeAll(async () => {
  // Roles belong to the whole server, so the password must be the one that other test files use.
  passwords = roles.map(role => `${role}:${new URL(migrated.roleUrl(role)).password}`).join(',');
  database = await createTestDatabase({ serverUrl: await testPostgresUrl() });
});
afterAll(async () => {
  await database.drop();
});

type Outcome = { code: number; stdout: string; stderr: string };

async function migrate(env: Record<string, string>): Promise<Outcome> {
  const run = execute(process.execPath, [entry, '--wait', '0'], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
    timeout: 20_000,
  });
  return await run.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: Outcome) => error,
  );
}

describe('npm run migrate', () => {
  it('makes every schema of an empty database and prints a line for each; a second run finds nothing to do', async () => {
    const env = { DATABASE_URL: database.url, DATABASE_ROLE_PASSWORDS: passwords };
    const first = await migrate(env);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    const lines = first.stdout.trim().split('\n');
    expect(lines.map(line => line.split(':')[0])).toEqual(roles);
    expect(lines.every(line => /: \d+ applied \(.+\.sql\)$/.test(line))).toBe(true);
    const second = await migrate({ DATABASE_URL: database.url });
    expect(second).toMatchObject({ code: 0, stdout: roles.map(role => `${role}: up to date\n`).join('') });
  });

  it.each([
    ['DATABASE_URL is not set', {}, /^hookline migrate: DATABASE_URL must be set: .+\.\n$/],
    [
      'DATABASE_URL is not an address',
      { DATABASE_URL: 'localhost' },
      /DATABASE_URL must be a URL \(postgres/,
    ],
    ['an entry has no colon', { DATABASE_ROLE_PASSWORDS: 'content:hidden1,hidden2' }, /entry 2 is not/],
    [
      'a role is unknown',
      { DATABASE_ROLE_PASSWORDS: 'contents:hidden1' },
      /"contents", which is none of bus, /,
    ],
    ['a role is named twice', { DATABASE_ROLE_PASSWORDS: 'bus:hidden1,bus:hidden2' }, /"bus" twice/],
    [
      'the database is away',
      { DATABASE_URL: 'postgres://admin:hidden1@127.0.0.1:1/none' },
      /database at 127\.0\.0\.1:1 cannot be reached \(ECONNREFUSED\)/,
    ],
  ])('exit 1 and one sentence without a password when %s', async (_, env, sentence) => {
    const url = { DATABASE_URL: 'postgres://admin:hidden1@127.0.0.1:1/none' };
    const outcome = await migrate('DATABASE_ROLE_PASSWORDS' in env ? { ...url, ...env } : { ...env });
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(sentence);
    expect(outcome.stderr.trim().split('\n')).toHaveLength(1);
    expect(outcome.stderr).not.toContain('hidden');
  });

  it('exit 1 and one sentence when the role of DATABASE_URL may not make schemas', async () => {
    const outcome = await migrate({ DATABASE_URL: migrated.roleUrl('content') });
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toMatch(
      /^hookline migrate: DATABASE_URL must name a role that may make roles.+\n$/,
    );
  });
});
