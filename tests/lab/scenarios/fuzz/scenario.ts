/**
 * `npm run test:fuzz [-- --minutes N] [--seed S]`: schemathesis on the served document against the whole product,
 * with an API key and a session, every check. Nothing may fail but what `tests/lab/scenarios/fuzz/business-answers.ts` declares.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { allRoutes } from '@hookline/shared/contracts/all-routes';
import { eventually } from '@hookline/testing/eventually';
import { signUp } from '../../kit/clients/api.ts';
import {
  freePorts,
  type ProductProcess,
  startProcess,
  stopAllProcesses,
} from '../../kit/product/processes.ts';
import { businessAnswers } from './business-answers.ts';
import { makeKnownIds } from './known-ids.ts';
import { type FuzzReport, installSchemathesis, runSchemathesis, writeSettings } from './schemathesis.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '2' }, seed: { type: 'string' } },
});
const seconds = Math.max(20, Math.round(Number(values.minutes) * 60));
/** Below a third of what two busy cores do, the run showed little. */
const casesMin = seconds * 8;

const folder = mkdtempSync(join(tmpdir(), 'hookline-fuzz-'));
const dataDir = join(folder, 'data');
const [port = 0, simulatorsPort = 0] = await freePorts(2);
const baseUrl = `http://127.0.0.1:${port}/api/v1`;
const product = startProcess('standalone', 'deploy/standalone/src/main.ts', {
  DATA_DIR: dataDir,
  PORT: String(port),
  SIMULATORS_PORT: String(simulatorsPort),
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  LOG_LEVEL: 'error',
  // One address and one key are everybody here.
  LIMIT_PER_IP: '1000000',
  LIMIT_PER_KEY: '1000000',
  LIMIT_CONTENT_PER_KEY: '1000000',
  SIGNUP_CREDITS: '1000000',
  DAILY_GENERATIONS: '1000000',
});

async function untilUp(one: ProductProcess): Promise<void> {
  await eventually(() => {
    if (!one.isRunning()) throw new Error(`the product ended:\n${one.output().slice(-1_000)}`);
    if (!one.stdout().includes('Ctrl-C stops everything')) throw new Error('not up yet');
  }, 60_000);
}

/** The key is the first journey's, which has content and an account; the sessions are others', so that they cannot revoke it. */
async function fuzz(): Promise<FuzzReport> {
  const firstRun = JSON.parse(readFileSync(join(dataDir, 'first-run.json'), 'utf8'));
  const { session } = await signUp(baseUrl);
  const { session: endingSession } = await signUp(baseUrl);
  const settingsFile = join(folder, 'schemathesis.toml');
  const ids = await makeKnownIds(firstRun, session);
  writeSettings(settingsFile, { apiKey: firstRun.apiKey, session, endingSession }, ids);
  return await runSchemathesis({
    settingsFile,
    reportFile: join(folder, 'report.json'),
    documentUrl: `${baseUrl}/openapi.json`,
    seconds,
    seed: values.seed,
  });
}

async function main(): Promise<number> {
  await installSchemathesis();
  await untilUp(product);
  const report = await fuzz();
  const left = Object.values(businessAnswers).filter(({ isLeftOut }) => isLeftOut).length;
  const complaints: string[] = [];
  if (report.exitCode !== 0) complaints.push(report.output);
  if (!product.isRunning()) complaints.push(`the product ended:\n${product.output().slice(-2_000)}`);
  if (report.operations.tested !== allRoutes.length - left) {
    complaints.push(`only ${report.operations.tested} of ${allRoutes.length - left} operations were tested`);
  }
  if (report.cases < casesMin) complaints.push(`only ${report.cases} cases in ${seconds} s, not ${casesMin}`);
  for (const complaint of complaints) process.stdout.write(`${complaint}\n`);
  process.stdout.write(
    `cases ${report.cases}, operations ${report.operations.tested} (left out ${left}), failures ${report.failures}, errors ${report.errors}, ${seconds} s\n`,
  );
  return complaints.length === 0 ? 0 : 1;
}

const code = await main().catch(error => {
  process.stdout.write(`the run broke off: ${(error as Error).message}\n`);
  return 1;
});
await stopAllProcesses();
rmSync(folder, { recursive: true, force: true });
process.exit(code);
