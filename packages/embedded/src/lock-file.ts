import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { identify, isOfOwnNamespace, isSameProcess, type ProcessIdentity } from './running-process.ts';

const ATTEMPTS_MAX = 20;
/** The owner touches its lock, so that it is known to live in another container too. */
const TOUCH_EVERY_MS = 2_000;
const WATCH_MS = 10_000;
const LOOK_EVERY_MS = 250;
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

function keepTouching(path: string): NodeJS.Timeout {
  const touch = (): void => {
    try {
      utimesSync(path, new Date(), new Date());
    } catch {
      // A full disk does not end the product.
    }
  };
  return setInterval(touch, TOUCH_EVERY_MS).unref();
}

/** Blocks, at the start of a process, for up to 10 s. @returns true as soon as the owner touches its lock */
function isTouched(path: string): boolean {
  const before = touchedAt(path);
  const clock = new Int32Array(new SharedArrayBuffer(4));
  for (let ms = 0; ms < WATCH_MS; ms += LOOK_EVERY_MS) {
    Atomics.wait(clock, 0, 0, LOOK_EVERY_MS);
    const now = touchedAt(path);
    if (now !== before) return now !== undefined;
  }
  return false;
}

function touchedAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
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
 * owner is dead (kill -9, power cut) is taken over; one of another container, after it was watched for 10 s.
 *
 * @returns null when a living process, this one included, holds it; `lockOwner` identifies it
 * @throws the file system's error when the folder is not writable
 */
export function acquireLock(path: string): (() => void) | null {
  if (held.has(path)) return null;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    if (tryCreate(path)) {
      held.add(path);
      const touching = keepTouching(path);
      return () => {
        clearInterval(touching);
        if (held.delete(path)) rmSync(path, { force: true });
      };
    }
    const owner = readOwner(path);
    // Our own pid without our own mark: an earlier process had this pid, as PID 1 does in every container.
    const isOurPid = owner?.pid === process.pid;
    const isLive = (of: ProcessIdentity): boolean =>
      isOfOwnNamespace(of) ? !isOurPid && isSameProcess(of) : isTouched(path);
    if (owner !== null && isLive(owner)) return null;
    removeStale(path, owner);
  }
  return null;
}

/** The living process that holds the lock; null when it is free. */
export function lockOwner(path: string): ProcessIdentity | null {
  const owner = readOwner(path);
  return owner !== null && isSameProcess(owner) ? owner : null;
}
