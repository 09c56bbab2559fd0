import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { identify, isSameProcess, type ProcessIdentity } from './running-process.ts';

const ATTEMPTS_MAX = 20;
const held = new Set<string>();

function readOwner(path: string): ProcessIdentity | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ProcessIdentity;
  } catch {
    return null;
  }
}

/** Creates the lock atomically: `link` fails when the name exists, so no reader sees half a file. */
function tryCreate(path: string): boolean {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, JSON.stringify(identify(process.pid)), { mode: 0o600 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Removes a dead owner's lock; restores it when another process took it over in the meantime. */
function removeStale(path: string, stale: ProcessIdentity | null): void {
  const aside = `${path}.stale.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  const moved = readOwner(aside);
  if (JSON.stringify(moved) !== JSON.stringify(stale)) {
    try {
      linkSync(aside, path);
    } catch {
      // A third process holds the name now; the loop above checks again.
    }
  }
  rmSync(aside, { force: true });
}

/**
 * Acquires the lock file at `path` for this process and returns the function that releases it. A lock whose
 * owner is dead (kill -9, power cut) is taken over.
 *
 * @returns null when a living process, this one included, holds it; `lockOwner` identifies it
 * @throws the file system's error when the folder is not writable
 */
export function acquireLock(path: string): (() => void) | null {
  if (held.has(path)) return null;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    if (tryCreate(path)) {
      held.add(path);
      return () => {
        if (held.delete(path)) rmSync(path, { force: true });
      };
    }
    const owner = readOwner(path);
    // Our own pid without our own mark: an earlier process had this pid, as PID 1 does in every container.
    const isLive = owner !== null && owner.pid !== process.pid && isSameProcess(owner);
    if (isLive) return null;
    removeStale(path, owner);
  }
  return null;
}

/** The living process that holds the lock; null when it is free. */
export function lockOwner(path: string): ProcessIdentity | null {
  const owner = readOwner(path);
  return owner !== null && isSameProcess(owner) ? owner : null;
}
