import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { findDisguisedWrites } from './reads.ts';

const root = mkdtempSync(join(tmpdir(), 'hookline-reads-'));
const src = join(root, 'services/a/src');
beforeEach(() => rmSync(join(root, 'services'), { recursive: true, force: true }));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function complaintsOf(files: Record<string, string>): string[] {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(src, file)), { recursive: true });
    writeFileSync(join(src, file), text);
  }
  return findDisguisedWrites(root);
}

it('passes reads, also those that lock, and writes with names of writes', () => {
  const rows = `import type { Sql } from 'x';
// update every row: delete from a
const columns = 'id, updated_at';
export async function findRow(sql: Sql) {
  return await sql.query(\`select \${columns} from rows where id = $1 for no key update skip locked\`);
}
export async function listRows(sql: Sql) {
  return await sql.query('select 1 from rows for update');
}
export async function insertRow(sql: Sql) {
  await sql.query('insert into rows values ($1)');
  return await findRow(sql);
}
`;
  const route = `import {
  findRow,
  listRows as list,
  type Row,
} from '../queries/rows.ts';
import type { NewRow } from '../queries/rows.ts';
`;
  expect(complaintsOf({ 'queries/rows.ts': rows, 'routes/rows.ts': route })).toEqual([]);
});

it.each([
  ['routes/rows.ts', '../'],
  ['workers/delivery/rows.ts', '../../'],
  ['forward/rows.ts', '../'],
  ['deps.ts', './'],
])('reports an import of a write in %s', (file, up) => {
  const text = `import { deleteRow, findRow } from '${up}queries/rows.ts';`;
  expect(complaintsOf({ [file]: text })).toEqual([
    `services/a/src/${file}: imports deleteRow of ${up}queries/rows.ts, which is not named as a read; call an action`,
  ]);
});

it('passes an import of a write in an action and in the face for operators', () => {
  const files = {
    'actions/rows.ts': `import { deleteRow } from '../queries/rows.ts';`,
    'ops.ts': `export { deleteRow } from './queries/rows.ts';`,
  };
  expect(complaintsOf(files)).toEqual([]);
});

it('reports an import of everything', () => {
  const complaints = complaintsOf({ 'routes/rows.ts': `import * as rows from '../queries/rows.ts';` });
  expect(complaints).toHaveLength(1);
});

it.each([
  ['an insert', `'insert into rows values (1)'`],
  ['an update', '`with a as (select 1)\n     update rows set b = 1`'],
  ['a deletion', `'delete from rows'`],
  ['a merge', `'merge into rows using b on true when matched then delete'`],
])('reports a read that is %s', (_, sql) => {
  const text = `export async function findRow(db: Sql) {\n  return await db.query(${sql});\n}\n`;
  expect(complaintsOf({ 'queries/rows.ts': text })).toEqual([
    'services/a/src/queries/rows.ts: findRow is named as a read and writes',
  ]);
});

it('reports a read that writes by a constant, a helper or another file', () => {
  const complaints = complaintsOf({
    'queries/rows.ts': `import { insertPart } from './parts.ts';
const claim = \`update rows set claimed = true\`;
export async function getClaimed(db: Sql) {
  return await db.query(claim);
}
async function drop(db: Sql) {
  await db.query('delete from rows');
}
export const countDropped = async (db: Sql) => await drop(db);
export async function hasPart(db: Sql) {
  return await insertPart(db);
}
`,
    'queries/parts.ts': `export async function insertPart(db: Sql) {
  await db.query('insert into parts values (1)');
}
`,
  });
  expect(complaints.map(line => line.split(' ')[1])).toEqual(['getClaimed', 'countDropped', 'hasPart']);
});
