import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findLongComments } from './comment-width.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hookline-comments-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function plant(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

/** A line of so many columns. */
function wide(start: string, columns: number, end = ''): string {
  return `${start.padEnd(columns - end.length, 'x')}${end}`;
}

it.each([
  ['a.ts', '  // '],
  ['a.tsx', '/** ', ' */'],
  ['a.mjs', ' * '],
  ['a.ts', '    -- '],
  ['a.ts', 'run(); // '],
  ['a.css', '/* ', ' */'],
  ['a.sql', '-- '],
  ['a.sql', 'select 1; -- '],
  ['a.yaml', '  # '],
  ['a.yml', 'port: 1 # '],
  ['a.sh', '# '],
  ['Dockerfile', '# '],
])('reports a comment of 111 columns, not one of 110, in %s: %s', (file, start, end = '') => {
  plant(file, `\n${wide(start, 110, end)}\n`);
  expect(findLongComments(root, {})).toEqual([]);
  plant(file, `\n${wide(start, 111, end)}\n`);
  expect(findLongComments(root, {})).toEqual([`${file}:2: ${wide(start, 111, end).trim()}`]);
});

it('does not count an address, and passes code, texts and installed files', () => {
  plant('a.ts', `// ${wide('https://example.com/', 120)} says so\n`);
  plant('b.ts', `const a = '${wide('', 120)}';\n`);
  plant('c.ts', `**${wide('Bold.**', 120)}\n`);
  plant('d.yaml', `text: ${wide('', 120)}\n`);
  plant('node_modules/e/e.ts', `${wide('// ', 120)}\n`);
  expect(findLongComments(root, {})).toEqual([]);
});

it('passes migrations from before the limit and no later one', () => {
  plant('services/a/migrations/0002_old.sql', `${wide('-- ', 120)}\n`);
  plant('services/a/migrations/0002_1_old.sql', `${wide('-- ', 120)}\n`);
  plant('services/a/migrations/0003_new.sql', `${wide('-- ', 120)}\n`);
  plant('services/b/migrations/0001_new.sql', `${wide('-- ', 120)}\n`);
  expect(findLongComments(root, { 'services/a/migrations': 2 }).map(line => line.split(':')[0])).toEqual([
    'services/a/migrations/0003_new.sql',
    'services/b/migrations/0001_new.sql',
  ]);
});
