import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkAlertRules } from '../alerts/check-rules.ts';
import { lintChart } from '../deploy/chart.ts';
import { lintContainers } from '../deploy/containers.ts';
import { lintKubernetes } from '../deploy/kubernetes.ts';
import { lintMigrations } from '../deploy/migrations.ts';
import { LintersMissing, lintOpenApi, ProgramAbsent } from '../openapi/lint.ts';
import { findForbiddenImports } from './boundaries.ts';
import { findDeadCitations } from './citations.ts';
import { findDeadLinks } from './document-links.ts';
import { checkFirstScreen, describeFirstScreen } from './first-screen.ts';
import { findImpureRules } from './pure-rules.ts';
import { findRoomFaults } from './rooms.ts';
import { ROOT, runTool } from './run-command.ts';
import { listFiles } from './source-files.ts';
import { findSqlOutsideQueries } from './sql.ts';

/** One step of the check ring; its findings are returned as lines. */
type CheckStep = { name: string; run: () => Promise<string[]>; report?: () => string };

/**
 * @property skipped reason why the step could not run; absent when it did
 * @property report what the step measured
 */
export type CheckResult = {
  name: string;
  complaints: string[];
  durationMs: number;
  skipped?: string;
  report?: string;
};

// No step reports progress, so the limit is far above what it needs: types take 20 s alone, 3 min at a load
// of 20.
const TIMEOUT_MS = 900_000;
const OPEN_END = /\b(?:TO{1}DO|FIX{1}ME|XX{1}X)\b/;

async function complaintsOf(script: string, args: readonly string[]): Promise<string[]> {
  const { code, output } = await runTool(script, args, { timeoutMs: TIMEOUT_MS });
  return code === 0 ? [] : [output.trim() || `${script} ended with ${code}`];
}

/** Lines of the files that match, as `file:line: text`. */
function grep(files: readonly string[], pattern: RegExp): string[] {
  return files.flatMap(file => {
    const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
    return lines.flatMap((line, index) =>
      pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [],
    );
  });
}

const STEPS: readonly CheckStep[] = [
  {
    name: 'format and lint',
    run: () =>
      complaintsOf('node_modules/@biomejs/biome/bin/biome', [
        'ci',
        '.',
        '--colors=off',
        '--max-diagnostics=20',
      ]),
  },
  { name: 'types', run: () => complaintsOf('node_modules/typescript/bin/tsc', ['-p', '.', '--noEmit']) },
  {
    name: 'types of the console',
    run: () => complaintsOf('node_modules/typescript/bin/tsc', ['-p', 'packages/console', '--noEmit']),
  },
  { name: 'first screen of the console', run: checkFirstScreen, report: describeFirstScreen },
  {
    name: 'lockfile covers every platform',
    run: () => complaintsOf('tools/complete-lockfile.mjs', ['--check']),
  },
  { name: 'no forbidden import', run: findForbiddenImports },
  { name: 'rules read no clock and draw nothing', run: async () => findImpureRules(ROOT) },
  { name: 'SQL only in queries', run: async () => findSqlOutsideQueries(ROOT) },
  { name: 'rooms are declared and of a size', run: async () => findRoomFaults(ROOT) },
  { name: 'generated documents are up to date', run: () => complaintsOf('tools/generate.ts', ['--check']) },
  {
    name: 'no open end without an issue',
    run: async () =>
      grep(listFiles(ROOT, ['.ts', '.tsx', '.mjs', '.md', '.sql', '.yml', '.yaml', '.sh']), OPEN_END),
  },
  { name: 'openapi lint', run: lintOpenApi },
  { name: 'migrations', run: lintMigrations },
  { name: 'Dockerfile and compose file', run: lintContainers },
  { name: 'Kubernetes manifests', run: lintKubernetes },
  { name: 'Helm chart', run: lintChart },
  { name: 'alert rules and their tests', run: checkAlertRules },
  {
    name: 'no citation without an entry',
    run: async () =>
      findDeadCitations(
        ROOT,
        // Migrations that ran are never changed.
        listFiles(ROOT, ['.ts', '.tsx', '.mjs', '.md', '.yaml', '.yml']).filter(
          file => !file.startsWith('tools/test/citations'),
        ),
      ),
  },
  { name: 'no dead link in documents', run: async () => findDeadLinks(ROOT, listFiles(ROOT, ['.md'])) },
];

const stepsAtOnce = 2;

/**
 * Runs every step of the check ring, two at a time: most of them use one core, or wait for
 * a linter to be installed.
 */
export async function runChecks(onResult: (result: CheckResult) => void): Promise<CheckResult[]> {
  const waiting = [...STEPS];
  const results: CheckResult[] = [];
  const lane = async (): Promise<void> => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const result = await runStep(step);
      results.push(result);
      onResult(result);
    }
  };
  await Promise.all(Array.from({ length: stepsAtOnce }, lane));
  return results;
}

async function runStep({ name, run, report }: CheckStep): Promise<CheckResult> {
  const began = performance.now();
  const result: CheckResult = { name, complaints: [], durationMs: 0 };
  try {
    result.complaints = await run();
    if (report) result.report = report();
  } catch (error) {
    const { message } = error as Error;
    const mayBeSkipped =
      error instanceof ProgramAbsent || (error instanceof LintersMissing && process.env.CI !== 'true');
    if (mayBeSkipped) result.skipped = message;
    else result.complaints = [message];
  }
  result.durationMs = performance.now() - began;
  return result;
}
