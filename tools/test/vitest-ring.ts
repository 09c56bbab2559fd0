import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Readable } from 'node:stream';
import type { JsonTestResults } from 'vitest/node';
import { ROOT } from './run-command.ts';

export type Counts = { passed: number; failed: number; skipped: number };

export type RingResult = Counts & {
  /** Causes of a failing ring other than failed tests. */
  complaints: string[];
  /** A line for each failure, for the end of the run. */
  failures: string[];
  /** The same for a first run whose failed files passed when they ran again. */
  unsteady?: string[];
};

export type VitestRing = {
  /** Name of vitest's report: `.cache/rings/<name>.json`. */
  name: string;
  project: 'unit' | 'int' | 'e2e' | 'distributed' | 'console';
  /** Addresses of servers that the run shares with other rings. A repeat starts its own. */
  servers?: Readonly<Record<string, string>>;
  /** More arguments for vitest; for tests of this file. */
  args?: readonly string[];
  /** A ring that prints nothing for as long is killed; vitest prints a dot for each test. Default: 10 min. */
  silentMs?: number;
  /** True: a few failed files run once more, in a new process, as set-ups fail too. Default: in CI, not for units. */
  isRepeated?: boolean;
};

type Run = { files: JsonTestResults['testResults']; code: number };

const KILL_AFTER_MS = 10_000;
const REPEATED_FILES_MAX = 3;
type Child = ChildProcessByStdio<null, Readable, Readable>;
const running = new Set<Child>();

/** Runs one ring in a separate vitest process, which prints for people and writes a report for the counts. */
export async function runVitestRing(ring: VitestRing): Promise<RingResult> {
  const { isRepeated = process.env.CI === 'true' && ring.project !== 'unit', args = [] } = ring;
  const first = await runOnce(ring, args);
  if (typeof first === 'string') return failedWith(first);
  const result = summarise(first);
  const failed = first.files.filter(hasFailed).map(({ name }) => name);
  if (!isRepeated || failed.length === 0 || failed.length > REPEATED_FILES_MAX) return result;
  // A new database behind the same Kafka looks like one that went back in time: scheduling sends nothing then.
  const second = await runOnce({ ...ring, servers: {} }, [
    ...args.filter(arg => arg.startsWith('--')),
    ...failed,
  ]);
  if (typeof second === 'string' || second.code !== 0) return result;
  const files = [...first.files.filter(file => !hasFailed(file)), ...second.files];
  return { ...summarise({ files, code: 0 }), unsteady: result.failures };
}

/** @returns a string that says why there is no report */
async function runOnce(ring: VitestRing, args: readonly string[]): Promise<Run | string> {
  const { silentMs = 600_000 } = ring;
  const report = join(ROOT, '.cache/rings', `${ring.name}.json`);
  rmSync(report, { force: true });
  const child = startVitest(ring, args, report);
  running.add(child);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    endGroup(child);
  }, silentMs);
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const) {
    from.on('data', (chunk: Buffer) => {
      to.write(chunk);
      timer.refresh();
    });
  }
  try {
    const code = await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', exitCode => resolve(exitCode ?? 1));
    });
    if (isLate) return `it was killed after ${silentMs / 1_000} s without output`;
    return readReport(report, code);
  } finally {
    clearTimeout(timer);
    running.delete(child);
  }
}

function readReport(report: string, code: number): Run | string {
  try {
    return { files: (JSON.parse(readFileSync(report, 'utf8')) as JsonTestResults).testResults, code };
  } catch {
    return `vitest ended with ${code} and wrote no report`;
  }
}

function hasFailed({ status }: Run['files'][number]): boolean {
  return status === 'failed';
}

function summarise({ files, code }: Run): RingResult {
  const tests = files.flatMap(({ name, assertionResults }) =>
    assertionResults.map(test => ({ ...test, file: relative(ROOT, name) })),
  );
  // A file can fail in its set-up, or while it loads: no test of it failed then.
  const complaints = files
    .filter(hasFailed)
    .filter(({ assertionResults }) => !assertionResults.some(({ status }) => status === 'failed'))
    .map(({ name, message }) => `${relative(ROOT, name)} failed outside its tests: ${shortened(message)}`);
  const failed = tests.filter(({ status }) => status === 'failed');
  if (tests.length + complaints.length === 0) complaints.push('no test ran');
  if (code !== 0 && failed.length + complaints.length === 0) complaints.push(`vitest ended with ${code}`);
  return {
    passed: tests.filter(({ status }) => status === 'passed').length,
    failed: failed.length + complaints.length,
    skipped: tests.filter(({ status }) => !['passed', 'failed'].includes(status)).length,
    complaints,
    failures: [
      ...failed.map(test => `${test.file} > ${test.fullName}: ${shortened(test.failureMessages?.[0])}`),
      ...complaints,
    ],
  };
}

function failedWith(complaint: string): RingResult {
  return { passed: 0, failed: 1, skipped: 0, complaints: [complaint], failures: [complaint] };
}

/** The first eight lines of an error without its stack: a wait of the browser says there what it waited for. */
function shortened(error = ''): string {
  const lines =
    error
      .trim()
      .split(/\n\s+at /, 1)[0]
      ?.split('\n', 8) ?? [];
  return lines.map(line => line.trim()).join(' ') || 'no error is known';
}

/** Ends the running rings, with every process that they started. */
export function endRings(): void {
  for (const child of running) endGroup(child);
}

function startVitest({ project, servers }: VitestRing, args: readonly string[], report: string): Child {
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`];
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  return spawn(process.execPath, [vitest, 'run', '--project', project, ...args, ...reporters], {
    cwd: ROOT,
    env: { ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}), ...process.env, ...servers },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group, so that its workers end with it.
    detached: true,
  });
}

/** SIGTERM to the whole group, SIGKILL to the rest of it after 10 s. */
function endGroup(child: Child): void {
  signalGroup(child, 'SIGTERM');
  setTimeout(() => signalGroup(child, 'SIGKILL'), KILL_AFTER_MS).unref();
}

function signalGroup(child: Child, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // Every process of it has exited.
  }
}
