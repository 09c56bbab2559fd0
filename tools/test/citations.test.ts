import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { findDeadCitations } from './citations.ts';

const root = mkdtempSync(join(tmpdir(), 'hookline-citations-'));
mkdirSync(join(root, 'docs'));
writeFileSync(join(root, 'docs/decisions.md'), '| id | |\n| D-1 | one |\n\n## D-4 Four\n');
writeFileSync(join(root, 'docs/api.md'), '## API-2 Records\n');
writeFileSync(join(root, 'docs/proofs.md'), '| G-S1 | never twice |\n| R-m2 | late |\n');
afterEach(() => rmSync(join(root, 'a.ts'), { force: true }));

function deadIn(text: string): string[] {
  writeFileSync(join(root, 'a.ts'), text);
  return findDeadCitations(root, ['a.ts']);
}

it('passes what has an entry', () => {
  expect(deadIn('// D-1, D-4, API-2, G-S1 and R-m2\n')).toEqual([]);
});

it.each(['D-2', 'API-1', 'G-S2', 'R-C2', 'decision 41', 'decisions 5 to 7', 'spec section 4'])(
  'reports %s',
  cited => {
    const [complaint] = deadIn(`const a = 1;\n// as ${cited} says\n`);
    expect(complaint).toMatch(/^a\.ts:2: /);
  },
);
