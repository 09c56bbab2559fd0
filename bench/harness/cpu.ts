/** Resource use of a process, read from `/proc`: CPU time including its children, and memory. Linux only. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export type Usage = {
  /** User and system time since the process started, microseconds; resolution one clock tick (10,000). */
  cpuUs: number;
  /** Resident memory now, bytes. */
  rssBytes: number;
};

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
const pageBytes = Number(execFileSync('getconf', ['PAGESIZE'], { encoding: 'utf8' }));

/** The process and every process below it. */
export function usageOf(pid: number): Usage {
  const usage = { cpuUs: 0, rssBytes: 0 };
  for (const member of familyOf(pid)) {
    // After the command name, which may contain spaces: utime is the 12th field, stime the 13th, rss the
    // 22nd.
    const fields = statFields(member);
    usage.cpuUs += ((Number(fields[11]) + Number(fields[12])) * 1e6) / ticksPerSecond;
    usage.rssBytes += Number(fields[21]) * pageBytes;
  }
  return usage;
}

/** Fields after the command name; zeros for a process that has just exited. */
function statFields(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return new Array(22).fill('0');
  }
}

function familyOf(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(familyOf)];
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap(task =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    // It exited after its parent was read.
    return [];
  }
}

/** CPU use of the rest of the machine: it makes figures worse and ratios less certain. */
export type MachineShare = { othersShare(): number };

/**
 * Starts watching. `othersShare`: CPU time of all other processes since then, as a share of the machine's (0
 * to 1).
 */
export function watchOthers(): MachineShare {
  const began = machineTicks();
  const ownBefore = ownTicks();
  return {
    othersShare() {
      const now = machineTicks();
      const others = now.busy - began.busy - (ownTicks() - ownBefore);
      return Math.max(0, others) / (now.total - began.total);
    },
  };
}

function machineTicks(): { busy: number; total: number } {
  const line = readFileSync('/proc/stat', 'latin1').split('\n', 1)[0] ?? '';
  // user, nice, system, idle, iowait, irq, softirq, steal
  const fields = line.trim().split(/\s+/).slice(1, 9).map(Number);
  const total = fields.reduce((sum, ticks) => sum + ticks, 0);
  return { busy: total - (fields[3] ?? 0) - (fields[4] ?? 0), total };
}

/** This process and everything below it, including exited children. */
function ownTicks(): number {
  let ticks = 0;
  for (const member of familyOf(process.pid)) {
    for (const field of statFields(member).slice(11, 15)) ticks += Number(field);
  }
  return ticks;
}
