import { createTestDatabase } from '@hookline/infra/test-databases';
import { testPostgresUrl } from '@hookline/infra/test-infra';
import { type CutProxy, startCutProxy } from '@hookline/testing/cut-at';
import { openTestDatabase } from '@hookline/testing/database';
import { eventually } from '@hookline/testing/eventually';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { CommitUnknownError } from './commit-unknown.ts';
import { type Database, isConnectionError } from './db.ts';

let direct: Database;
let db: Database;
let proxy: CutProxy;
let drop: () => Promise<void>;

beforeAll(async () => {
  const database = await createTestDatabase({ serverUrl: await testPostgresUrl() });
  drop = database.drop;
  const url = new URL(database.url);
  proxy = await startCutProxy({ host: url.hostname, port: Number(url.port) });
  direct = openTestDatabase(url.href, 2);
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  db = openTestDatabase(url.href, 2);
  await direct.query('create table notes (id int primary key deferrable initially deferred)');
});

beforeEach(() => proxy.disarm());

afterAll(async () => {
  await db.close();
  await direct.close();
  await proxy.close();
  await drop();
});

const add = (id: number) =>
  db.transaction(async tx => {
    await tx.query('insert into notes (id) values ($1)', [id]);
  });
const has = async (id: number): Promise<boolean> =>
  (await direct.query('select from notes where id = $1', [id])).length > 0;

/** Drops the connection at the answer to the statement, which the server has executed. */
function loseAnswerTo(statement: string): void {
  let isAsked = false;
  proxy.arm(({ from, bytes }) => {
    if (from === 'client') isAsked ||= bytes.includes(statement);
    return from === 'server' && isAsked ? 0 : null;
  });
}

it('a commit whose answer is lost is neither done nor failed', async () => {
  loseAnswerTo('commit');
  const error = await add(1).catch(caught => caught);
  expect(error).toBeInstanceOf(CommitUnknownError);
  // Consumers and workers keep retrying, as after any lost connection.
  expect(isConnectionError(error)).toBe(true);
  expect(await has(1)).toBe(true);
});

it('a commit that never arrived reads the same', async () => {
  proxy.arm(({ from, bytes }) => (from === 'client' && bytes.includes('commit') ? 0 : null));
  await expect(add(2)).rejects.toBeInstanceOf(CommitUnknownError);
  await eventually(async () => expect(await has(2)).toBe(false));
});

it('so is a single statement that commits by itself, and no read', async () => {
  loseAnswerTo('insert into');
  await expect(db.query('insert into notes (id) values (3)')).rejects.toBeInstanceOf(CommitUnknownError);
  expect(await has(3)).toBe(true);
  loseAnswerTo('select 3');
  await expect(db.query('select 3')).rejects.not.toBeInstanceOf(CommitUnknownError);
});

it('a connection lost before the commit has changed nothing for certain', async () => {
  loseAnswerTo('insert into');
  const error = await add(4).catch(caught => caught);
  expect(error).not.toBeInstanceOf(CommitUnknownError);
  expect(isConnectionError(error)).toBe(true);
  expect(await has(4)).toBe(false);
});

it('a commit that Postgres refuses is a failure', async () => {
  await add(5);
  await expect(add(5)).rejects.toMatchObject({ code: '23505' });
});

it('a write that found no connection is a failure', async () => {
  const url = new URL(direct.connectionString);
  url.port = '1';
  const away = openTestDatabase(url.href, 1);
  await expect(away.query('insert into notes (id) values (6)')).rejects.toMatchObject({
    code: 'ECONNREFUSED',
  });
  await away.close();
});
