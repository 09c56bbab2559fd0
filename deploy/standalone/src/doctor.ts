/** `npm run doctor [-- --seconds 60]`: settings, resource use and problems of a running product. */
import { existsSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { analyticsSettings } from '@hookline/analytics/settings';
import { automationSettings } from '@hookline/automation/settings';
import { chooseWriter, contentSettings } from '@hookline/content/settings';
import { whyUnsettled } from '@hookline/embedded/backup';
import { isStillRunning, type RunFile, readRunFile } from '@hookline/embedded/run-file';
import { gatewaySettings } from '@hookline/gateway/settings';
import { schedulingSettings } from '@hookline/scheduling/settings';
import { createLogger, loadSettings, type SettingTable } from '@hookline/shared/kernel';
import { type ChatSettings, createChatClient } from '@hookline/writer';
import { findLocalModels } from './local-models.ts';
import { budgetOf, measureModel } from './measure-model.ts';
import { findLauncher, listTree, type ProcessUsage } from './process-tree.ts';
import { portsOf, requireFreePort } from './require-free-port.ts';
import { loadStandaloneSettings, type StandaloneSettings } from './standalone-settings.ts';

const problems: string[] = [];
const modelMaxMs = 60_000;

function line(name: string, value: string): void {
  process.stdout.write(`${name.padEnd(16)} ${value}\n`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { seconds: { type: 'string', default: '5' } } });
  const seconds = Number(/^[1-9]\d{0,3}$/.exec(values.seconds)?.[0]);
  if (Number.isNaN(seconds)) throw new Error('--seconds must be an integer from 1 to 9999.');
  const settings = loadStandaloneSettings();
  const dataDir = resolve(settings.DATA_DIR);
  line('Node', `${process.version} (${process.execPath})`);
  const run = await readRunFile(dataDir);
  await reportDataFolder(dataDir);
  if (run !== null && isStillRunning(dataDir, run)) await reportRunning(run, seconds);
  else await reportStopped(settings, run);
  await reportWriter();
  for (const table of [gatewaySettings, schedulingSettings, automationSettings, analyticsSettings])
    findMalformed(table);
  reportProblems();
}

function findMalformed(table: SettingTable): void {
  try {
    loadSettings(table);
  } catch (error) {
    problems.push((error as Error).message);
  }
}

/** Reports who writes the texts and how long that takes, and the models that could write. */
async function reportWriter(): Promise<void> {
  const settings = loadSettings(contentSettings);
  const chosen = chooseWriter(settings);
  if (chosen.kind === 'incomplete') {
    line('Writer', `a text model (${chosen.missing.join(', ')} not set)`);
    problems.push(
      `${chosen.missing.join(' and ')} must be set: texts come from a model when WRITER=model or one of LLM_* is set.`,
    );
    return;
  }
  if (chosen.kind === 'model') {
    const { LLM_MAX_TOKENS: maxTokens, LLM_EXTRA_BODY: extraBody, LLM_BUDGET_SECONDS: budget } = settings;
    line('Writer', `${chosen.model} at ${chosen.baseUrl}`);
    await reportModel({ ...chosen, maxTokens, extraBody }, budget);
    return;
  }
  line('Writer', 'the built-in composer: decks about the app only, none about a topic');
  line(
    '',
    'A workspace connects a model in the console under Settings; for all: LLM_PROVIDER and LLM_API_KEY.',
  );
  for (const { program, provider, model } of await findLocalModels()) {
    const lines = [
      `\n${program} serves a text model here. These lines make it the writer:`,
      ...Object.entries(provider).map(([name, value]) => `  export ${name}=${value}`),
      `  export LLM_MODEL=${model}\n`,
    ];
    process.stdout.write(lines.join('\n'));
  }
}

/** Writes two decks with the model. */
async function reportModel(model: ChatSettings, budgetSeconds: number): Promise<void> {
  const client = createChatClient(model);
  const tried = await client.try(modelMaxMs);
  await client.close();
  if ('words' in tried) {
    const status = tried.status === 0 ? '' : ` (HTTP ${tried.status})`;
    problems.push(`The text model at ${model.baseUrl} cannot be used${status}: ${tried.words}`);
    return;
  }
  const log = createLogger({ service: 'doctor', level: 'silent' });
  const { firstTokenMs, deckMs, refused } = await measureModel(model, log);
  const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
  line(
    'First token',
    firstTokenMs === null ? 'unknown: the endpoint does not stream' : `after ${seconds(firstTokenMs)}`,
  );
  for (const text of refused) problems.push(`The text model did not write a deck: ${text}`);
  if (deckMs.length === 0) return;
  line('A deck', `${deckMs.map(seconds).join(', ')}, of LLM_BUDGET_SECONDS=${budgetSeconds}`);
  const needed = budgetOf(deckMs);
  if (needed <= budgetSeconds) return;
  const advice =
    needed <= 100 ? `set LLM_BUDGET_SECONDS=${needed}, for gateway and content` : 'use a faster model';
  problems.push(`The text model takes up to ${seconds(Math.max(...deckMs))} for a deck: ${advice}.`);
}

async function reportDataFolder(dataDir: string): Promise<void> {
  if (!existsSync(dataDir)) {
    line('Data folder', `${dataDir} (not there yet; "npm start" makes it)`);
    return;
  }
  const isWritable = await access(dataDir, constants.W_OK).then(
    () => true,
    () => false,
  );
  line('Data folder', `${dataDir}${existsSync(`${dataDir}/first-run.json`) ? ', first run done' : ''}`);
  const unsettled = await whyUnsettled(dataDir);
  if (unsettled !== null) problems.push(unsettled);
  if (!isWritable)
    problems.push(`${dataDir} cannot be written: make it writable, or name another with DATA_DIR.`);
}

async function reportRunning(run: RunFile, seconds: number): Promise<void> {
  line('Hookline', `running, process ${run.pid}`);
  const { postgres } = run;
  line(
    'Postgres',
    postgres ? `embedded, 127.0.0.1:${postgres.port}, process ${postgres.pid}` : 'by DATABASE_URL',
  );
  line('Bus', 'Postgres log (schema bus)');
  line('Gateway', `${run.gatewayUrl} (${await askHealth(`${run.gatewayUrl}/readyz`, 'the gateway')})`);
  const { simulatorsUrl } = run;
  const said = simulatorsUrl && `${simulatorsUrl} (${await askHealth(simulatorsUrl, 'the simulators')})`;
  line('Simulators', said ?? 'not started: every platform is real');
  line('Log', run.logFile);
  await reportCost(run, seconds);
}

async function reportCost(run: RunFile, seconds: number): Promise<void> {
  if (process.platform !== 'linux') {
    line('Cost', 'is read from /proc, which this system does not have');
    return;
  }
  const roots = [findLauncher(run.pid), ...(run.postgres ? [run.postgres.pid] : [])];
  const before = listTree(roots);
  await delay(seconds * 1000);
  const after = listTree(roots);
  // A process that started or ended in between counts with the samples it has.
  const earlier = new Map(before.map(usage => [usage.pid, usage.cpuMs]));
  const cpuMs = sum(after, usage => usage.cpuMs - (earlier.get(usage.pid) ?? 0));
  process.stdout.write('\n');
  for (const usage of [...after].sort((left, right) => (right.pssBytes ?? 0) - (left.pssBytes ?? 0))) {
    line(`${formatMegabytes(usage.pssBytes)}`, `${usage.name} (${usage.pid})`);
  }
  const pssBytes = sum(after, usage => usage.pssBytes ?? 0);
  process.stdout.write('\n');
  line(
    'Memory (PSS)',
    `${formatMegabytes(pssBytes)} in ${after.length} processes, launcher and Postgres included`,
  );
  line('Processor', `${((cpuMs / (seconds * 1000)) * 100).toFixed(2)} % of a core over ${seconds} s`);
}

async function reportStopped(settings: StandaloneSettings, run: RunFile | null): Promise<void> {
  line('Hookline', run ? 'not running (the last run was killed; "npm start" recovers)' : 'not running');
  for (const [name, port] of portsOf(settings)) {
    const problem = await requireFreePort(name, port, settings.HOST).then(
      () => null,
      (error: Error) => error.message,
    );
    line(name, `${port} ${problem ? 'taken' : 'free'}`);
    if (problem) problems.push(problem);
  }
}

async function askHealth(url: string, what: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    if (response.ok) return 'answers';
    problems.push(`${what} answers ${response.status}: ${(await response.text()).slice(0, 200)}`);
    return `answers ${response.status}`;
  } catch (error) {
    problems.push(`${what} does not answer at ${url}: ${(error as Error).message}`);
    return 'does not answer';
  }
}

function reportProblems(): void {
  process.stdout.write(`\n${problems.length === 0 ? 'Nothing is wrong.' : 'What is wrong:'}\n`);
  for (const problem of problems) process.stdout.write(`  - ${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

function sum(usages: readonly ProcessUsage[], value: (usage: ProcessUsage) => number): number {
  return usages.reduce((total, usage) => total + value(usage), 0);
}

function formatMegabytes(bytes: number | null): string {
  return bytes === null ? '(not ours)' : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

main().catch((error: unknown) => {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
});
