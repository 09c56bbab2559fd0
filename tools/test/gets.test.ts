import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { findWritingGets } from './gets.ts';

const root = mkdtempSync(join(tmpdir(), 'hookline-gets-'));
beforeEach(() => {
  plant('packages/shared/src/contracts/rows.ts', contracts);
  plant('services/a/src/actions/open-row.ts', openRow);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const contracts = `export const listRows = defineRoute({
  id: 'listRows',
  method: 'GET',
});
export const createRow = defineRoute({
  id: 'createRow',
  method: 'POST',
});
`;
const openRow = `import { insertRow } from '../queries/rows.ts';
// await db.transaction(
export function readRow(deps) {
  return deps.db.query('select 1');
}
async function open(deps) {
  await deps.db.transaction(tx => insertRow(tx));
}
export async function openUnseen(deps) {
  await open(deps);
}
`;

function plant(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

function complaintsOf(body: string, exceptions: Record<string, string> = {}): string[] {
  plant(
    'services/a/src/routes/rows.ts',
    `import { openUnseen, readRow as read } from '../actions/open-row.ts';
export function addRoutes(app, deps) {
${body}
}
`,
  );
  return findWritingGets(root, exceptions);
}

it('passes a GET that reads and a POST that writes', () => {
  const body = `  addRoute(app, contracts.listRows, async () => {
    return await read(deps);
  });
  app.get('/rows', async () => read(deps));

  addRoute(app, contracts.createRow, async () => {
    await openUnseen(deps);
  });`;
  expect(complaintsOf(body)).toEqual([]);
});

it.each([
  [
    'by a contract',
    `  addOwnRoute(app, contracts.listRows, async () => await openUnseen(deps));`,
    'listRows',
  ],
  ['with deps', `  addThingRoute(app, deps, contracts.listRows, () => openUnseen(deps));`, 'listRows'],
  ['of its own', `  app.get('/rows', async () => await openUnseen(deps));`, '/rows'],
  [
    'for HEAD too',
    `  app.route({\n    method: ['GET', 'HEAD'],\n    url: '/rows',\n    handler: () => openUnseen(),\n  });`,
    '/rows',
  ],
])('reports a GET %s that opens a transaction', (_, body, name) => {
  const line = `services/a/src/routes/rows.ts: GET ${name} writes, by openUnseen`;
  expect(complaintsOf(body)).toEqual([line]);
  expect(complaintsOf(body, { [name]: 'for a reason' })).toEqual([]);
});

it('reports an exception that nothing needs', () => {
  expect(complaintsOf('', { listRows: 'was needed once' })).toEqual([
    'GET listRows writes nothing: it needs no exception',
  ]);
});
