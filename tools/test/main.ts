import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { hostTestInfra, type TestComponent, type TestInfraHost } from '../infra/src/test-infra-host.ts';
import { findTypeErrors, installApart } from './apart.ts';
import { runChecks } from './check.ts';
import { ROOT } from './run-command.ts';
import { type Counts, endRings, type RingResult, runVitestRing, type VitestRing } from './vitest-ring.ts';

/** A ring of `npm test`. Without its requirements it is skipped with one line, or fails when `CI=true`. */
type Ring = {
  name: string;
  title: string;
  needs: readonly TestComponent[];
  run: (servers: RingServers) => Promise<RingResult>;
};
type RingServers = Readonly<Record<string, string>>;

const isCi = process.env.CI === 'true';
const failuresShownMax = 50;

function vitest(ring: Pick<VitestRing, 'name' | 'project'>): Ring['run'] {
  return servers => runVitestRing({ ...ring, servers });
}

/**
 * The quickest to fail come first, and those with Kafka last: once a test has started it, its idle brokers take
 * 13 % of a core from the rest of the run.
 */
const RINGS: readonly Ring[] = [
  { name: 'check', title: 'check', needs: [], run: check },
  { name: 'unit', title: 'unit', needs: [], run: vitest({ name: 'unit', project: 'unit' }) },
  { name: 'console', title: 'console in a browser', needs: [], run: runConsole },
  {
    name: 'e2e',
    title: 'end to end, embedded',
    needs: [],
    run: vitest({ name: 'e2e', project: 'e2e' }),
  },
  {
    name: 'service',
    title: 'services and bus contract',
    needs: ['postgres'],
    run: vitest({ name: 'service', project: 'int' }),
  },
  {
    name: 'distributed',
    title: 'end to end, distributed',
    needs: ['postgres', 'kafka', 'redis'],
    run: vitest({ name: 'distributed', project: 'distributed' }),
  },
];

/**
 * The browser and its driver have their own lockfile, so the root's type check, which runs without
 * them, leaves these tests out.
 */
async function runConsole(servers: RingServers): Promise<RingResult> {
  const dir = join(ROOT, 'tests/console');
  await installApart(dir, 'console-tests', 'the browser of the console tests');
  const errors = await findTypeErrors(dir);
  if (errors !== null) return { passed: 0, failed: 1, skipped: 0, complaints: [errors], failures: ['types'] };
  return runVitestRing({ name: 'console', project: 'console', servers });
}

async function check(): Promise<RingResult> {
  const results = await runChecks(({ name, complaints, durationMs, skipped, report }) => {
    const verdict = skipped ? 'skipped' : complaints.length === 0 ? 'ok' : 'FAILED';
    console.log(
      `  ${verdict}  ${name} (${seconds(durationMs)})${skipped ? `: ${skipped}` : ''}${report ? `: ${report}` : ''}`,
    );
    for (const complaint of complaints) console.log(complaint.replace(/^/gm, '      '));
  });
  const failures = results.filter(({ complaints }) => complaints.length > 0).map(({ name }) => name);
  const failed = failures.length;
  const skipped = results.filter(result => result.skipped !== undefined).length;
  const passed = results.length - failed - skipped;
  return { passed, failed, skipped, complaints: [], failures };
}

function seconds(durationMs: number): string {
  return `${(durationMs / 1_000).toFixed(1)} s`;
}

/** The addresses that a ring needs; a string is the line that says what is missing. */
async function provide(ring: Ring, host: TestInfraHost): Promise<Record<string, string> | string> {
  const addresses: Partial<Record<TestComponent, string>> = {};
  for (const component of ring.needs) {
    const found = await host.get(component);
    if ('missing' in found) return found.missing;
    addresses[component] = found.address;
  }
  return {
    HOOKLINE_TEST_INFRA_URL: host.url,
    ...(addresses.postgres === undefined ? {} : { HOOKLINE_TEST_POSTGRES_URL: addresses.postgres }),
    ...(addresses.kafka === undefined ? {} : { KAFKA_BROKERS: addresses.kafka }),
    ...(addresses.redis === undefined ? {} : { REDIS_URL: addresses.redis }),
  };
}

async function runRing(ring: Ring, host: TestInfraHost): Promise<Omit<RingResult, 'complaints'>> {
  console.log(`\n=== ${ring.title}`);
  const began = performance.now();
  const provided = await provide(ring, host);
  if (typeof provided === 'string') {
    console.log(`--- ${ring.title}: ${isCi ? 'failed' : 'skipped'}, ${provided}`);
    return { passed: 0, failed: isCi ? 1 : 0, skipped: isCi ? 0 : 1, failures: isCi ? [provided] : [] };
  }
  const result = await ring.run(provided);
  for (const complaint of result.complaints) console.log(`  FAILED  ${complaint}`);
  console.log(
    `--- ${ring.title}: ${result.passed} passed, ${result.failed} failed, ${result.skipped} skipped in ${seconds(performance.now() - began)}`,
  );
  return result;
}

function chosenRings(names: readonly string[]): readonly Ring[] {
  const unknown = names.find(name => !RINGS.some(ring => ring.name === name));
  if (unknown !== undefined) {
    console.error(`There is no ring "${unknown}". Rings: ${RINGS.map(ring => ring.name).join(', ')}.`);
    process.exit(2);
  }
  return names.length === 0 ? RINGS : RINGS.filter(ring => names.includes(ring.name));
}

async function main(): Promise<void> {
  const rings = chosenRings(process.argv.slice(2));
  process.env.HOOKLINE_TEST_RUN = randomBytes(6).toString('hex');
  const host = await hostTestInfra(line => console.log(`  ${line}`));
  const stopAndExit = (code: number) => {
    endRings();
    void host.stop().finally(() => process.exit(code));
  };
  process.once('SIGINT', () => stopAndExit(130));
  process.once('SIGTERM', () => stopAndExit(143));
  const total: Counts = { passed: 0, failed: 0, skipped: 0 };
  const failures: string[] = [];
  const unsteady: string[] = [];
  for (const ring of rings) {
    const counts = await runRing(ring, host);
    total.passed += counts.passed;
    total.failed += counts.failed;
    total.skipped += counts.skipped;
    failures.push(...counts.failures.map(failure => `${ring.title}: ${failure}`));
    unsteady.push(...(counts.unsteady ?? []).map(test => `${ring.title}: ${test}`));
  }
  await host.stop();
  console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  for (const test of unsteady) console.log(`  PASSED AT THE SECOND TRY  ${test}`);
  // Repeated at the end, because a truncated log may keep only its last lines.
  for (const failure of failures.slice(0, failuresShownMax)) console.log(`  FAILED  ${failure}`);
  if (failures.length > failuresShownMax) console.log(`  and ${failures.length - failuresShownMax} more`);
  process.exitCode = total.failed === 0 ? 0 : 1;
}

await main();
