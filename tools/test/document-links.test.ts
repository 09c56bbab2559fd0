import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findDeadLinks } from './document-links.ts';

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hookline-links-'));
  mkdirSync(join(root, 'docs'));
  writeFileSync(
    join(root, 'docs/guide.md'),
    '# The guide\n\n## What it costs (in `ms`)\n\n## Again\n\n## Again\n',
  );
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function deadLinksOf(text: string): string[] {
  writeFileSync(join(root, 'README.md'), text);
  return findDeadLinks(root, ['README.md']);
}

it('accepts files, folders, headings of this and other documents, and web addresses', () => {
  const text = `# Top
[a](docs/guide.md) [b](./docs) [c](#top) [d](docs/guide.md#what-it-costs-in-ms) [e](docs/guide.md#again-1)
[f](https://example.com/none) [g](mailto:a@example.com) [h](/docs/guide.md "title")`;
  expect(deadLinksOf(text)).toEqual([]);
});

it('reports a missing file, a missing heading and a missing image', () => {
  const text = '[a](docs/none.md) [b](docs/guide.md#none) ![c](docs/none.png)';
  expect(deadLinksOf(text)).toEqual([
    'README.md: docs/none.md',
    'README.md: docs/guide.md#none',
    'README.md: docs/none.png',
  ]);
});

it('does not take code for links', () => {
  expect(deadLinksOf('`[a](none.md)`\n\n```\n[b](none.md)\n```\n')).toEqual([]);
});
