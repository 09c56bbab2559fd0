/**
 * `npm run bench -- <area> [flags]` measures and judges the goals of `goals.json`; without an area it lists
 * them. `--against <commit>` compares two versions instead. `npm run bench -- report [<area> ...]` writes the
 * newest results into `docs/benchmarks.md`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endDescendants, endOnSignals } from '../tests/lab/kit/run/descendants.ts';
import { describeFlags, parseFlags, UsageError } from '../tests/lab/kit/run/flags.ts';
import { hostTestInfra } from '../tools/infra/src/test-infra-host.ts';
import { checkOut, compareRuns, judge } from './harness/against.ts';
import type { Bench } from './harness/bench.ts';
import { watchOthers } from './harness/cpu.ts';
import { finishRun } from './harness/results.ts';
import { areas, writeReport } from './report.ts';

const comparison = { against: { usual: '', about: 'a commit to compare this version with' } } as const;

async function load(area: string): Promise<Bench> {
  return ((await import(`./${area}/bench.ts`)) as { bench: Bench }).bench;
}

async function list(): Promise<string> {
  const lines = ['npm run bench -- <area> [flags]'];
  for (const area of areas) {
    const { about, takes, flags = {} } = await load(area);
    const described = describeFlags({ ...flags, ...comparison });
    lines.push(`  ${area.padEnd(12)} ${about} (${takes})${described && `\n${' '.repeat(15)}${described}`}`);
  }
  return [...lines, `  ${'report'.padEnd(12)} writes the newest results into docs/benchmarks.md`].join('\n');
}

async function measure(area: string, args: readonly string[]): Promise<void> {
  const bench = await load(area);
  const flags = parseFlags({ ...bench.flags, ...comparison }, args);
  endOnSignals();
  const tree = flags.against === '' ? null : checkOut(flags.against);
  if (tree !== null && !bench.compare) {
    const others = args.filter((arg, at) => !/^--against/.test(arg) && args[at - 1] !== '--against');
    return judge(area, flags.against, compareRuns(area, tree, others));
  }
  const beganAt = new Date();
  const workDir = mkdtempSync(join(tmpdir(), 'hookline-bench-'));
  const infra = await hostTestInfra(line => console.log(line));
  process.env.HOOKLINE_TEST_INFRA_URL = infra.url;
  try {
    if (tree !== null && bench.compare) {
      return judge(area, flags.against, await bench.compare({ workDir, tree }));
    }
    let machine = watchOthers();
    const beginMeasuring = (): void => {
      machine = watchOthers();
    };
    const { notes, measured, isPart } = await bench.run({ workDir, flags, beginMeasuring });
    const othersPercent = Math.round(machine.othersShare() * 100);
    const noise = `Other processes used ${othersPercent} % of the machine during the run. The load generator and the stores run on the same machine.`;
    if (!isPart) finishRun(area, beganAt, [...notes, noise], { ...measured, othersPercent });
    else {
      const withoutRounds = (key: string, value: unknown) => (key === 'rounds' ? undefined : value);
      console.log(JSON.stringify(measured, withoutRounds, 1), noise);
      console.log('only a part: no goal is judged, nothing is written');
    }
  } finally {
    await infra.stop();
    rmSync(workDir, { recursive: true, force: true });
    await endDescendants();
  }
}

async function main([area, ...args]: readonly string[]): Promise<void> {
  if (area === undefined) console.log(await list());
  else if (area === 'report') writeReport(args);
  else if (areas.includes(area)) await measure(area, args);
  else throw new UsageError(`There is no area "${area}".\n${await list()}`);
}

await main(process.argv.slice(2)).catch((error: Error) => {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exit(2);
});
