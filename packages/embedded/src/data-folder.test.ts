import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { prepareDataFolder } from './data-folder.ts';

const parent = mkdtempSync(join(tmpdir(), 'hookline-data-'));
afterAll(() => rmSync(parent, { recursive: true }));

it.each([
  [0o777, 0o711],
  [0o755, 0o711],
  [0o700, 0o700],
])('a data folder of mode %o becomes %o: nobody else lists or changes it', async (before, after) => {
  chmodSync(parent, before);
  await prepareDataFolder(parent);
  expect(statSync(parent).mode & 0o777).toBe(after);
});
