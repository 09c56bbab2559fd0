import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { findImpureRules } from './pure-rules.ts';

const root = mkdtempSync(join(tmpdir(), 'hookline-rules-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function complaintsOf(text: string, path = 'services/a/src/rules/keys.ts'): string[] {
  const file = join(root, path);
  for (const dir of [dirname(file), join(root, 'packages')]) mkdirSync(dir, { recursive: true });
  writeFileSync(file, text);
  const complaints = findImpureRules(root);
  rmSync(file);
  return complaints;
}

it.each([
  `import { hash, randomBytes } from 'node:crypto';`,
  'const id = crypto.randomUUID();',
  'const at = new Date();',
  'const atMs = Date.now();',
])('reports %s', line => {
  expect(complaintsOf(`\n${line}`)).toEqual([`services/a/src/rules/keys.ts:2: ${line}`]);
});

it.each([
  '// Math.random would do.',
  'const at = new Date(now.getTime() + 5);',
  `import { hash } from 'node:crypto';`,
])('passes %s', line => {
  expect(complaintsOf(line)).toEqual([]);
});

it('reports a file of a room that is named .rules.ts, and no other', () => {
  const line = 'const at = new Date();';
  expect(complaintsOf(line, 'services/a/src/keys/age.rules.ts')).toEqual([
    `services/a/src/keys/age.rules.ts:1: ${line}`,
  ]);
  expect(complaintsOf(line, 'services/a/src/keys/age.ts')).toEqual([]);
});
