import { randomBytes } from 'node:crypto';
import { hostTestInfra } from './test-infra-host.ts';

/**
 * Vitest's global set-up: makes the run's servers available to every test process. Under `npm test` the
 * runner holds them for all rings; otherwise this process does, for as long as vitest runs.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  process.env.HOOKLINE_TEST_RUN ??= randomBytes(6).toString('hex');
  if (process.env.HOOKLINE_TEST_INFRA_URL !== undefined) return undefined;
  const host = await hostTestInfra(line => console.log(line));
  process.env.HOOKLINE_TEST_INFRA_URL = host.url;
  return async () => {
    delete process.env.HOOKLINE_TEST_INFRA_URL;
    await host.stop();
  };
}
