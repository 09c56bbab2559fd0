/** What every proof run begins and ends with: servers, a folder, no process left, an exit code. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hostTestInfra } from '../../../../tools/infra/src/test-infra-host.ts';
import { repositoryRoot, stopAllProcesses } from '../product/processes.ts';

/**
 * Runs `main` in a folder of its own under `.cache/proofs` (kept, so that a history can be read afterwards; the next
 * run of the name replaces it) and ends the process: 0 when it answered true.
 */
export async function runProof(name: string, main: (folder: string) => Promise<boolean>): Promise<void> {
  const folder = join(repositoryRoot, '.cache', 'proofs', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const infra = await hostTestInfra(line => console.log(line));
  process.env.HOOKLINE_TEST_INFRA_URL = infra.url;
  process.once('SIGINT', () => process.exit(130));
  let isProven = false;
  try {
    isProven = await main(folder);
  } catch (error) {
    console.log(`the run broke off: ${(error as Error).stack}`);
  }
  await stopAllProcesses();
  await infra.stop();
  process.exit(isProven ? 0 : 1);
}
