import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { findModuleState } from './module-state.ts';

const root = mkdtempSync(join(tmpdir(), 'hookline-state-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const file = 'services/a/src/adapters/out.ts';

function complaintsOf(text: string, exceptions: Record<string, string> = {}): string[] {
  for (const folder of ['packages/shared', 'packages/slides'])
    mkdirSync(join(root, folder), { recursive: true });
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
  return findModuleState(root, exceptions);
}

it.each([
  'let count = 0;',
  'export let count: number;',
  'const count = new Map<string, Set<string>>();',
  'const count: Deck[] = [];',
  'const count = new WeakMap();',
])('reports %s', line => {
  expect(complaintsOf(`import 'x';\n${line}\n`)).toEqual([
    `${file} count is state of a module: keep it in deps`,
  ]);
  expect(complaintsOf(line, { [`${file} count`]: 'for a reason' })).toEqual([]);
});

it.each([
  `const names = new Set(['a']);`,
  'function make() {\n  let count = 0;\n  const seen = new Map();\n}',
  'const limit = 5;',
])('passes %s', text => {
  expect(complaintsOf(text)).toEqual([]);
});

it('reports an exception that nothing needs', () => {
  expect(complaintsOf('', { [`${file} gone`]: 'was needed once' })).toEqual([
    `${file} gone does not exist: it needs no exception`,
  ]);
});
