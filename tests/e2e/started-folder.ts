/** Vitest's global set-up: the data folder that one first start leaves, of which the files of this ring use copies. */
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStandalone } from '../lab/kit/product/standalone.ts';

export function setup(): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-e2e-started-'));
  process.env.HOOKLINE_TEST_STARTED_FOLDER = join(folder, 'stopped');
  // The workers wait for it; those that start a product of their own begin at once.
  const made = makeFolder(join(folder, 'draft'), join(folder, 'stopped'));
  made.catch((error: unknown) => console.error(error));
  return async () => {
    await made.catch(() => {});
    rmSync(folder, { recursive: true, force: true });
  };
}

async function makeFolder(draft: string, stopped: string): Promise<void> {
  const { product } = await startStandalone({ DATA_DIR: draft, SIGNUP_CREDITS: '50' });
  product.signal('SIGTERM');
  await product.exited;
  renameSync(draft, stopped);
}
