/** Ends everything that a run started, directly or not: brokers and servers have separate process groups. */

import { spawnSync } from 'node:child_process';
import { constants } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

const endWithinMs = 5_000;

/** Processes below this one, without those that have exited and wait to be reaped. */
export function descendants(): number[] {
  const { stdout, pid: ps } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' });
  const rows = stdout
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/))
    .filter(([, , state = 'Z']) => !state.startsWith('Z'))
    .map(([pid, parent]) => ({ pid: Number(pid), parent: Number(parent) }));
  const below = (parent: number): number[] =>
    rows.filter(row => row.parent === parent && row.pid !== ps).flatMap(({ pid }) => [pid, ...below(pid)]);
  return below(process.pid);
}

/** SIGTERM to all, SIGKILL to those still running after 5 s, including processes started in between. */
export async function endDescendants(): Promise<void> {
  const untilMs = performance.now() + endWithinMs;
  const told = new Set<number>();
  for (;;) {
    const left = descendants();
    if (left.length === 0) return;
    const isLate = performance.now() > untilMs;
    for (const pid of left) {
      if (isLate) signal(pid, 'SIGKILL');
      else if (!told.has(pid)) signal(pid, 'SIGTERM');
      told.add(pid);
    }
    if (performance.now() > untilMs + endWithinMs) return;
    await wait(50);
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has just exited.
  }
}

/**
 * Brokers and servers have separate process groups: without this a Ctrl-C leaves them running with their
 * ports.
 */
export function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      void endDescendants().finally(() => process.exit(128 + constants.signals[signal]));
    });
  }
}
