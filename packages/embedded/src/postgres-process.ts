import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { PostgresLauncher } from './postgres-binaries.ts';
import { type ClusterPaths, spawnPostgres } from './postgres-cluster.ts';
import { POSTGRES_SETTINGS, settingsArgs } from './postgres-settings.ts';
import { isRunning, waitUntilGone } from './running-process.ts';

/** A server that answers; `child` is null when an earlier process started it. */
export type RunningServer = { pid: number; port: number; child: ChildProcess | null };

/**
 * Recovery after a crash replays at most `max_wal_size`, which takes far less than two minutes even on a slow
 * disk.
 */
const READY_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 15_000;

/** The lines of `postmaster.pid`: pid first, port fourth, state eighth; null when the file does not exist. */
export function readPostmasterFile({
  cluster,
}: Pick<ClusterPaths, 'cluster'>): { pid: number; port: number; state: string } | null {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Math.abs(Number(lines[0])), port: Number(lines[3]), state: (lines[7] ?? '').trim() };
  } catch {
    return null;
  }
}

/**
 * Starts the server and resolves when it accepts connections; throws a one-sentence error that quotes its
 * log.
 */
export async function launchServer(
  paths: ClusterPaths,
  launcher: PostgresLauncher,
  port: number,
  settings: Readonly<Record<string, string>>,
): Promise<ChildProcess> {
  const logFd = openSync(paths.logFile, 'a', 0o600);
  const logStart = statSync(paths.logFile).size;
  const args = [
    '-D',
    paths.cluster,
    ...settingsArgs({ ...POSTGRES_SETTINGS, ...settings, port: String(port) }),
  ];
  const child = spawnPostgres(launcher, 'postgres', args, ['ignore', logFd, logFd]);
  closeSync(logFd);
  child.unref();
  let ended: string | null = null;
  child.once('error', error => {
    ended = error.message;
  });
  child.once('exit', (code, signal) => {
    ended ??= `it ended with ${signal ?? code}`;
  });
  const deadline = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    const found = readPostmasterFile(paths);
    if (found?.pid === child.pid && found?.state === 'ready') return child;
    if (ended !== null)
      throw new Error(
        `Postgres did not start: ${lastComplaint(paths.logFile, logStart) ?? ended}. Its log is ${paths.logFile}.`,
      );
    if (Date.now() > deadline) {
      await stopServer(child.pid as number);
      throw new Error(
        `Postgres was not ready after ${READY_TIMEOUT_MS / 1_000} s. Its log is ${paths.logFile}.`,
      );
    }
    await new Promise(wait => setTimeout(wait, 10));
  }
}

function lastComplaint(logFile: string, from: number): string | null {
  const added = readFileSync(logFile).subarray(from).toString('utf8').split('\n');
  const lines = added.filter(line =>
    /FATAL|PANIC|LOG: {2}could not bind|error while loading|could not/.test(line),
  );
  return lines.length === 0
    ? null
    : lines.map(line => line.replace(/^.*?(?:FATAL|PANIC|LOG|HINT): +/, '')).join('; ');
}

/**
 * Escalates: SIGINT is Postgres's fast shutdown; SIGQUIT leaves recovery to the next start; SIGKILL comes
 * last.
 */
export async function stopServer(pid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (!isRunning(pid)) return;
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    if (await waitUntilGone(pid, STOP_TIMEOUT_MS)) return;
  }
}

/**
 * Calls back when the server exits. A server started by another process sends no exit event, so it is polled
 * every second.
 */
export function watchExit(server: RunningServer, callback: (reason: string) => void): () => void {
  const { child, pid } = server;
  if (child !== null) {
    const tell = (code: number | null, signal: string | null) =>
      callback(`Postgres ${pid} exited unexpectedly (${signal ?? code}).`);
    child.once('exit', tell);
    if (child.exitCode !== null || child.signalCode !== null)
      setImmediate(tell, child.exitCode, child.signalCode);
    return () => child.off('exit', tell);
  }
  const timer = setInterval(() => {
    if (!isRunning(pid)) callback(`Postgres ${pid} exited unexpectedly.`);
  }, 1_000);
  timer.unref();
  return () => clearInterval(timer);
}
