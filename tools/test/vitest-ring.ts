import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { createRingRecord, type RingResult } from './ring-record.ts';
import type { RingEvent } from './ring-reporter.ts';
import { ROOT } from './run-command.ts';

export type VitestRing = {
  /** Name of the event log: `.cache/rings/<name>.ndjson`. */
  name: string;
  project: 'unit' | 'int' | 'e2e' | 'distributed' | 'console';
  /** Parts of paths: a file runs when it contains one of them; all files when absent. */
  only?: readonly string[];
  env?: Readonly<Record<string, string | undefined>>;
  /** Replaces the repository's configuration; for tests of this file. */
  config?: string;
  limits?: Partial<RingLimits>;
  /** Prints nothing; for tests of this file. */
  isSilent?: boolean;
};

export type RingLimits = {
  /** Limit until the first test starts. */
  startMs: number;
  /**
   * Limit after that: a ring without a file loaded, a test started or a test ended for this long is killed.
   */
  stallMs: number;
  /** Limit in total, whatever its progress. */
  totalMs: number;
};

// The longest hook may take 4 min, the longest test 8: ten restarts under load, which took 4 min on a machine
// with a load of 16. Loading a file took 40 s there.
const defaultLimits: RingLimits = { startMs: 300_000, stallMs: 600_000, totalMs: 3_600_000 };
const KILL_AFTER_MS = 10_000;

/**
 * Runs one ring in a separate vitest process, which prints for people while the lines of its reporter are
 * counted.
 */
export async function runVitestRing(ring: VitestRing): Promise<RingResult> {
  const limits = { ...defaultLimits, ...ring.limits };
  const record = createRingRecord();
  const child = startVitest(ring);
  const exited = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', code => resolve(code ?? 1));
  });
  let killedFor: string | null = null;
  const kill = (reason: string): void => {
    killedFor ??= reason;
    endGroup(child);
  };
  const total = setTimeout(() => kill(`it ran for ${limits.totalMs / 1_000} s`), limits.totalMs);
  let limitMs = limits.startMs;
  let stall: NodeJS.Timeout | undefined;
  const noteProgress = (event?: RingEvent): void => {
    if (event?.event === 'started') limitMs = limits.stallMs;
    clearTimeout(stall);
    stall = setTimeout(() => kill(`no test started or ended for ${limitMs / 1_000} s`), limitMs);
  };
  noteProgress();
  const logFile = join(ROOT, '.cache/rings', `${ring.name}.ndjson`);
  mkdirSync(dirname(logFile), { recursive: true });
  const log = createWriteStream(logFile);
  try {
    for await (const line of createInterface(child.stdio[3] as Readable)) {
      const event = JSON.parse(line) as RingEvent;
      noteProgress(event);
      log.write(`${line}\n`);
      record.add(event);
    }
    const code = await exited;
    return killedFor === null ? record.summarise(code) : record.summariseKilled(killedFor);
  } finally {
    clearTimeout(total);
    clearTimeout(stall);
    log.end();
    running.delete(child);
  }
}

const running = new Set<ChildProcess>();

/** Ends the running rings, with every process that they started. */
export function endRings(): void {
  for (const child of running) endGroup(child);
}

function startVitest(ring: VitestRing): ChildProcess {
  const args = ['run', '--project', ring.project, ...(ring.only ?? [])];
  if (ring.config !== undefined) args.push('--config', ring.config);
  args.push('--reporter=dot', `--reporter=${join(import.meta.dirname, 'ring-reporter.ts')}`);
  const child = spawn(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...args], {
    cwd: ROOT,
    env: { ...process.env, ...ring.env, HOOKLINE_RING_FD: '3' },
    stdio: ring.isSilent ? ['ignore', 'ignore', 'ignore', 'pipe'] : ['ignore', 'inherit', 'inherit', 'pipe'],
    // A separate process group, so that its workers end with it.
    detached: true,
  });
  running.add(child);
  return child;
}

/** SIGTERM to the whole group, SIGKILL to the rest of it after 10 s. */
function endGroup(child: ChildProcess): void {
  signalGroup(child, 'SIGTERM');
  setTimeout(() => signalGroup(child, 'SIGKILL'), KILL_AFTER_MS).unref();
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // Every process of it has exited.
  }
}
