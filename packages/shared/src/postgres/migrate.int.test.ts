import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '@hookline/infra/test-databases';
import { testPostgresUrl } from '@hookline/infra/test-infra';
import { eventually } from '@hookline/testing/eventually';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type MigrationSet, migrateAll, missingMigrations } from './migrate.ts';

// A role belongs to the whole server: use a separate one, so that no other test file is affected.
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

function write(path: string, sql: string, kind = 'additive'): Promise<void> {
  return writeFile(join(folder, path), `-- ${kind}\n${sql}\n`);
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

  it('says that it waits for another starter', async () => {
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    await other.query('select pg_advisory_lock(7215001)');
    const reasons: string[] = [];
    const onWait = (reason: string) => reasons.push(reason);
    const done = migrateAll({ adminUrl: database.url, passwords, sets: [set], onWait });
    await eventually(() => expect(reasons).toEqual(['another process migrates it']));
    await other.end();
    expect(await done).toEqual([{ schema, applied: both }]);
  });

  it('of several databases of one server at once makes the role they share', async () => {
    const shared = `${schema}_shared`;
    const databases = await Promise.all(Array.from({ length: 6 }, () => createTestDatabase({ serverUrl })));
    const sets = [{ schema: shared, folders: set.folders }];
    const runs = databases.map(({ url }) =>
      migrateAll({ adminUrl: url, passwords: { [shared]: 'secret' }, sets }),
    );
    const results = await Promise.allSettled(runs);
    for (const { drop } of databases) await drop();
    await query(serverUrl, `drop role if exists ${shared}`);
    expect(results.filter(({ status }) => status === 'rejected')).toEqual([]);
  });

  it('waits for a lock only in short turns, so that nobody is held up behind it', async () => {
    await migrate();
    await write('second/0002_more.sql', 'alter table marks add at timestamptz;');
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query(`begin; select * from ${schema}.marks`);
    const migrated = migrate();
    const waitsMs: number[] = [];
    // Several turns long; each of these reads would wait for the holder if the migration were queued before
    // it.
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

describe('a file without a transaction', () => {
  const name = 'second/0002_by_note.sql';
  const build = 'create index concurrently if not exists marks_by_note on marks (note);';
  const writeAlone = (sql: string) => write(name, sql, 'additive, no transaction');
  const indexes = () =>
    query(
      database.url,
      `select indisvalid as valid from pg_index where indexrelid = to_regclass('${schema}.marks_by_note')`,
    );

  beforeEach(async () => {
    await migrate();
    await query(
      database.url,
      `insert into ${schema}.notes values (1), (2); insert into ${schema}.marks values (1), (2), (2)`,
    );
  });

  it('builds an index during reads and writes, and is recorded', async () => {
    await writeAlone(build);
    expect(await migrate()).toEqual([{ schema, applied: [name] }]);
    expect(await indexes()).toEqual([{ valid: true }]);
    expect(await migrate()).toEqual([{ schema, applied: [] }]);
  });

  it('from three starters at once is built once, and none waits for another for ever', async () => {
    await writeAlone(build);
    const results = await Promise.all([migrate(), migrate(), migrate()]);
    expect(results.flat().filter(one => one.applied.length > 0)).toHaveLength(1);
    expect(await indexes()).toEqual([{ valid: true }]);
  });

  it('killed in the middle of a build leaves an invalid index, which the next run drops and builds again', async () => {
    await writeAlone(build);
    // A build waits for everyone who may still see the old table.
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('begin isolation level repeatable read; select 1');
    const starter = startApart();
    await eventually(async () => expect(await indexes()).toEqual([{ valid: false }]), 10_000);
    const killed = new Promise(resolve => starter.once('exit', (_, signal) => resolve(signal)));
    starter.kill('SIGKILL');
    expect(await killed).toBe('SIGKILL');
    await eventually(async () => expect(await startersAtWork()).toBe(0), 10_000);
    expect(await indexes()).toEqual([{ valid: false }]);
    await holder.query('commit');
    await holder.end();
    expect(await migrate()).toEqual([{ schema, applied: [name] }]);
    expect(await indexes()).toEqual([{ valid: true }]);
  });

  it('killed between a build and its record is recorded by the next run', async () => {
    await writeAlone(build);
    await migrate();
    await query(database.url, `delete from ${schema}.migrations where name = '${name}'`);
    expect(await migrate()).toEqual([{ schema, applied: [name] }]);
    expect(await indexes()).toEqual([{ valid: true }]);
  });

  it('that fails leaves no index behind that would go on refusing rows', async () => {
    await writeAlone(build.replace('create index', 'create unique index'));
    await expect(migrate()).rejects.toThrow(/0002_by_note\.sql failed: could not create unique index/);
    expect(await indexes()).toEqual([]);
    await query(database.url, `insert into ${schema}.marks values (2)`);
  });

  it('drops an index, killed before or not', async () => {
    await writeAlone(build);
    await migrate();
    await write(
      'second/0003_drop.sql',
      'drop index concurrently if exists marks_by_note;',
      'contract, no transaction',
    );
    await migrate();
    expect(await indexes()).toEqual([]);
    await query(database.url, `delete from ${schema}.migrations where name like '%drop.sql'`);
    await expect(migrate()).resolves.toEqual([{ schema, applied: ['second/0003_drop.sql'] }]);
  });

  it('fills a column in batches that commit', async () => {
    await writeAlone(
      `do $$ begin
         loop
           update marks set note = 1 where ctid = (select ctid from marks where note = 2 limit 1);
           exit when not found;
           commit;
         end loop;
       end $$;`,
    );
    await migrate();
    expect(await query(database.url, `select distinct note from ${schema}.marks`)).toEqual([{ note: 1 }]);
  });

  it.each([
    [
      'what cannot be run again',
      'create index concurrently marks_by_note on marks (note);',
      /must be one "create/,
    ],
    ['an index that holds up writers', 'create index marks_by_note on marks (note);', /must be one "create/],
    ['two statements', `${build} ${build}`, /cannot insert multiple commands/],
  ])('refuses %s', async (_, sql, sentence) => {
    await writeAlone(sql);
    await expect(migrate()).rejects.toThrow(sentence);
    expect(await indexes()).toEqual([]);
  });

  /** A starter that can be killed. */
  function startApart(): ChildProcess {
    const options = JSON.stringify({ adminUrl: database.url, passwords, sets: [set] });
    const file = new URL('./migrate.ts', import.meta.url).href;
    return spawn(process.execPath, [
      '--input-type=module',
      '--eval',
      `import { migrateAll } from ${JSON.stringify(file)}; await migrateAll(${options});`,
    ]);
  }

  async function startersAtWork(): Promise<number> {
    return (
      await query(
        database.url,
        `select from pg_stat_activity where datname = current_database() and application_name = 'hookline migrate'`,
      )
    ).length;
  }
});

describe('the first line of a file', () => {
  it('must say what it is', async () => {
    await write('second/0002_more.sql', 'select 1;', 'breaking');
    await expect(migrate()).rejects.toThrow(
      'The migration second/0002_more.sql must begin with "-- additive" or "-- contract".',
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
