import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createPostgresLauncher } from '@hookline/embedded';
import { freePort } from '@hookline/embedded/free-port';
import pg from 'pg';
import { type ChildServer, startChildServer } from './child-server.ts';
import { unpackDebianPackages } from './debian-package.ts';

const READY_TIMEOUT_MS = 20_000;

export type PgBouncerOptions = {
  workDir: string;
  /** Superuser URL of the Postgres behind it. */
  serverUrl: string;
  poolMode: 'session' | 'transaction' | 'statement';
  /** Further lines of the section `[pgbouncer]`, such as `default_pool_size`. */
  settings?: Readonly<Record<string, string>>;
  onPid?: (pid: number) => void;
};

export type PgBouncer = ChildServer & {
  /** Superuser URL through the pooler. Every role signs in with its own password. */
  url: string;
};

/**
 * Starts a real PgBouncer: the one on the PATH, else the Debian package. Apart from the pool mode and
 * authentication, its configuration is the default.
 * @throws a one-sentence error: what to install, or the server's error
 */
export async function startPgBouncer(options: PgBouncerOptions): Promise<PgBouncer> {
  const workDir = resolve(options.workDir);
  mkdirSync(workDir, { recursive: true });
  const server = new URL(options.serverUrl);
  const port = await freePort();
  // It refuses to run as root, as Postgres does.
  const { prefix, uid } = createPostgresLauncher();
  const users = join(workDir, 'users.txt');
  const entry = [server.username, server.password].map(part => JSON.stringify(decodeURIComponent(part)));
  writeFileSync(users, `${entry.join(' ')}\n`, { mode: 0o644 });
  const config = join(workDir, 'pgbouncer.ini');
  const lines = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    pool_mode: options.poolMode,
    auth_type: 'scram-sha-256',
    auth_file: users,
    auth_user: server.username,
    ...(uid === undefined ? {} : { user: 'nobody' }),
    ...options.settings,
  };
  const section = Object.entries(lines).map(([name, value]) => `${name} = ${value}`);
  const target = `* = host=${server.hostname} port=${server.port}`;
  writeFileSync(config, ['[databases]', target, '[pgbouncer]', ...section, ''].join('\n'));
  const url = new URL(options.serverUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  const command = [...prefix, ...findCommand(), config];
  const child = await startChildServer({
    name: 'PgBouncer',
    command: command[0] as string,
    args: command.slice(1),
    logFile: join(workDir, 'pgbouncer.log'),
    isReady: () => answers(url.href),
    readyTimeoutMs: READY_TIMEOUT_MS,
    ...(options.onPid === undefined ? {} : { onPid: options.onPid }),
  });
  return { ...child, url: url.href };
}

/** The program, prefixed with `env` when its libraries come from Debian packages too. */
function findCommand(): string[] {
  if (runs(['pgbouncer'])) return ['pgbouncer'];
  const unpacked = unpackDebianPackages('PgBouncer', ['pgbouncer', 'libc-ares2', 'libevent-2.1-7']);
  const program = join(unpacked, 'usr/sbin/pgbouncer');
  const libraries = join(unpacked, 'usr/lib');
  const folders = existsSync(libraries)
    ? readdirSync(libraries).filter(name => name.includes('-linux-'))
    : [];
  const path = folders.map(name => join(libraries, name)).join(':');
  const command = ['env', `LD_LIBRARY_PATH=${path}`, program];
  if (runs(command)) return command;
  throw new Error(
    'PgBouncer was downloaded but does not run on this machine: install it (apt-get install pgbouncer).',
  );
}

function runs(command: string[]): boolean {
  return (
    spawnSync(command[0] as string, [...command.slice(1), '--version'], { stdio: 'ignore' }).status === 0
  );
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 1_000,
    query_timeout: 1_000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
