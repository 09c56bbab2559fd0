import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lockOwner } from './lock-file.ts';

/** The processes running on a data folder, for `npm run doctor`. */
export type RunFile = {
  pid: number;
  gatewayUrl: string;
  publicUrl: string;
  /** Null where every platform is real. */
  simulatorsUrl: string | null;
  /** Null where DATABASE_URL names one. */
  postgres: { port: number; pid: number } | null;
  logFile: string;
};

const pathOf = (dataDir: string): string => join(dataDir, 'run.json');

export async function writeRunFile(dataDir: string, run: RunFile): Promise<void> {
  await writeFile(pathOf(dataDir), JSON.stringify(run), { mode: 0o600 });
}

export async function removeRunFile(dataDir: string): Promise<void> {
  await rm(pathOf(dataDir), { force: true });
}

export async function readRunFile(dataDir: string): Promise<RunFile | null> {
  // A full disk cuts it short.
  return await readFile(pathOf(dataDir), 'utf8')
    .then(JSON.parse)
    .catch(() => null);
}

/**
 * True when the product that wrote the run file still runs. After a crash the file stays, and its pid may be
 * that of another process; the lock of Postgres names its owner with the start time too.
 */
export function isStillRunning(dataDir: string, run: RunFile): boolean {
  return lockOwner(join(dataDir, 'postgres', 'lock'))?.pid === run.pid;
}
