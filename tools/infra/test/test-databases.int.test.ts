import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../src/test-databases.ts';
import { testPostgresUrl } from '../src/test-infra.ts';

const serverUrl = await testPostgresUrl();
const databases: TestDatabase[] = [];
let preparations = 0;

async function prepare(url: string): Promise<void> {
  preparations += 1;
  await run(url, 'create table notes (line text)');
}

async function run(url: string, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}

async function create(template = 'notes'): Promise<TestDatabase> {
  const database = await createTestDatabase({ serverUrl, template, prepare });
  databases.push(database);
  return database;
}

afterAll(() => Promise.all(databases.map(database => database.drop())));

describe('createTestDatabase', () => {
  it('prepares the template once and clones it for everybody who asks at the same time', async () => {
    const [first, second] = await Promise.all([create(), create(), create()]);
    expect(preparations).toBe(1);
    await run(first!.url, `insert into notes values ('mine')`);
    expect((await run(second!.url, 'select * from notes')).rowCount).toBe(0);
  });

  it('prepares again when the first preparation failed', async () => {
    const broken = createTestDatabase({
      serverUrl,
      template: 'fails-first',
      prepare: () => Promise.reject(new Error('migration 7 failed')),
    });
    await expect(broken).rejects.toThrow('migration 7 failed');
    const database = await create('fails-first');
    expect((await run(database.url, 'select * from notes')).rowCount).toBe(0);
  });

  it('drops a database that still has connections, and does not mind a second drop', async () => {
    const database = await create();
    const client = new pg.Client({ connectionString: database.url });
    const cut = new Promise(resolve => client.on('error', resolve));
    await client.connect();
    await database.drop();
    await cut;
    await database.drop();
    const { rows } = await run(serverUrl, `select 1 from pg_database where datname = '${database.name}'`);
    expect(rows).toEqual([]);
  });
});
