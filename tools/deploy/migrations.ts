/** Migrations by squawk: what would hold up a database that is at work. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { ensureInstalled } from '../install.mjs';
import { LintersMissing } from '../openapi/lint.ts';
import { ROOT, runTool } from '../test/run-command.ts';
import { listFiles } from '../test/source-files.ts';
import { type Exception, exceptions, rulesOff } from './migration-exceptions.ts';

const timeoutMs = 60_000;
const folder = import.meta.dirname;

const wayOut = '(another way, or an exception with its reason in tools/deploy/migration-exceptions.ts)';

/** @property line counted from 1 */
type Finding = { file: string; line: number; rule: string; message: string };

/** @throws LintersMissing when squawk is not installed and npm's registry cannot be reached. */
export async function lintMigrations(): Promise<string[]> {
  const files = listFiles(ROOT, ['.sql']).filter(file => file.includes('/migrations/'));
  return judge(await findAll(files.map(file => join(ROOT, file))), exceptions);
}

/** What no exception is made for, and exceptions that nothing needs any more. */
export function judge(findings: readonly Finding[], allowed: readonly Exception[]): string[] {
  const covers = (exception: Exception, { file, rule }: Finding): boolean =>
    exception.file === file && exception.rules.includes(rule);
  const complaints = findings
    .filter(finding => !allowed.some(exception => covers(exception, finding)))
    .map(({ file, line, rule, message }) => `${file}:${line}: ${rule}: ${message} ${wayOut}`);
  const stale = allowed.flatMap(({ file, rules }) =>
    rules
      .filter(rule => !findings.some(finding => finding.file === file && finding.rule === rule))
      .map(rule => `${file}: its exception from ${rule} is for nothing`),
  );
  return [...complaints, ...stale];
}

async function findAll(files: readonly string[]): Promise<Finding[]> {
  await installSquawk();
  const off = rulesOff.map(({ rule }) => `--exclude=${rule}`);
  const { output } = await runTool(
    join(folder, 'node_modules/squawk-cli/js/bin/squawk'),
    ['--pg-version', '18.0', '--assume-in-transaction', '--reporter', 'json', ...off, ...files],
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
    await ensureInstalled({
      dir: folder,
      lock: join(ROOT, '.cache/install-deploy.lock'),
      what: 'the linter of migrations',
      env: { ...process.env, npm_config_ignore_scripts: 'true' },
      say: line => console.log(`  ${line}`),
    });
  } catch (error) {
    throw new LintersMissing((error as Error).message);
  }
}

/** Defects of a migration that must be seen; those that are not. */
export async function findBlindMigrationRules(): Promise<string[]> {
  const plants: readonly [rule: string, sql: string][] = [
    ['require-concurrent-index-creation', 'create index contents_by_app on contents (app_id);'],
    ['adding-required-field', 'alter table contents add column planted text not null;'],
    ['changing-column-type', 'alter table contents alter column title type varchar(10);'],
    ['ban-drop-column', 'alter table contents drop column title;'],
  ];
  const planted = mkdtempSync(join(tmpdir(), 'hookline-plant-'));
  try {
    const files = plants.map(([rule, sql]) => {
      const file = join(planted, `${rule}.sql`);
      writeFileSync(file, `${sql}\n`);
      return file;
    });
    const seen = judge(await findAll(files), exceptions).join('\n');
    return plants.flatMap(([rule]) =>
      seen.includes(`${rule}:`) ? [] : [`a planted ${rule} is not reported`],
    );
  } finally {
    rmSync(planted, { recursive: true, force: true });
  }
}
