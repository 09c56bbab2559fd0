import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { findSqlOutsideQueries } from './sql.ts';

const root = mkdtempSync(join(tmpdir(), 'hookline-sql-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function plant(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

it('reports SQL outside queries everywhere in the product, and exceptions without a cause', () => {
  for (const folder of ['services', 'packages', 'ops', 'deploy']) mkdirSync(join(root, folder));
  plant('services/a/src/queries/rows.ts', `await sql.query('select id from rows');`);
  plant('services/a/src/rooms/queries-rows.ts', `await sql.query('select id from rows');`);
  plant('services/a/test/rows.int.test.ts', `await sql.query('select id from rows');`);
  plant('packages/testing/src/fill.ts', `await sql.query('insert into rows values (1)');`);
  plant('ops/src/session.ts', `await client.query('begin');\nawait client.query(\`listen \${channel}\`);`);
  plant('ops/src/copy.ts', `const stream = client.query(copyTo(text));`);
  const bad = [
    'services/a/src/actions/act.ts',
    'services/a/src/rooms/act-on-queries.ts',
    'packages/a/src/act.ts',
    'ops/src/act.ts',
    'deploy/src/act.ts',
  ];
  for (const file of bad) plant(file, `begin();\nawait sql.query<Row>('select 1 from rows');`);
  const exceptions = { 'ops/src/copy.ts': 'copies', 'ops/src/session.ts': 'opens' };
  expect(findSqlOutsideQueries(root, exceptions)).toEqual([
    ...bad.map(file => `${file}:2: await sql.query<Row>('select 1 from rows');`),
    'ops/src/session.ts holds no SQL: it needs no exception',
  ]);
});
