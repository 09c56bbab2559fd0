/** Checks migrations with squawk for anything that would block a database in use. */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { LintersMissing } from '../openapi/lint.ts';
import { installApart } from '../test/apart.ts';
import { ROOT, runTool } from '../test/run-command.ts';
import { listFiles } from '../test/source-files.ts';

const timeoutMs = 300_000;
const folder = import.meta.dirname;

/** Rules of squawk that are off, each with its reason. */
const rulesOff: readonly { rule: string; why: string; in?: 'contract' }[] = [
  {
    rule: 'require-lock-timeout',
    why: 'packages/shared/src/postgres/migrate.ts sets it for each file, and tries again',
  },
  {
    rule: 'require-statement-timeout',
    why: 'a statement that has its locks may take its time; the Job of Kubernetes ends after 15 min',
  },
  {
    rule: 'prefer-bigint-over-int',
    why: 'integers count what is bounded (slides, attempts, versions); sequences and totals are bigint',
  },
  {
    rule: 'ban-drop-column',
    in: 'contract',
    why: 'the version before does not use it any more: npm run prove -- upgrade runs that on this schema',
  },
];

/** @property line counted from 1 */
type Finding = { file: string; line: number; rule: string; message: string };

/** @throws LintersMissing when squawk is not installed and npm's registry cannot be reached */
export async function lintMigrations(): Promise<string[]> {
  const files = listFiles(ROOT, ['.sql']).filter(file => file.includes('/migrations/'));
  return (await findAll(files.map(file => join(ROOT, file)))).map(
    ({ file, line, rule, message }) => `${file}:${line}: ${rule}: ${message}`,
  );
}

async function findAll(files: readonly string[]): Promise<Finding[]> {
  await installSquawk();
  // As the runner reads them: a file's first line decides which statements it may contain.
  const kinds = Map.groupBy(files, file => readFileSync(file, 'utf8').split('\n')[0] ?? '');
  const ways = Map.groupBy(kinds.keys(), line =>
    JSON.stringify({ alone: /, no transaction\b/.test(line), contract: /^-- contract\b/.test(line) }),
  );
  const found = await Promise.all(
    [...ways].map(([way, lines]) =>
      squawk(
        lines.flatMap(line => kinds.get(line) ?? []),
        JSON.parse(way),
      ),
    ),
  );
  return found.flat();
}

async function squawk(
  files: readonly string[],
  way: { alone: boolean; contract: boolean },
): Promise<Finding[]> {
  const off = rulesOff.filter(one => one.in === undefined || way.contract);
  const { output } = await runTool(
    join(folder, 'node_modules/squawk-cli/js/bin/squawk'),
    [
      ...['--pg-version', '18.0', '--reporter', 'json'],
      ...(way.alone ? [] : ['--assume-in-transaction']),
      ...off.map(({ rule }) => `--exclude=${rule}`),
      ...files,
    ],
    { timeoutMs },
  );
  const found = JSON.parse(output.slice(output.indexOf('['))) as {
    file: string;
    line: number;
    rule_name: string;
    message: string;
  }[];
  return found.map(({ file, line, rule_name, message }) => ({
    file: relative(ROOT, file),
    line: line + 1,
    rule: rule_name,
    message,
  }));
}

async function installSquawk(): Promise<void> {
  try {
    await installApart(folder, 'deploy', 'the linter of migrations');
  } catch (error) {
    throw new LintersMissing((error as Error).message);
  }
}
