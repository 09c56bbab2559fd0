/** Installs schemathesis in its own folder at the first run, configures it, runs it and reads its report. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { allRoutes } from '@hookline/shared/contracts/all-routes';
import { repositoryRoot } from '../../kit/product/processes.ts';
import { businessAnswers } from './business-answers.ts';
import type { KnownIds } from './known-ids.ts';

const version = '4.32.5';
const folder = join(repositoryRoot, '.cache/schemathesis');
const stamp = join(folder, `.installed-${version}`);

/** @throws Error with one sentence: no Python, or PyPI cannot be reached */
export async function installSchemathesis(): Promise<void> {
  if (existsSync(stamp)) return;
  process.stdout.write(`  installing schemathesis ${version} into .cache/schemathesis ...\n`);
  rmSync(folder, { recursive: true, force: true });
  const made = await run('python3', ['-m', 'venv', folder], 120_000);
  if (made.code !== 0) {
    throw new Error(`Python 3.10 or newer with venv is needed: ${made.output.trim().slice(-300)}`);
  }
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', `schemathesis==${version}`];
  const installed = await run(join(folder, 'bin/python'), pip, 300_000);
  if (installed.code !== 0) {
    throw new Error(`schemathesis could not be installed from PyPI: ${installed.output.trim().slice(-300)}`);
  }
  writeFileSync(stamp, '');
}

export type Credentials = { apiKey: string; session: string; endingSessions: EndingSessions };

/** Sessions that the operation may end, by its id. */
export type EndingSessions = Readonly<Record<string, string>>;

/** The settings as a file: two credentials, existing ids, and the business answers that are not failures. */
export function writeSettings(file: string, credentials: Credentials, ids: KnownIds): void {
  const { apiKey, session, endingSessions } = credentials;
  const lines = [
    ...Object.entries({ ...ids, any: Object.values(ids).flat() }).flatMap(([name, values]) => [
      `[dictionaries.${name}]`,
      `values = ${JSON.stringify(values)}`,
    ]),
    // Fields of bodies and queries too: one text in ten is an existing id.
    '[generation.dictionaries]',
    'string = { dictionary = "any", probability = 0.1 }',
    '[auth.openapi.apiKey]',
    `bearer = "${apiKey}"`,
    '[auth.openapi.session]',
    `bearer = "${session}"`,
  ];
  for (const { id, path } of allRoutes) {
    const settings = settingsOf(id, path, ids, endingSessions);
    if (settings.length === 0) continue;
    const why = businessAnswers[id]?.why ?? 'ids that exist';
    lines.push('[[operations]]', `# ${why}`, `include-operation-id = "${id}"`, ...settings);
  }
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
}

function settingsOf(id: string, path: string, ids: KnownIds, endingSessions: EndingSessions): string[] {
  const { refusedWith, acceptedWith, serverErrors, isLeftOut } = businessAnswers[id] ?? {};
  const lines: string[] = [];
  const tag = path.split('/')[1] ?? '';
  if (path.includes('{id}') && ids[tag]) {
    lines.push(`parameters = { "path.id" = { dictionary = "${tag}", probability = 0.7 } }`);
  }
  // A separate session: the other one must outlive the run.
  const ending = endingSessions[id];
  if (ending) lines.push(`headers = { Authorization = "Bearer ${ending}" }`);
  if (isLeftOut) lines.push('enabled = false');
  if (refusedWith) {
    const statuses = ['2xx', '3xx', 401, 403, 404, 409, 429, '5xx', ...refusedWith];
    lines.push(`checks.positive_data_acceptance.expected-statuses = ${JSON.stringify(statuses)}`);
  }
  if (acceptedWith) {
    const statuses = [400, 401, 403, 404, 405, 406, 409, 415, 422, 428, 429, '5xx', ...acceptedWith];
    lines.push(`checks.negative_data_rejection.expected-statuses = ${JSON.stringify(statuses)}`);
  }
  if (serverErrors) {
    const statuses = ['2xx', '3xx', '4xx', ...serverErrors];
    lines.push(`checks.not_a_server_error.expected-statuses = ${JSON.stringify(statuses)}`);
  }
  return lines;
}

export type FuzzReport = {
  exitCode: number;
  output: string;
  cases: number;
  failures: number;
  errors: number;
  operations: { total: number; selected: number; tested: number };
};

export async function runSchemathesis(options: {
  settingsFile: string;
  reportFile: string;
  documentUrl: string;
  seconds: number;
  seed: string | undefined;
}): Promise<FuzzReport> {
  const args = [
    '--config-file',
    options.settingsFile,
    'run',
    options.documentUrl,
    ...['--checks', 'all'],
    // Rendering 60 slides on a busy machine takes its time; more would be a hang.
    ...['--max-response-time', '10'],
    ...['--max-time', String(options.seconds)],
    // One: with two, CPython 3.11 occasionally crashes in its own parser (gh-106905).
    ...['--workers', '1'],
    '--continue-on-failure',
    ...['--report', 'json', '--report-json-path', options.reportFile],
    ...(options.seed ? ['--seed', options.seed] : []),
  ];
  const { code, output } = await run(
    join(folder, 'bin/schemathesis'),
    args,
    (options.seconds + 60) * 1000,
    dirname(options.reportFile),
  );
  if (!existsSync(options.reportFile))
    throw new Error(`schemathesis gave no report:\n${output.slice(-2_000)}`);
  const report = JSON.parse(readFileSync(options.reportFile, 'utf8'));
  return {
    exitCode: code,
    output,
    cases: report.test_cases.generated,
    failures: report.test_cases.unique_failures,
    errors: report.errors.length,
    operations: report.operations,
  };
}

/** @param cwd where the tool may store its state */
function run(command: string, args: readonly string[], timeoutMs: number, cwd = repositoryRoot) {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, NO_COLOR: '1', SCHEMATHESIS_REPORT: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise<{ code: number; output: string }>(resolve => {
    child.once('error', error => resolve({ code: 127, output: `${command}: ${error.message}` }));
    child.once('close', code => resolve({ code: code ?? 1, output }));
  });
}
