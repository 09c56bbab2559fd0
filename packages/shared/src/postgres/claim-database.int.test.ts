import { randomBytes } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@hookline/infra/test-databases';
import { testPostgresUrl } from '@hookline/infra/test-infra';
import { eventually } from '@hookline/testing/eventually';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimDatabase } from './claim-database.ts';

// A role belongs to the whole server: a name of its own keeps other test files out of it.
const role = `claim_test_${randomBytes(4).toString('hex')}`;
let database: TestDatabase;
let lost: string[];
const releases: (() => Promise<void>)[] = [];

beforeEach(async () => {
  database = await createTestDatabase({ serverUrl: await testPostgresUrl() });
  lost = [];
});
afterEach(async () => {
  for (const release of releases.splice(0)) await release();
  await query(`drop role if exists ${role}`);
  await database.drop();
});

async function query(text: string): Promise<{ pid: number }[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query(text).finally(() => client.end());
  return rows;
}

const held = `from pg_locks where locktype = 'advisory' and objid = 7215002 and granted
  and database = (select oid from pg_database where datname = current_database())`;

async function claim(password = 'ours', adminUrl = database.url): Promise<() => Promise<void>> {
  const own = new URL(database.url);
  own.username = role;
  own.password = password;
  const release = await claimDatabase({
    adminUrl,
    ownUrl: own.href,
    secretsFile: '/data/secrets.json',
    onLost: reason => lost.push(reason),
  });
  releases.push(release);
  return release;
}

describe('claimDatabase', () => {
  it('refuses a second product until the first has released it', async () => {
    const release = await claim();
    await expect(claim()).rejects.toThrow(/^Another Hookline runs on the database of DATABASE_URL: stop it/);
    await release();
    await claim();
  });

  it('names the setting when there is no such database', async () => {
    await expect(claim('ours', `${database.url}_none`)).rejects.toThrow(
      /^The database of DATABASE_URL cannot be used: database "\w+_none" does not exist\.$/,
    );
  });

  it('takes the database again after its connection was cut', async () => {
    await claim();
    const [before] = await query(`select pid, pg_terminate_backend(pid) ${held}`);
    await eventually(async () => {
      const [now] = await query(`select pid ${held}`);
      expect(now?.pid ?? before?.pid).not.toBe(before?.pid);
    });
    await expect(claim()).rejects.toThrow(/^Another Hookline/);
    expect(lost).toEqual([]);
  });

  it('says so once when another took it while the connection was cut', async () => {
    await claim();
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    const taken = other.query('select pg_advisory_lock(7215002)');
    await query(`select pg_terminate_backend(pid) ${held}`);
    await taken;
    await eventually(() => expect(lost).toEqual([expect.stringMatching(/^Another Hookline/)]));
    await other.end();
  });

  it('refuses a server whose role has another password, and changes nothing there', async () => {
    await query(`create role ${role} login password 'theirs'`);
    await expect(claim()).rejects.toThrow(
      new RegExp(`its role "${role}" has another password than in /data/secrets\\.json`),
    );
    await claim('theirs');
  });
});
