import { readFileSync, readlinkSync } from 'node:fs';

/**
 * A process and its start time, so that a recycled pid is not mistaken for the old process. A pid says nothing
 * in another `namespace`, such as that of another container.
 */
export type ProcessIdentity = { pid: number; startedAt: string; namespace: string };

/**
 * Fields of `/proc/<pid>/stat` after the command name, which may contain spaces and brackets: state is first,
 * start time 20th.
 */
function statFields(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

/**
 * True when a process is running. A zombie is not: where PID 1 reaps nothing (some containers) an orphan
 * would otherwise appear alive for ever.
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

/** True when a process has exited but its parent has not reaped it. */
export function isZombie(pid: number): boolean {
  return statFields(pid)?.[0] === 'Z';
}

/** The identity of a running process of our namespace; without `/proc` (macOS) it is the pid alone. */
export function identify(pid: number): ProcessIdentity {
  return { pid, startedAt: statFields(pid)?.[19] ?? '', namespace: ownNamespace() };
}

/** False for a process of another container. */
export function isOfOwnNamespace({ namespace }: ProcessIdentity): boolean {
  return namespace === ownNamespace();
}

function ownNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** True when exactly this process, not a later one with its pid, is still running. */
export function isSameProcess(identity: ProcessIdentity): boolean {
  const isHere = isOfOwnNamespace(identity) && isRunning(identity.pid);
  return isHere && identify(identity.pid).startedAt === identity.startedAt;
}

/** The command line of a process; null where it cannot be determined, empty while it exits. */
export function commandLine(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return null;
  }
}

/** Resolves when a process that is not our child has exited; false after `timeoutMs`. */
export async function waitUntilGone(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isRunning(pid)) {
    if (Date.now() > deadline) return false;
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  return true;
}
