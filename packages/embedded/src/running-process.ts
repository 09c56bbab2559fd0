import { readFileSync } from 'node:fs';

/** A process and when it began, so that a recycled pid is not taken for the old process. */
export type ProcessIdentity = { pid: number; startedAt: string };

/** `/proc/<pid>/stat` behind the command name, which may hold spaces and brackets: state first, start time 20th. */
function statFields(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

/**
 * Whether a process runs. A zombie does not: where PID 1 reaps nothing (some containers) an orphan would
 * otherwise look alive for ever.
 */
export function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return !isZombie(pid);
}

/** Whether a process has ended and waits for its parent to take notice of it. */
export function isZombie(pid: number): boolean {
  return statFields(pid)?.[0] === 'Z';
}

/** The identity of a running process; `startedAt` is empty where there is no `/proc` (macOS). */
export function identify(pid: number): ProcessIdentity {
  return { pid, startedAt: statFields(pid)?.[19] ?? '' };
}

/** Whether exactly this process, not a later one with its pid, still runs. */
export function isSameProcess(identity: ProcessIdentity): boolean {
  return isRunning(identity.pid) && identify(identity.pid).startedAt === identity.startedAt;
}

/** The command line of a process; null where it cannot be told, empty while it is dying. */
export function commandLine(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return null;
  }
}

/** Resolves when a process that is not our child is gone; false after `timeoutMs`. */
export async function waitUntilGone(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isRunning(pid)) {
    if (Date.now() > deadline) return false;
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  return true;
}
