import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './run-command.ts';

export type Counts = { passed: number; failed: number; skipped: number };

export type VitestRing = {
  project: 'unit' | 'int' | 'e2e' | 'distributed';
  /** Parts of paths: a file runs when it holds one of them; all files when absent. */
  only?: readonly string[];
  env?: Readonly<Record<string, string | undefined>>;
  timeoutMs: number;
};

export type RingResult = Counts & {
  /** What makes the ring fail besides failed tests, or explains them. */
  complaints: string[];
  files: number;
};

/** What vitest's JSON reporter writes, as far as it is read here. */
type JsonReport = {
  testResults: { name: string; status: string; message: string; assertionResults: { status: string }[] }[];
};

/** Runs one ring in a vitest process of its own, which prints for people while its JSON report is counted. */
export async function runVitestRing(ring: VitestRing): Promise<RingResult> {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-ring-'));
  try {
    const reportFile = join(folder, 'report.json');
    const code = await runVitest(ring, reportFile);
    return summarise(readReport(reportFile), code);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runVitest(ring: VitestRing, reportFile: string): Promise<number> {
  const args = ['run', '--project', ring.project, ...(ring.only ?? [])];
  args.push('--reporter=dot', '--reporter=json', `--outputFile.json=${reportFile}`);
  const child = spawn(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...args], {
    cwd: ROOT,
    env: { ...process.env, ...ring.env },
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: ring.timeoutMs,
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', code => resolve(code ?? 1));
  });
}

function readReport(path: string): JsonReport {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as JsonReport;
  } catch {
    return { testResults: [] };
  }
}

/** Counts the report. A ring, a file or a failure that the counts would hide becomes a failed test of its own. */
export function summarise(report: JsonReport, exitCode: number): RingResult {
  const result: RingResult = {
    passed: 0,
    failed: 0,
    skipped: 0,
    complaints: [],
    files: report.testResults.length,
  };
  for (const file of report.testResults) {
    const statuses = file.assertionResults.map(test => test.status);
    const counted = {
      passed: statuses.filter(status => status === 'passed').length,
      failed: statuses.filter(status => status === 'failed').length,
    };
    result.passed += counted.passed;
    result.failed += counted.failed;
    result.skipped += statuses.length - counted.passed - counted.failed;
    const path = file.name.replace(`${ROOT}/`, '');
    if (statuses.length === 0)
      addFailure(result, `${path} ran nothing: ${file.message.trim() || 'it holds no test'}`);
    else if (file.status === 'failed' && counted.failed === 0)
      addFailure(result, `${path} failed outside its tests`);
  }
  if (result.files === 0) addFailure(result, 'no test file ran');
  if (exitCode !== 0 && result.failed === 0) addFailure(result, `vitest ended with ${exitCode}`);
  return result;
}

function addFailure(result: RingResult, complaint: string): void {
  result.failed += 1;
  result.complaints.push(complaint);
}
