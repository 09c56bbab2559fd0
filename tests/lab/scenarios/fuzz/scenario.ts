/**
 * Schemathesis on the served document against the whole product, with an API key and a session, every check.
 * Nothing may fail except what `business-answers.ts` declares.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allRoutes } from '@hookline/shared/contracts/all-routes';
import { signUp } from '../../kit/clients/api.ts';
import { freePorts } from '../../kit/product/processes.ts';
import { startStandalone } from '../../kit/product/standalone.ts';
import { defineScenario, type Given, type Outcome } from '../../kit/run/scenario.ts';
import { businessAnswers } from './business-answers.ts';
import { makeKnownIds } from './known-ids.ts';
import { type FuzzReport, installSchemathesis, runSchemathesis, writeSettings } from './schemathesis.ts';

const secondsMin = 20;
/** With less than a third of what two busy cores do, the run shows little. */
const casesPerSecondMin = 8;

/**
 * The key is the first journey's, which has content and an account. The sessions are other users', so that
 * they cannot revoke it.
 */
async function fuzz(
  folder: string,
  dataDir: string,
  baseUrl: string,
  limit: { seconds: number; seed: string | undefined },
): Promise<FuzzReport> {
  const firstRun = JSON.parse(readFileSync(join(dataDir, 'first-run.json'), 'utf8'));
  const { session } = await signUp(baseUrl);
  const endingSessions = {
    signOut: (await signUp(baseUrl)).session,
    endSession: (await signUp(baseUrl)).session,
  };
  const settingsFile = join(folder, 'schemathesis.toml');
  const ids = await makeKnownIds(firstRun, session);
  writeSettings(settingsFile, { apiKey: firstRun.apiKey, session, endingSessions }, ids);
  return await runSchemathesis({
    settingsFile,
    reportFile: join(folder, 'report.json'),
    documentUrl: `${baseUrl}/openapi.json`,
    ...limit,
  });
}

async function prove({
  folder,
  minutes,
  flags,
}: Pick<
  Given<{ seed: { about: string; usual: string } }>,
  'folder' | 'minutes' | 'flags'
>): Promise<Outcome> {
  const seconds = Math.max(secondsMin, Math.round(minutes * 60));
  await installSchemathesis();
  const [port = 0] = await freePorts(1);
  const everybody = '1000000';
  const { product, dataDir, remove } = await startStandalone({
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    LOG_LEVEL: 'error',
    // All requests share one address and one key here.
    LIMIT_PER_IP: everybody,
    LIMIT_PER_KEY: everybody,
    LIMIT_CONTENT_PER_KEY: everybody,
    LIMIT_KEYS: everybody,
    SIGNUP_CREDITS: everybody,
    DAILY_GENERATIONS: everybody,
  });
  const seed = flags.seed || undefined;
  const report = await fuzz(folder, dataDir, `http://127.0.0.1:${port}/api/v1`, { seconds, seed });
  const left = Object.values(businessAnswers).filter(({ isLeftOut }) => isLeftOut).length;
  const complaints: string[] = [];
  if (report.exitCode !== 0) complaints.push(report.output);
  if (!product.isRunning()) complaints.push(`the product ended:\n${product.output().slice(-2_000)}`);
  await remove();
  if (report.operations.tested !== allRoutes.length - left)
    complaints.push(`only ${report.operations.tested} of ${allRoutes.length - left} operations were tested`);
  const casesMin = seconds * casesPerSecondMin;
  if (report.cases < casesMin) complaints.push(`only ${report.cases} cases in ${seconds} s, not ${casesMin}`);
  for (const complaint of complaints) console.log(complaint);
  return {
    isProven: complaints.length === 0,
    figures: {
      cases: report.cases,
      operations: report.operations.tested,
      'left out': left,
      failures: report.failures,
      errors: report.errors,
    },
  };
}

export const scenario = defineScenario({
  about: 'schemathesis on the served OpenAPI document: nothing fails but what is declared',
  takes: 'about 3 minutes',
  minutes: { usual: 2 },
  flags: { seed: { usual: '', about: 'repeats the run of that seed' } },
  run: prove,
});
