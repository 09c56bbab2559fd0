import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { FirstRun } from './first-journey.ts';

const pathOf = (dataDir: string): string => join(dataDir, 'first-run.json');

export async function readFirstRun(dataDir: string): Promise<FirstRun | null> {
  const text = await readFile(pathOf(dataDir), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as FirstRun);
}

/** Written atomically with mode 0600: it contains a key and a password. */
export async function writeFirstRun(dataDir: string, firstRun: FirstRun): Promise<void> {
  const draft = `${pathOf(dataDir)}.${process.pid}`;
  const file = await open(draft, 'w', 0o600);
  await file.writeFile(`${JSON.stringify(firstRun, null, 2)}\n`);
  await file.sync();
  await file.close();
  await rename(draft, pathOf(dataDir));
}
