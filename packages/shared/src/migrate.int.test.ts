import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '@hookline/infra/test-databases';
import { testPostgresUrl } from '@hookline/infra/test-infra';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type MigrationSet, migrateAll, missingMigrations } from './migrate.ts';

// A role belongs to the whole server: one of our own, so that no other test file is disturbed.
const schema = `migrate_test_${randomBytes(4).toString('hex')}`;
const passwords = { [schema]: 'secret' };

let serverUrl: string;
let folder: string;
let database: TestDatabase;
let set: MigrationSet;

beforeAll(async () => {
  serverUrl = await testPostgresUrl();
  folder = await mkdtemp(join(tmpdir(), 'hookline-migrate-'));
});
beforeEach(async () => {
  await database?.drop();
  database = await createTestDatabase({ serverUrl });
  await rm(folder, { recursive: true });
  set = { schema, folders: [join(folder, 'first'), join(folder, 'second')] };
  for (const path of set.folders) await mkdir(path, { recursive: true });
  await write('first/0001_notes.sql', 'create table notes (id int primary key);');
  await write('second/0001_marks.sql', 'create table marks (note int references notes);');
});
afterAll(async () => {
  await database.drop();
  await query(serverUrl, `drop role if exists ${schema}`);
  await rm(folder, { recursive: true });
});

function write(path: string, sql: string): Promise<void> {
  return writeFile(join(folder, path), `-- additive\n${sql}\n`);
}

function migrate() {
  return migrateAll({ adminUrl: database.url, passwords, sets: [set] });
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

const both = ['first/0001_notes.sql', 'second/0001_marks.sql'];
const names = () => query(database.url, `select name from ${schema}.migrations order by name`);

describe('migrateAll', () => {
  it('runs the folders in order, each file once; a second run does nothing', async () => {
    expect(await migrate()).toEqual([{ schema, applied: both }]);
    expect(await migrate()).toEqual([{ schema, applied: [] }]);
    expect(await names()).toEqual(both.map(name => ({ name })));
  });

  it('runs a file that was added', async () => {
    await migrate();
    await write('second/0002_more.sql', 'alter table marks add at timestamptz;');
    expect(await migrate()).toEqual([{ schema, applied: ['second/0002_more.sql'] }]);
  });

  it('from three starters at once runs each file once', async () => {
    const results = await Promise.all([migrate(), migrate(), migrate()]);
    const applied = results.map(([one]) => one?.applied.length);
    expect(applied.toSorted()).toEqual([0, 0, 2]);
    expect(await names()).toHaveLength(2);
  });

  it('waits for a lock only in short turns, so that nobody is held up behind it', async () => {
    await migrate();
    await write('second/0002_more.sql', 'alter table marks add at timestamptz;');
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query(`begin; select * from ${schema}.marks`);
    const migrated = migrate();
    const waitsMs: number[] = [];
    // Several turns long; each of these reads would wait for the holder if the migration stood before it.
    while (waitsMs.length < 8) {
      const beganMs = performance.now();
      await query(database.url, `select * from ${schema}.marks`);
      waitsMs.push(performance.now() - beganMs);
      await delay(150);
    }
    await holder.query('commit');
    await holder.end();
    expect(await migrated).toEqual([{ schema, applied: ['second/0002_more.sql'] }]);
    expect(Math.max(...waitsMs)).toBeLessThan(2_000);
  });

  it('refuses a file that was changed after it ran, by name', async () => {
    await migrate();
    await write('first/0001_notes.sql', 'create table notes (id bigint primary key);');
    await expect(migrate()).rejects.toThrow(
      `The migration ${schema}/first/0001_notes.sql was changed after it ran; add a new one.`,
    );
  });

  it('rolls a file back that fails, keeps those before it, and goes on once it is mended', async () => {
    await write('second/0001_marks.sql', 'create table marks (id int); select wrong;');
    await expect(migrate()).rejects.toThrow(/second\/0001_marks\.sql failed: column "wrong" does not exist/);
    expect(await names()).toEqual([{ name: both[0] }]);
    expect(await query(database.url, `select to_regclass('${schema}.marks') as found`)).toEqual([
      { found: null },
    ]);
    await write('second/0001_marks.sql', 'create table marks (id int);');
    expect(await migrate()).toEqual([{ schema, applied: [both[1]] }]);
  });

  it('gives the role its password, its search path and the right to rows of new tables', async () => {
    await migrate();
    await write('second/0002_more.sql', 'create table late (id bigint generated always as identity);');
    await migrate();
    const url = new URL(database.url);
    url.username = schema;
    url.password = passwords[schema] ?? '';
    await query(url.href, 'insert into late default values');
    expect(await query(url.href, 'select id::int from late')).toEqual([{ id: 1 }]);
    await expect(query(url.href, 'create table mine (id int)')).rejects.toThrow(/permission denied/);
    await expect(query(url.href, 'delete from migrations')).rejects.toThrow(/permission denied/);
  });

  it('a role that is to be made needs a password', async () => {
    const unknown = { ...set, schema: `${schema}_other` };
    await expect(migrateAll({ adminUrl: database.url, passwords, sets: [unknown] })).rejects.toThrow(
      `The role ${schema}_other is to be made, but no password is given for it.`,
    );
  });
});

describe('missingMigrations', () => {
  const sql = (schemaName: string) => ({
    query: async <Row>(text: string) =>
      (await query(`${database.url}?options=-c%20search_path%3D${schemaName}`, text)) as Row[],
  });

  it('names every file where nothing was applied, and of an unknown schema says so', async () => {
    const missing = await missingMigrations(sql('bus'), 'bus');
    expect(missing).toContain('bus/0001_log.sql');
    await expect(missingMigrations(sql('bus'), 'nowhere')).rejects.toThrow(/no migrations are known/);
  });

  it('is not silent about a database that refuses for another reason', async () => {
    const broken = { query: () => Promise.reject(Object.assign(new Error('denied'), { code: '42501' })) };
    await expect(missingMigrations(broken, 'bus')).rejects.toThrow('denied');
  });
});
