import type { ChildProcess } from 'node:child_process';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { freePort, isPortFree } from './free-port.ts';
import { acquireLock, lockOwner } from './lock-file.ts';
import { createPostgresLauncher, type PostgresLauncher } from './postgres-binaries.ts';
import {
  type ClusterPaths,
  ensureCluster,
  loadPassword,
  prepareFolders,
  spawnPostgres,
} from './postgres-cluster.ts';
import { POSTGRES_SETTINGS, settingsArgs } from './postgres-settings.ts';
import { commandLine, isRunning, waitUntilGone } from './running-process.ts';

export type EmbeddedPostgresOptions = {
  /** Everything of this Postgres lies below it: cluster, log, password, lock. Made when missing. */
  dataDir: string;
  /** One line per thing worth telling the operator. */
  log?: (line: string) => void;
  /** Default: a free one. */
  port?: number;
  /** Called once when Postgres ends without `stop()`; the folder may then be started again. */
  onExit?: (reason: string) => void;
  /** Server settings over the defaults, as `postgres -c` takes them. */
  settings?: Readonly<Record<string, string>>;
};

export type EmbeddedPostgres = {
  /** Connection URL of the superuser, database `postgres`. Holds the password: not for logs. */
  url: string;
  port: number;
  pid: number;
  dataDir: string;
  /** Fast shutdown; resolves when Postgres is gone. Repeatable. */
  stop(): Promise<void>;
  /** True when a server left by a killed process was taken over instead of started. */
  reused: boolean;
};

/** Recovery after a crash replays at most `max_wal_size`; two minutes are far beyond that on a slow disk. */
const READY_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 15_000;
const PORT_ATTEMPTS_MAX = 5;
const LOG_BYTES_MAX = 10_000_000;

/**
 * Starts the embedded Postgres of a data folder, or takes over the one that a killed process left running.
 * Listens on 127.0.0.1 with scram-sha-256 and no Unix socket. Installs no signal handler: who starts it,
 * stops it, after everything that uses it.
 *
 * @throws one clear sentence: folder not writable or in use, port taken, binaries missing, another version.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => {});
  const launcher = createPostgresLauncher();
  const paths = prepareFolders(resolve(options.dataDir), launcher, log);
  const release = acquireLock(paths.lock);
  if (release === null) {
    const owner = lockOwner(paths.lock);
    throw new Error(
      `The data folder ${paths.dataDir} is in use by process ${owner?.pid ?? process.pid}: stop it, or name another DATA_DIR.`,
    );
  }
  try {
    const password = loadPassword(paths);
    await ensureCluster(paths, launcher, password);
    const orphan = await takeOverOrphan(paths, password, options.port, log);
    const running = orphan ?? (await startServer(paths, launcher, password, options));
    return supervise(running, paths, password, release, options.onExit);
  } catch (error) {
    release();
    throw error;
  }
}

type RunningServer = { pid: number; port: number; child: ChildProcess | null };

function superuserUrl(password: string, port: number): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
}

/** The lines of `postmaster.pid`: pid first, port fourth, state eighth; null when there is none. */
function readPostmasterFile(paths: ClusterPaths): { pid: number; port: number; state: string } | null {
  try {
    const lines = readFileSync(join(paths.cluster, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Math.abs(Number(lines[0])), port: Number(lines[3]), state: (lines[7] ?? '').trim() };
  } catch {
    return null;
  }
}

/**
 * Deals with what an earlier start left: a living server that answers with our password on the wanted port
 * is kept, any other one is stopped, and the file of a dead one whose pid somebody else has now is removed.
 */
async function takeOverOrphan(
  paths: ClusterPaths,
  password: string,
  port: number | undefined,
  log: (line: string) => void,
): Promise<RunningServer | null> {
  const left = readPostmasterFile(paths);
  if (left === null || !isRunning(left.pid)) return null;
  const command = commandLine(left.pid);
  if (command !== null && !command.includes(paths.cluster)) {
    rmSync(join(paths.cluster, 'postmaster.pid'), { force: true });
    return null;
  }
  const isWanted = port === undefined || port === left.port;
  if (isWanted && (await answers(superuserUrl(password, left.port), paths))) {
    log(
      `Postgres ${left.pid} was left running by a process that was killed: taken over on port ${left.port}.`,
    );
    return { pid: left.pid, port: left.port, child: null };
  }
  log(`Postgres ${left.pid} was left running and cannot be used: stopping it.`);
  await stopServer(left.pid);
  return null;
}

async function answers(url: string, paths: ClusterPaths): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 3_000,
    query_timeout: 3_000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ dir: string }>(`select current_setting('data_directory') as dir`);
    return rows[0]?.dir === paths.cluster;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function startServer(
  paths: ClusterPaths,
  launcher: PostgresLauncher,
  password: string,
  options: EmbeddedPostgresOptions,
): Promise<RunningServer> {
  if (options.port !== undefined && !(await isPortFree(options.port))) {
    throw new Error(`Port ${options.port} on 127.0.0.1 is taken: Postgres needs another one.`);
  }
  rotateLog(paths.logFile);
  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ?? (await freePort());
    try {
      const child = await launchServer(paths, launcher, port, options.settings ?? {});
      if (await answers(superuserUrl(password, port), paths))
        return { pid: child.pid as number, port, child };
      await stopServer(child.pid as number);
      throw new Error(
        `Postgres in ${paths.dataDir} refuses the password in ${paths.password}: put the right one back.`,
      );
    } catch (error) {
      // The port was free when it was chosen; somebody else may have been faster.
      const isLostRace = error instanceof Error && error.message.includes('Address already in use');
      if (!isLostRace || options.port !== undefined || attempt === PORT_ATTEMPTS_MAX) throw error;
    }
  }
}

async function launchServer(
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

function rotateLog(logFile: string): void {
  if (existsSync(logFile) && statSync(logFile).size > LOG_BYTES_MAX) renameSync(logFile, `${logFile}.1`);
}

/** SIGINT is Postgres' fast shutdown; SIGQUIT leaves recovery to the next start; SIGKILL is the last word. */
async function stopServer(pid: number): Promise<void> {
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

function supervise(
  server: RunningServer,
  paths: ClusterPaths,
  password: string,
  release: () => void,
  onExit: ((reason: string) => void) | undefined,
): EmbeddedPostgres {
  const url = superuserUrl(password, server.port);
  const state = { url, port: server.port, pid: server.pid, cluster: paths.cluster };
  writeFileSync(paths.state, `${JSON.stringify(state)}\n`, { mode: 0o600 });
  let stopping: Promise<void> | null = null;
  const cleanUp = () => {
    unwatch();
    rmSync(paths.state, { force: true });
    release();
  };
  const unwatch = watchExit(server, reason => {
    if (stopping !== null) return;
    stopping = Promise.resolve();
    cleanUp();
    onExit?.(reason);
  });
  const stop = () => {
    stopping ??= stopServer(server.pid).finally(cleanUp);
    return stopping;
  };
  return {
    url,
    port: server.port,
    pid: server.pid,
    dataDir: paths.dataDir,
    stop,
    reused: server.child === null,
  };
}

/** Calls back when the server ends. One that we did not start tells nobody, so it is looked at each second. */
function watchExit(server: RunningServer, callback: (reason: string) => void): () => void {
  const { child, pid } = server;
  if (child !== null) {
    const tell = (code: number | null, signal: string | null) =>
      callback(`Postgres ${pid} ended by itself (${signal ?? code}).`);
    child.once('exit', tell);
    if (child.exitCode !== null || child.signalCode !== null)
      setImmediate(tell, child.exitCode, child.signalCode);
    return () => child.off('exit', tell);
  }
  const timer = setInterval(() => {
    if (!isRunning(pid)) callback(`Postgres ${pid} ended by itself.`);
  }, 1_000);
  timer.unref();
  return () => clearInterval(timer);
}
