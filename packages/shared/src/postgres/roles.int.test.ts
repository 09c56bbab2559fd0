/** Architecture invariant: a service sees only its own schema, whatever its code tries. */

import { perSuite } from '@hookline/testing/per-suite';
import { createMigratedDatabase } from '@hookline/testing/service-harness';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../kernel/logger.ts';
import { type Database, openDatabase } from './db.ts';
import { migrationSets } from './migrate.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const roles = migrationSets.map(set => set.schema);
const permissionDenied = '42501';

const database = perSuite(createMigratedDatabase);
let tables: { schema: string; name: string }[];
const connections = new Map<string, Database>();

beforeAll(async () => {
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  const found = await admin.query(
    `select schemaname as schema, tablename as name from pg_tables where schemaname = any($1)`,
    [roles],
  );
  tables = found.rows;
  await admin.end();
  for (const role of roles) {
    connections.set(role, openDatabase({ url: database.roleUrl(role), connectionsMax: 4, name: role, log }));
  }
});
afterAll(async () => {
  await Promise.all([...connections.values()].map(connection => connection.close()));
});

/** The SQL state of the refusal, or `allowed`. */
async function attempt(role: string, statement: string): Promise<string> {
  const connection = connections.get(role) as Database;
  return await connection.query(statement).then(
    () => 'allowed',
    (error: { code?: string }) => error.code ?? String(error),
  );
}

/**
 * The statements that failed for any reason other than the missing right, with the result. All in one round
 * trip: a refusal that reaches the server's log costs 20 ms. Every statement is rolled back.
 */
async function notDenied(role: string, statements: string[]): Promise<string> {
  const list = statements.map(statement => pg.escapeLiteral(statement)).join(', ');
  const block = `do $block$
    declare
      statement text;
      found text := '';
    begin
      foreach statement in array array[${list}] loop
        begin
          execute statement;
          found := found || statement || ': allowed; ';
        exception
          when insufficient_privilege then null;
          when others then found := found || statement || ': ' || sqlerrm || '; ';
        end;
      end loop;
      if found <> '' then raise exception '%', found; end if;
    end
  $block$`;
  const connection = connections.get(role) as Database;
  return await connection.query(block).then(
    () => '',
    (error: Error) => error.message,
  );
}

describe.each(roles)('the role %s', role => {
  it("is denied every statement on every other schema's tables", async () => {
    const foreign = tables.filter(table => table.schema !== role);
    expect(new Set(foreign.map(table => table.schema)).size).toBe(roles.length - 1);
    const statements = foreign.flatMap(({ schema, name }) => [
      `select 1 from ${schema}.${name} limit 1`,
      `insert into ${schema}.${name} default values`,
      `delete from ${schema}.${name}`,
      `truncate ${schema}.${name}`,
    ]);
    expect(await notDenied(role, statements)).toEqual('');
  });

  it('would be found out by that check where it has the right', async () => {
    expect(await notDenied(role, ['select 1 from migrations'])).toBe('select 1 from migrations: allowed; ');
  });

  it('reads its own tables, without naming the schema', async () => {
    const own = tables.filter(table => table.schema === role);
    expect(own.length).toBeGreaterThan(1);
    for (const { name } of own) expect(await attempt(role, `select * from ${name} limit 1`)).toBe('allowed');
  });

  it.each([
    ['a table of its own', 'create table mine (id int)'],
    ['a table in public', 'create table public.mine (id int)'],
    ['a schema', 'create schema mine'],
    ['a role', 'create role mine'],
    ['a migration that never ran', "insert into migrations (name, digest) values ('x', 'y')"],
    ['a forgotten migration', 'delete from migrations'],
  ])('cannot make %s', async (_, statement) => {
    expect(await attempt(role, statement)).toBe(permissionDenied);
  });

  it('cannot act as another role', async () => {
    const other = roles.find(name => name !== role);
    expect(await attempt(role, `set role ${other}`)).toBe(permissionDenied);
  });
});
