/**
 * `npm run bench:gateway [-- --long]`: the gateway with everything on beside nginx, a bare @fastify/http-proxy and
 * the upstream itself. About 4 minutes; `--long` adds a million requests and takes about 8.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostTestInfra } from '../../tools/infra/src/test-infra-host.ts';
import { peakRssBytes, usageOf, watchOthers } from '../harness/cpu.ts';
import { differenceOf, ratioOf } from '../harness/figures.ts';
import { runOpenLoop } from '../harness/open-loop.ts';
import { finishRun } from '../harness/results.ts';
import { type RoundTable, runRounds } from '../harness/rounds.ts';
import { runWrk, writeWrkScript } from '../harness/wrk.ts';
import { type Candidate, type CandidateName, startCandidates } from './candidates.ts';
import { type Loads, prepareLoads } from './load.ts';

const isLong = process.argv.includes('--long');
const rounds = isLong ? 9 : 5;
const connections = 50;
const megabyte = 2 ** 20;

const notes = [
  `Closed loop: wrk, 1 thread, ${connections} kept connections, ${rounds} interleaved rounds, GET and POST of 1 KB, answers of 1 KB.`,
  'Gateway: Postgres, Redis, every check, request log into a file; 500 keys, 6,000 addresses named by a trusted proxy; 300 requests a minute and address as always, the limit per key raised to 1,000,000.',
  'CPU is user and system time of the measured process and its children, per request.',
  'Open loop at 70 %: the same load for each, 70 % of the bare http-proxy, measured from the time at which a request should have left.',
  'Ratios are taken within each round; the figure is their median.',
];

async function main(): Promise<void> {
  const beganAt = new Date();
  const workDir = mkdtempSync(join(tmpdir(), 'hookline-bench-'));
  const infra = await hostTestInfra(line => console.log(line));
  process.env.HOOKLINE_TEST_INFRA_URL = infra.url;
  process.once('SIGINT', () => process.exit(130));
  try {
    const candidates = await startCandidates(workDir);
    try {
      const machine = watchOthers();
      const measured = await measure(candidates.list, workDir);
      await candidates.requireRedis();
      const othersPercent = Math.round(machine.othersShare() * 100);
      const noise = `Other processes used ${othersPercent} % of the machine meanwhile; what is measured shares it with the load generator, the upstream, Redis and Postgres.`;
      finishRun('gateway', beganAt, [...notes, noise], { ...measured, othersPercent });
    } finally {
      await candidates.stop();
    }
  } finally {
    await infra.stop();
    rmSync(workDir, { recursive: true, force: true });
  }
}

async function measure(all: readonly Candidate[], workDir: string): Promise<Record<string, unknown>> {
  const find = (name: CandidateName): Candidate => all.find(one => one.name === name) as Candidate;
  const loads = await prepareLoads(find('gateway').url);
  const scripts = {
    get: writeWrkScript(workDir, 'get', loads.get),
    post: writeWrkScript(workDir, 'post', loads.post),
  };
  // Until the code that serves is compiled: the second round of a cold process is a tenth faster than the first.
  for (const { url } of all) {
    await runWrk(url, scripts.get, { connections, seconds: 4 });
    await runWrk(url, scripts.post, { connections, seconds: 2 });
  }
  const get = await closedLoop(all, scripts.get, 'GET');
  const post = await closedLoop(all, scripts.post, 'POST');
  const rate = Math.round(0.7 * figure(get, 'http-proxy', 'perSecond').median);
  const [nginx, peer, own] = [find('nginx'), find('http-proxy'), find('gateway')];
  const loaded = await openLoop([nginx, peer, own], loads, rate, `open loop, ${rate}/s`);
  const light = await openLoop([find('direct'), nginx, peer, own], loads, 1_000, 'open loop, 1,000/s');
  const memory = isLong ? await memoryOverAMillion(own, scripts.get) : undefined;
  const peakRssMb = Object.fromEntries(all.map(({ name, pid }) => [name, peakRssBytes(pid) / megabyte]));
  return { get, post, rate, loaded, light, peakRssMb, ...compare(get, post, loaded, light), ...memory };
}

async function closedLoop(all: readonly Candidate[], script: string, title: string): Promise<RoundTable> {
  const table = await runRounds(all, rounds, async ({ url, pid }) => {
    const before = usageOf(pid);
    const { requests, perSecond, p50Ms, p99Ms } = await runWrk(url, script, { connections, seconds: 2 });
    const cpuUs = (usageOf(pid).cpuUs - before.cpuUs) / requests;
    return { cpuUs, perSecond, perCoreSecond: 1e6 / cpuUs, p50Ms, p99Ms };
  });
  print(title, table, ['cpuUs', 'perSecond', 'p50Ms', 'p99Ms']);
  return table;
}

async function openLoop(
  all: readonly Candidate[],
  loads: Loads,
  perSecond: number,
  title: string,
): Promise<RoundTable> {
  const table = await runRounds(all, rounds, async ({ url, pid }) => {
    const before = usageOf(pid);
    const options = { perSecond, seconds: 2, connectionsMax: 100 };
    const { requests, p50Ms, p99Ms } = await runOpenLoop(url, loads.get, options);
    return { p50Ms, p99Ms, cpuUs: (usageOf(pid).cpuUs - before.cpuUs) / requests };
  });
  print(title, table, ['p50Ms', 'p99Ms', 'cpuUs']);
  return table;
}

/** The figures that the goals name. */
function compare(get: RoundTable, post: RoundTable, loaded: RoundTable, light: RoundTable) {
  const peer = 'http-proxy';
  const against = (table: RoundTable, name: CandidateName, measureName: string) =>
    ratioOf(figure(table, name, measureName), figure(table, peer, measureName));
  return {
    getCpuRatio: against(get, 'gateway', 'cpuUs'),
    postCpuRatio: against(post, 'gateway', 'cpuUs'),
    tracedGetCpuRatio: against(get, 'gateway, 10 % traced', 'cpuUs'),
    tracedPostCpuRatio: against(post, 'gateway, 10 % traced', 'cpuUs'),
    getRateRatio: against(get, 'gateway', 'perSecond'),
    postRateRatio: against(post, 'gateway', 'perSecond'),
    getPerCoreSecond: figure(get, 'gateway', 'perCoreSecond'),
    postPerCoreSecond: figure(post, 'gateway', 'perCoreSecond'),
    loadedP99Ratio: against(loaded, 'gateway', 'p99Ms'),
    lightOverheadP99Ms: differenceOf(figure(light, 'gateway', 'p99Ms'), figure(light, 'direct', 'p99Ms')),
  };
}

/** Resident memory after each tenth of a million requests; flat means that the second half adds little. */
async function memoryOverAMillion(own: Candidate, script: string) {
  const rssMb: number[] = [];
  for (let requests = 0; requests < 1_000_000; ) {
    requests += (await runWrk(own.url, script, { connections, seconds: 10 })).requests;
    rssMb.push(usageOf(own.pid).rssBytes / megabyte);
  }
  const middle = rssMb[Math.floor(rssMb.length / 2)] as number;
  return {
    memory: { rssMb, secondHalfRatio: Math.max(...rssMb.slice(Math.floor(rssMb.length / 2))) / middle },
  };
}

function figure(table: RoundTable, name: CandidateName, measureName: string) {
  const found = table[name]?.[measureName];
  if (!found) throw new Error(`${measureName} of ${name} was not measured`);
  return found;
}

function print(title: string, table: RoundTable, measures: readonly string[]): void {
  console.log(`\n${title.padEnd(24)}${measures.map(name => name.padStart(24)).join('')}`);
  for (const [name, figures] of Object.entries(table)) {
    const cells = measures.map(measureName => {
      const { median, min, max } = figures[measureName] as { median: number; min: number; max: number };
      return [median, min, max].map(value => value.toFixed(value < 100 ? 1 : 0)).join(' / ');
    });
    console.log(`${name.padEnd(24)}${cells.map(cell => cell.padStart(24)).join('')}`);
  }
}

await main();
