import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { countInFile } from './log-search.ts';

it('a text is counted once wherever it is, even across two reads', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-log-'));
  const file = join(folder, 'log');
  const text = 'does not answer';
  try {
    // Reads are 64 KiB: the second text spans the first boundary.
    writeFileSync(file, `${text}${'x'.repeat(65_536 - text.length - 7)}${text}${'x'.repeat(100)}${text}`);
    expect(await countInFile(file, text)).toBe(3);
    expect(await countInFile(file, 'is not there')).toBe(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
