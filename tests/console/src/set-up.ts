/** Vitest's global set-up: one embedded product for every file of the run. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@hookline/testing/eventually';
import type { TestProject } from 'vitest/node';
import { freePorts, startProcess, stopAllProcesses } from '../../lab/kit/product/processes.ts';
import { type Chromium, findChromium } from './chromium.ts';

export type Product = {
  /** Where the gateway listens; the console is at `/console`. */
  url: string;
  simulatorsUrl: string;
  dataDir: string;
  /** A port of this machine that webhooks may be delivered to. */
  webhookPort: number;
  /** What `npm start` printed. */
  printed: string;
};

declare module 'vitest' {
  interface ProvidedContext {
    product: Product;
    chromium: Chromium;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hookline-console-'));
  const [port, simulatorsPort, webhookPort = 0] = await freePorts(3);
  const env = {
    DATA_DIR: dataDir,
    PORT: String(port),
    SIMULATORS_PORT: String(simulatorsPort),
    // Everybody here comes from one address.
    LIMIT_PER_IP: '10000',
    WEBHOOK_ALLOW_TARGETS: `127.0.0.1:${webhookPort}`,
    LLM_ALLOW_TARGETS: `localhost:${simulatorsPort}`,
  };
  const product = startProcess('standalone', 'deploy/standalone/src/main.ts', env);
  const stop = async () => {
    await stopAllProcesses();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const up = eventually(() => {
      if (!product.isRunning()) return;
      if (!product.stdout().includes('Ctrl-C stops everything')) throw new Error('not up after 90 s');
    }, 90_000);
    const [chromium] = await Promise.all([findChromium(), up]);
    if (!product.isRunning()) throw new Error(`the product ended:\n${product.output()}`);
    project.provide('chromium', chromium);
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide('product', {
    url: `http://localhost:${port}`,
    simulatorsUrl: `http://localhost:${simulatorsPort}`,
    dataDir,
    webhookPort,
    printed: product.stdout(),
  });
  return stop;
}
