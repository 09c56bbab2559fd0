import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ConfigurationError, rotateLog } from '@hookline/shared/kernel';
import pg from 'pg';
import { freePort, isPortFree } from './free-port.ts';
import { acquireLock, lockOwner } from './lock-file.ts';
import { createPostgresLauncher, type PostgresLauncher } from './postgres-binaries.ts';
import {
  type ClusterPaths,
  ensureCluster,
  loadPassword,
  ownCluster,
  prepareFolders,
} from './postgres-cluster.ts';
import { clearDeadServer } from './postgres-leftovers.ts';
import {
  launchServer,
  type RunningServer,
  readPostmasterFile,
  stopServer,
  watchExit,
} from './postgres-process.ts';
import { commandLine, isRunning, waitUntilGone } from './running-process.ts';

export type EmbeddedPostgresOptions = {
  /** Contains everything of this Postgres: cluster, log, password, lock. Created when missing. */
  dataDir: string;
  /** Receives one line per event that an operator should see. */
  log?: (line: string) => void;
  /** Default: a free port. */
  port?: number;
  /** Called once when Postgres ends without `stop()`; the folder may then be started again. */
  onExit?: (reason: string) => void;
  /** Server settings that override the defaults, as passed to `postgres -c`. */
  settings?: Readonly<Record<string, string>>;
};

export type EmbeddedPostgres = {
  /** Connection URL of the superuser, database `postgres`. Contains the password: do not log. */
  url: string;
  port: number;
  pid: number;
  dataDir: string;
  /** Fast shutdown; resolves when Postgres is gone. Repeatable. */
  stop(): Promise<void>;
  /** True when a running server left by a killed process was taken over. */
  reused: boolean;
};

const PORT_ATTEMPTS_MAX = 5;
const DYING_TIMEOUT_MS = 15_000;

/**
 * Starts the embedded Postgres of a data folder, or takes over a server that a killed process left running.
 * Listens on 127.0.0.1 with scram-sha-256 and no Unix socket. Installs no signal handler: the caller stops
 * it, after everything that uses it.
 *
 * @throws a one-sentence error: folder not writable or in use, port taken, binaries missing, another version
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => {});
  const launcher = createPostgresLauncher();
  const paths = prepareFolders(resolve(options.dataDir), launcher, log);
  const release = lockFolder(paths);
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

/** Locks a data folder as an embedded Postgres does, for a process that uses another one. @returns its release */
export function lockDataFolder(dataDir: string, log: (line: string) => void): () => void {
  return lockFolder(prepareFolders(resolve(dataDir), {}, log));
}

function lockFolder({ lock, dataDir }: ClusterPaths): () => void {
  const release = acquireLock(lock);
  if (release !== null) return release;
  const owner = lockOwner(lock);
  const whose = owner ? `process ${owner.pid}` : 'another container';
  throw new ConfigurationError(
    `The data folder ${dataDir} is in use by ${whose}: stop it, or name another DATA_DIR.`,
  );
}

function superuserUrl(password: string, port: number): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
}

/**
 * Handles the leftovers of an earlier start. Keeps a living server that accepts our password on the wanted
 * port, stops any other one, and removes a dead server's file whose pid another process has now.
 */
async function takeOverOrphan(
  paths: ClusterPaths,
  password: string,
  port: number | undefined,
  log: (line: string) => void,
): Promise<RunningServer | null> {
  const left = readPostmasterFile(paths);
  if (left === null || !isRunning(left.pid)) return null;
  // Killed a moment ago: its memory is freed, but the process still exists.
  if (commandLine(left.pid) === '' && (await waitUntilGone(left.pid, DYING_TIMEOUT_MS))) return null;
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
  await clearDeadServer(paths, options.log ?? (() => {}));
  ownCluster(paths.cluster, launcher);
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
      // The port was free when it was chosen; another process bound it first.
      const isLostRace = error instanceof Error && error.message.includes('Address already in use');
      if (!isLostRace || options.port !== undefined || attempt === PORT_ATTEMPTS_MAX) throw error;
    }
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
