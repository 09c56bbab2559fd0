/** The frame of every run: a folder, servers, no process left behind, an exit code. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hostTestInfra } from '../../../../tools/infra/src/test-infra-host.ts';
import { repositoryRoot } from '../product/processes.ts';
import { endDescendants, endOnSignals } from './descendants.ts';
import { UsageError } from './flags.ts';
import { recordRun } from './record.ts';
import type { Command, Figures, Outcome, Scenario } from './scenario.ts';

/**
 * Runs the scenario and ends this process: 0 when it is proven, 1 when not, 128 + n after signal n.
 *
 * @throws UsageError where the machine lacks a program that the scenario runs
 */
export async function runScenario(
  name: string,
  scenario: Scenario,
  command: Command,
  args: readonly string[],
): Promise<never> {
  endOnSignals();
  const folder = join(repositoryRoot, '.cache', 'proofs', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const infra = await hostTestInfra(line => console.log(line));
  process.env.HOOKLINE_TEST_INFRA_URL = infra.url;
  const began = new Date();
  const outcome = await scenario.run({ folder, ...command }).catch(async (error: Error): Promise<Outcome> => {
    if (error instanceof UsageError) {
      await infra.stop();
      throw error;
    }
    console.log(`the run broke off: ${error.stack}`);
    return { isProven: false, figures: { 'broke off': error.message.split('\n')[0] ?? '' } };
  });
  const seconds = Math.round((Date.now() - began.getTime()) / 1_000);
  const figures = { ...outcome.figures, seconds };
  console.log(`${outcome.isProven ? 'proven' : 'RED'}: ${listFigures(figures)}`);
  if (command.isRecorded)
    console.log(`recorded in ${recordRun(name, args, began, { ...outcome, figures })}: run npm run generate`);
  await infra.stop();
  await endDescendants();
  process.exit(outcome.isProven ? 0 : 1);
}

function listFigures(figures: Figures): string {
  return Object.entries(figures)
    .map(([what, figure]) => `${what} ${figure}`)
    .join(', ');
}
