import { createTestDatabase } from '@hookline/infra/test-databases';
import { testPostgresUrl } from '@hookline/infra/test-infra';
import { eventually } from '@hookline/testing/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLogger } from '../kernel/logger.ts';
import { type Database, openDatabase, type Transaction } from './db.ts';
import { openDedicatedConnection } from './dedicated-connection.ts';

const lines: string[] = [];
let db: Database;
let drop: () => Promise<void>;

beforeAll(async () => {
  const database = await createTestDatabase({ serverUrl: await testPostgresUrl() });
  drop = database.drop;
  db = openDatabase({
    url: database.url,
    connectionsMax: 3,
    name: 'db test',
    log: createLogger({ service: 'test', destination: { write: line => lines.push(line) } }),
  });
  await db.query('create table notes (id int primary key, text text not null)');
});

afterAll(async () => {
  await db.close();
  await drop();
});

const insert = (tx: Transaction, id: number): Promise<unknown> =>
  tx.query('insert into notes (id, text) values ($1, $2)', [id, `note ${id}`]);
const ids = async (): Promise<number[]> =>
  (await db.query<{ id: number }>('select id from notes order by id')).map(row => row.id);

it('statements asked together run in that order, in one transaction', async () => {
  const seen = await db.transaction(async tx => {
    const [, rows] = await Promise.all([
      insert(tx, 1),
      tx.query<{ id: number }>('select id from notes where id = $1', [1]),
      insert(tx, 2),
    ]);
    return rows;
  });
  expect(seen).toEqual([{ id: 1 }]);
  expect(await ids()).toEqual([1, 2]);
});

it('of statements asked together the one that failed is reported, not those refused after it', async () => {
  // Its rejection passes through more functions than that of the next statement.
  const deeply = async (depth: number, ask: () => Promise<unknown>): Promise<unknown> =>
    depth === 0 ? await ask() : await deeply(depth - 1, ask);
  const failed = db.transaction(tx =>
    Promise.all([deeply(9, () => tx.query('select 1 / $1::int', [0])), tx.query('select 2')]),
  );
  await expect(failed).rejects.toMatchObject({ code: '22012' });
});

it('a snapshot reads one instant and writes nothing', async () => {
  const [before, after] = await db.snapshot(async sql => {
    const count = () => sql.query<{ notes: number }>('select count(*)::int as notes from notes');
    const first = await count();
    await db.query(`insert into notes (id, text) values (90, 'meanwhile')`);
    return [first, await count()];
  });
  expect(after).toEqual(before);
  await expect(db.snapshot(sql => sql.query('delete from notes'))).rejects.toMatchObject({ code: '25006' });
  await db.query('delete from notes where id = 90');
});

it('when one of them fails, what another would ask next never runs outside of the transaction', async () => {
  const goesOn = Promise.withResolvers<unknown>();
  const failing = db.transaction(tx =>
    Promise.all([
      tx.query('select 1').then(async () => {
        // Long after the rollback, when the connection may belong to another caller.
        await new Promise(resolve => setTimeout(resolve, 50));
        await insert(tx, 3).then(goesOn.resolve, goesOn.reject);
      }),
      insert(tx, 1),
    ]),
  );
  await Promise.all([
    expect(failing).rejects.toMatchObject({ code: '23505' }),
    expect(goesOn.promise).rejects.toThrow('the transaction is over'),
  ]);
  expect(await ids()).toEqual([1, 2]);
});

it('a statement sent along with a begin that fails does not run, and its connection is closed', async () => {
  const forgetsBegin = 'deallocate all';
  const backends = await Promise.all(
    [1, 2, 3].map(() =>
      db.transaction(async tx => {
        await tx.query('select pg_sleep(0.1)');
        await tx.query(forgetsBegin);
        return await tx.value<number>('select pg_backend_pid()');
      }),
    ),
  );
  for (const id of [31, 32, 33]) {
    // Without values it is not prepared.
    const other = `insert into notes (id, text) values (${10 * id}, 'sent along')`;
    const failed = db.transaction(tx => Promise.all([insert(tx, id), tx.query(other)]));
    await expect(failed).rejects.toMatchObject({ code: '26000' });
  }
  expect(await db.transaction(async tx => (await insert(tx, 34)) && (await insert(tx, 35)))).toEqual([]);
  expect(await ids()).toEqual([1, 2, 34, 35]);
  const left = 'select pid from pg_stat_activity where pid = any($1)';
  await eventually(async () => expect(await db.column(left, [backends])).toEqual([]));
  await db.query('delete from notes where id > 30');
});

it('notifies after the commit, once for many, and not at all after a rollback', async () => {
  const listener = await openDedicatedConnection(db.connectionString, 'test listener');
  const received: string[] = [];
  listener.on('notification', ({ channel }) => received.push(channel));
  await listener.query('listen notes; listen others');
  await db
    .transaction(async tx => {
      tx.notifyAfterCommit('others');
      throw new Error('no');
    })
    .catch(() => {});
  let open = true;
  await db.transaction(async tx => {
    tx.notifyAfterCommit('notes');
    await insert(tx, 4);
    await listener.query('select 1');
    open = received.length === 0;
  });
  expect(open).toBe(true);
  await eventually(() => expect(received).toEqual(['notes']));
  await Promise.all(
    Array.from({ length: 40 }, () => db.transaction(async tx => tx.notifyAfterCommit('notes'))),
  );
  await eventually(() => expect(received.length).toBeGreaterThan(1));
  await new Promise(resolve => setTimeout(resolve, 50));
  expect(received.length).toBeLessThan(20);
  expect(received).not.toContain('others');
  await listener.end();
});

it('an idle connection that is lost is logged without the key that cancels its statements', async () => {
  const killed = "application_name = 'db test' and pid <> pg_backend_pid()";
  await Promise.all([db.query('select pg_sleep(0.1)'), db.query('select pg_sleep(0.1)')]);
  await db.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${killed}`);
  await eventually(async () => expect(lines.join()).toContain('an idle database connection was lost'));
  expect(lines.join()).not.toContain('secretKey');
});
