/** `npm start` with its flags, on a data folder of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@hookline/testing/eventually';
import { expect } from 'vitest';
import { startEnvironment, startFlags } from '../../tools/start-options.mjs';
import {
  freePorts,
  type ProductProcess,
  startProcess,
  stopAllProcesses,
} from '../lab/kit/product/processes.ts';

export const entry = 'deploy/standalone/src/main.ts';

const folders: string[] = [];
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-e2e-'));
  folders.push(folder);
  return folder;
}

/** A new folder and free ports. */
export async function newPlace(): Promise<{ DATA_DIR: string; PORT: string; SIMULATORS_PORT: string }> {
  const [port, simulatorsPort] = await freePorts(2);
  return { DATA_DIR: newFolder(), PORT: String(port), SIMULATORS_PORT: String(simulatorsPort) };
}

export async function start(env: Record<string, string>): Promise<ProductProcess> {
  const product = startProcess('standalone', entry, { ...startEnvironment, ...env }, [], startFlags);
  await eventually(() => {
    if (!product.isRunning()) throw new Error(`ended:\n${product.output()}`);
    expect(product.stdout()).toContain('Ctrl-C stops everything');
  }, 60_000);
  return product;
}

export async function stopAll(): Promise<void> {
  await stopAllProcesses();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
