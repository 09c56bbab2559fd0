/** `npm start` on a separate data folder, for a test file. */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@hookline/testing/eventually';
import { freePorts, type ProductProcess, startProcess, stopAllProcesses } from './processes.ts';

export type Standalone = {
  baseUrl: string;
  gatewayUrl: string;
  simulatorsUrl: string;
  dataDir: string;
  product: ProductProcess;
  /** Superuser URL of the product's own Postgres. */
  databaseUrl: string;
  /** Ends it and removes its folder. */
  remove(): Promise<void>;
};

/** @param env overrides the load tests' limits and the new folder and ports */
export async function startStandalone(env: Record<string, string> = {}): Promise<Standalone> {
  const [freePort, otherPort] = await freePorts(2);
  const port = env.PORT ?? freePort;
  const simulatorsPort = env.SIMULATORS_PORT ?? otherPort;
  const dataDir = env.DATA_DIR ?? (await newDataFolder());
  const product = startProcess('standalone', 'deploy/standalone/src/main.ts', {
    DATA_DIR: dataDir,
    PORT: String(port),
    SIMULATORS_PORT: String(simulatorsPort),
    // The real stores are not asked by tests.
    STORES: 'simulated',
    LIMIT_PER_IP: '100000',
    LIMIT_PER_KEY: '100000',
    LIMIT_CONTENT_PER_KEY: '100000',
    ...env,
  });
  await eventually(() => {
    if (!product.isRunning()) throw new Error(`the product ended:\n${product.output()}`);
    if (!product.stdout().includes('Ctrl-C stops everything')) throw new Error('not up yet');
  }, 60_000);
  return {
    baseUrl: `http://localhost:${port}/api/v1`,
    gatewayUrl: `http://localhost:${port}`,
    simulatorsUrl: `http://localhost:${simulatorsPort}`,
    dataDir,
    product,
    databaseUrl: databaseUrlOf(dataDir),
    async remove() {
      await stopAllProcesses();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A copy of `HOOKLINE_TEST_STARTED_FOLDER`, once it is there; an empty folder where no ring names it. */
async function newDataFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-e2e-'));
  const started = process.env.HOOKLINE_TEST_STARTED_FOLDER;
  if (started === undefined) return folder;
  await eventually(() => {
    if (!existsSync(started)) throw new Error(`no product has left ${started}`);
  }, 60_000);
  cpSync(started, folder, { recursive: true, preserveTimestamps: true });
  return folder;
}

/** Superuser URL of the Postgres of a running product. */
export function databaseUrlOf(dataDir: string): string {
  const run = JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8')) as { postgres: { port: number } };
  const password = readFileSync(join(dataDir, 'postgres', 'password'), 'utf8').trim();
  return `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${run.postgres?.port}/postgres`;
}
