/** Runs promtool on the rules of `deploy/alerts`, their tests and the queries of dashboards. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPrometheus } from '@hookline/infra/prometheus';
import { stringify } from 'yaml';
import { LintersMissing } from '../openapi/lint.ts';
import { ROOT } from '../test/run-command.ts';
import { alertsDir } from './rules.ts';

/** promtool cannot be had: says nothing about the rules. */
class PromtoolMissing extends LintersMissing {
  override name = 'PromtoolMissing';
}

/** promtool's errors in the rules, their tests and the queries of dashboards. @throws PromtoolMissing */
export async function checkAlertRules(): Promise<string[]> {
  const checked = await promtool(['check', 'rules', ...filesOf(alertsDir, '.rules.yaml')]);
  const tested = await promtool(['test', 'rules', ...filesOf(join(alertsDir, 'tests'), '.test.yaml')]);
  const queries = await inFolder(folder => {
    const file = join(folder, 'dashboards.yaml');
    const rules = listDashboardQueries().map((expr, at) => ({ record: `query:${at}`, expr }));
    writeFileSync(file, stringify({ groups: [{ name: 'dashboards', rules }] }));
    return promtool(['check', 'rules', file]);
  });
  return [checked, tested, queries].filter(({ code }) => code !== 0).map(({ output }) => output.trim());
}

function listDashboardQueries(): string[] {
  type Dashboard = { panels: { targets?: { expr: string }[] }[] };
  return filesOf(join(ROOT, 'deploy/dashboards'), '.json').flatMap(file =>
    (JSON.parse(readFileSync(file, 'utf8')) as Dashboard).panels.flatMap(({ targets = [] }) =>
      targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m')),
    ),
  );
}

/** Runs work in a temporary folder. */
async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, '.cache/alerts-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function filesOf(folder: string, end: string): string[] {
  return readdirSync(folder)
    .filter(name => name.endsWith(end))
    .map(name => join(folder, name));
}

function promtool(args: readonly string[]): Promise<{ code: number; output: string }> {
  const child = spawn(find(), args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: 120_000 });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', code => done({ code: code ?? 1, output }));
  });
}

function find(): string {
  try {
    return findPrometheus().promtool;
  } catch (error) {
    throw new PromtoolMissing((error as Error).message);
  }
}
