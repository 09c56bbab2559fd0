import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadSecrets } from './secrets.ts';

it('two first starts at once have the same secrets', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-secrets-'));
  const [one, two] = await Promise.all([loadSecrets(folder), loadSecrets(folder)]);
  expect(two).toEqual(one);
  expect(await loadSecrets(folder)).toEqual(one);
  expect(readdirSync(folder)).toEqual(['secrets.json']);
  rmSync(folder, { recursive: true });
});
