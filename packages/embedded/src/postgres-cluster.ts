import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isTraversable, outsideFolder, type PostgresLauncher } from './postgres-binaries.ts';

/** The major version of the shipped binaries; they cannot open a cluster of another major version. */
const MAJOR_VERSION = '18';

/** The files of one embedded Postgres. All but the cluster are directly in `dataDir`. */
export type ClusterPaths = {
  dataDir: string;
  cluster: string;
  lock: string;
  password: string;
  logFile: string;
  state: string;
};

/**
 * Plans the paths below `dataDir` and creates its folders (0700). Throws a one-sentence error when that is
 * not possible.
 */
export function prepareFolders(
  wantedDir: string,
  launcher: Pick<PostgresLauncher, 'uid'>,
  log: (line: string) => void,
): ClusterPaths {
  try {
    mkdirSync(join(wantedDir, 'run'), { recursive: true, mode: 0o700 });
    const probe = join(wantedDir, 'run', `.writable-${process.pid}`);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      `The data folder ${wantedDir} cannot be written (${code}): make it writable, or name another one with DATA_DIR.`,
    );
  }
  // One canonical path: it identifies a running server.
  const dataDir = realpathSync(wantedDir);
  return {
    dataDir,
    cluster: join(clusterParent(dataDir, launcher, log), 'cluster'),
    lock: join(dataDir, 'lock'),
    password: join(dataDir, 'password'),
    logFile: join(dataDir, 'postgres.log'),
    state: join(dataDir, 'run', 'pg.json'),
  };
}

/**
 * Parent folder of the cluster: `dataDir`, or a folder that the other user can reach when Postgres runs as
 * one.
 */
function clusterParent(
  dataDir: string,
  launcher: Pick<PostgresLauncher, 'uid'>,
  log: (line: string) => void,
): string {
  if (launcher.uid === undefined) return dataDir;
  if (isTraversable(dirname(dataDir))) {
    chmodSync(dataDir, 0o711);
    return dataDir;
  }
  const parent = outsideFolder(dataDir);
  log(
    `Postgres cannot run as root, and its user cannot reach ${dataDir}: the database is kept in ${parent}.`,
  );
  return parent;
}

/** Gives the cluster to the user that Postgres runs as, which may differ from the last start. */
export function ownCluster(cluster: string, launcher: PostgresLauncher): void {
  const uid = launcher.uid ?? process.geteuid?.();
  if (uid === undefined || statSync(cluster).uid === uid) return;
  for (const entry of readdirSync(cluster, { recursive: true, withFileTypes: true })) {
    lchownSync(join(entry.parentPath, entry.name), uid, uid);
  }
  // Last, so that a start killed here begins again.
  lchownSync(cluster, uid, uid);
}

/** The superuser's password, created at the first start and stored next to the cluster (0600). */
export function loadPassword(paths: ClusterPaths): string {
  if (existsSync(paths.password)) return readFileSync(paths.password, 'utf8').trim();
  if (existsSync(paths.cluster)) {
    throw new Error(
      `${paths.password} is missing: put it back, or remove ${paths.cluster} to begin with an empty database.`,
    );
  }
  const password = randomBytes(24).toString('base64url');
  // A full disk must not leave an empty one, with which the next start would make the cluster.
  const draft = `${paths.password}.new`;
  writeFileSync(draft, `${password}\n`, { mode: 0o600 });
  renameSync(draft, paths.password);
  return password;
}

/**
 * Creates the cluster unless it exists. It is built under a temporary name and renamed, so that a kill -9
 * during initdb leaves no half-built cluster.
 *
 * @throws a one-sentence error when initdb fails or the cluster has another major version
 */
export async function ensureCluster(
  paths: ClusterPaths,
  launcher: PostgresLauncher,
  password: string,
): Promise<void> {
  if (existsSync(paths.cluster)) {
    const version = readFileSync(join(paths.cluster, 'PG_VERSION'), 'utf8').trim();
    if (version === MAJOR_VERSION) {
      // Postgres would refuse a restored copy with other modes ("invalid permissions").
      chmodSync(paths.cluster, 0o700);
      return;
    }
    throw new Error(
      `${paths.cluster} was made by Postgres ${version} and this is Postgres ${MAJOR_VERSION}: name another DATA_DIR, or remove that folder to begin empty.`,
    );
  }
  const parent = dirname(paths.cluster);
  for (const left of readdirSync(parent).filter(name => name.startsWith('cluster.new'))) {
    rmSync(join(parent, left), { recursive: true, force: true });
  }
  const draft = `${paths.cluster}.new-${randomBytes(4).toString('hex')}`;
  const passwordFile = join(parent, `cluster.new-password-${randomBytes(4).toString('hex')}`);
  try {
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
    mkdirSync(draft, { mode: 0o700 });
    for (const path of launcher.uid === undefined ? [] : [passwordFile, draft])
      lchownSync(path, launcher.uid!, launcher.uid!);
    await runInitdb(launcher, ['-D', draft, `--pwfile=${passwordFile}`]);
    renameSync(draft, paths.cluster);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

function runInitdb(launcher: PostgresLauncher, args: string[]): Promise<void> {
  // Without these options the encoding is SQL_ASCII where LANG is empty. macOS has no C.UTF-8, so Postgres's
  // built-in one is used.
  const locale =
    process.platform === 'darwin'
      ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
      : ['--locale=C.UTF-8'];
  const fixed = [
    '--username=postgres',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    ...locale,
    '--no-instructions',
  ];
  const child = spawnPostgres(launcher, 'initdb', [...args, ...fixed], ['ignore', 'pipe', 'pipe']);
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => lines.push(...text.split('\n')));
  }
  return new Promise((resolve, reject) => {
    child.once('error', error => reject(new Error(`initdb could not be run (${error.message}).`)));
    child.once('close', code => {
      if (code === 0) return resolve();
      const reason =
        lines.findLast(line => line.includes('error:') || line.includes('FATAL:')) ?? lines.join(' ');
      reject(
        new Error(`The database could not be created: ${reason.trim() || `initdb ended with ${code}`}.`),
      );
    });
  });
}

/**
 * Spawns one of the embedded programs through the launcher, in its own process group: Ctrl-C in the terminal
 * must reach our process only, because the services stop first and Postgres last.
 */
export function spawnPostgres(
  launcher: PostgresLauncher,
  program: 'initdb' | 'postgres',
  args: string[],
  stdio: ('ignore' | 'pipe' | number)[],
): ReturnType<typeof spawn> {
  const [command, ...rest] = [...launcher.prefix, join(launcher.nativeDir, 'bin', program), ...args];
  return spawn(command as string, rest, {
    stdio,
    detached: true,
    cwd: '/',
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    ...(launcher.uid === undefined ? {} : { uid: launcher.uid, gid: launcher.uid }),
  });
}
