/** Ends what a run started, whoever in it started it: brokers and servers are process groups of their own. */

import { spawnSync } from 'node:child_process';
import { constants } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

const endWithinMs = 5_000;

/** Processes below this one; ones that have ended and wait to be reaped do not count. */
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

/** SIGTERM to all, SIGKILL to what still runs after 5 s. What is started in between is ended too. */
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
    // It has just ended.
  }
}

/** Brokers and servers are process groups of their own: without this a Ctrl-C leaves them with their ports. */
export function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      void endDescendants().finally(() => process.exit(128 + constants.signals[signal]));
    });
  }
}
