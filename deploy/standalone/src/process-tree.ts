/** Memory and processor time of a tree of processes, from /proc (Linux). */
import { readdirSync, readFileSync } from 'node:fs';

export type ProcessUsage = {
  pid: number;
  name: string;
  /** Null for a process of another user. */
  pssBytes: number | null;
  /** The part of it that no file backs: unlike program text, it cannot be shared with other processes. */
  anonymousBytes: number | null;
  cpuMs: number;
};

// Ticks per second as the kernel reports them to user space; 100 on every Linux that Node runs on.
const ticksPerSecond = 100;

/** The processes below the roots, including the roots; those that have exited are left out. */
export function listTree(roots: readonly number[]): ProcessUsage[] {
  const parents = readParents();
  const members = new Set<number>();
  const add = (pid: number): void => {
    if (members.has(pid) || !parents.has(pid)) return;
    members.add(pid);
    for (const [child, parent] of parents) if (parent === pid) add(child);
  };
  for (const root of roots) add(root);
  return [...members].flatMap(pid => readUsage(pid) ?? []);
}

/** The process that the user started: climbs over the launcher, the shell and npm above a process. */
export function findLauncher(pid: number): number {
  let current = pid;
  for (;;) {
    const parent = readParents().get(current);
    if (parent === undefined || parent <= 1) return current;
    if (!/bootstrap\.mjs|^npm |npm-cli\.js|npm start|sh -c/.test(readCommand(parent))) return current;
    current = parent;
  }
}

function readParents(): Map<number, number> {
  const parents = new Map<number, number>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = readStat(Number(entry));
    if (stat) parents.set(Number(entry), Number(stat[1]));
  }
  return parents;
}

/** The fields of /proc/<pid>/stat after the name, which may contain spaces and brackets. */
function readStat(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

function readCommand(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

function readUsage(pid: number): ProcessUsage | null {
  const stat = readStat(pid);
  if (!stat) return null;
  const cpuTicks = Number(stat[11]) + Number(stat[12]);
  return {
    pid,
    name: shortName(readCommand(pid)),
    pssBytes: readPss(pid, 'Pss'),
    anonymousBytes: readPss(pid, 'Pss_Anon'),
    cpuMs: (cpuTicks * 1000) / ticksPerSecond,
  };
}

/** PSS counts a page shared by several processes once in total; RSS would count it in each. */
function readPss(pid: number, field: 'Pss' | 'Pss_Anon'): number | null {
  try {
    const match = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(
      readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'),
    );
    return match ? Number(match[1]) * 1024 : null;
  } catch {
    return null;
  }
}

function shortName(command: string): string {
  if (/^postgres:/.test(command)) return command.slice(0, 48);
  if (/bin\/postgres /.test(command)) return 'postgres (main)';
  if (/standalone\/src\/main\.ts/.test(command)) return 'hookline (five services, simulators)';
  if (/bootstrap\.mjs/.test(command)) return 'launcher';
  return command.slice(0, 48);
}
