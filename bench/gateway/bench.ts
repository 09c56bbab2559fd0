/**
 * The gateway with everything enabled, compared with a bare @fastify/http-proxy and the upstream itself.
 */
import { join } from 'node:path';
import type { hostTestInfra } from '../../tools/infra/src/test-infra-host.ts';
import { type BenchRun, defineBench, type Measurement } from '../harness/bench.ts';
import { usageOf } from '../harness/cpu.ts';
import { differenceOf, ratioOf } from '../harness/figures.ts';
import { runOpenLoop } from '../harness/open-loop.ts';
import type { Ratios } from '../harness/results.ts';
import { printTable, type RoundTable, runRounds } from '../harness/rounds.ts';
import { runWrk, writeWrkScript } from '../harness/wrk.ts';
import { type Candidate, type CandidateName, startCandidates } from './candidates.ts';
import { type Loads, prepareLoads } from './load.ts';

const connections = 50;
/** A process that idled for its turn compiles its code again, at two to three times the cost. */
const leadInSeconds = 3;
/** As long as the lease of a key, so that each key is read once. */
const measuredSeconds = 5;
const closedRounds = 6;
const megabyte = 2 ** 20;

const notes = [
  `Closed loop: wrk, 1 thread, ${connections} kept connections, ${closedRounds} interleaved rounds of ${measuredSeconds} s, GET and POST of 1 KB, answers of 1 KB.`,
  'Gateway: Postgres, Redis, every check, request log into a file; 500 keys in 25 workspaces, 6,000 addresses named by a trusted proxy; 300 requests a minute and address as always, the limit per key raised to 1,000,000.',
  'CPU is user and system time of the measured process and its children, per request.',
  'Open loop at 70 %: the same load for each, 70 % of the bare http-proxy, measured from the time at which a request should have left.',
  'Ratios are taken within each round; the figure is their median.',
];

async function run({ workDir, flags, beginMeasuring }: BenchRun<typeof flagsTaken>): Promise<Measurement> {
  const rounds = flags.long ? 30 : 15;
  const candidates = await startCandidates(workDir);
  try {
    beginMeasuring();
    const measured = await measure(candidates.list, workDir, rounds, flags.long);
    await candidates.requireRedis();
    return { notes, measured };
  } finally {
    await candidates.stop();
  }
}

async function measure(
  all: readonly Candidate[],
  workDir: string,
  rounds: number,
  isLong: boolean,
): Promise<Record<string, unknown>> {
  const find = (name: CandidateName): Candidate => all.find(one => one.name === name) as Candidate;
  const loads = await prepareLoads(find('gateway').url);
  const scripts = scriptsOf(loads, workDir);
  for (const { url } of all) await warmUp(url, scripts);
  const proxies = all.filter(({ name }) => name !== 'direct');
  const get = await closedLoop(proxies, () => scripts.get, 'GET');
  const post = await closedLoop(proxies, () => scripts.post, 'POST');
  const rate = Math.round(0.7 * figure(get, 'http-proxy', 'perSecond').median);
  const own = find('gateway');
  const loaded = await openLoop([find('http-proxy'), own], loads, rounds, rate);
  const light = await openLoop([find('direct'), own], loads, rounds, 1_000);
  const memory = isLong ? await memoryOverAMillion(own, scripts.get) : undefined;
  return { get, post, rate, loaded, light, ...compare(get, post, loaded, light), ...memory };
}

type Scripts = { get: string; post: string };

function scriptsOf(loads: Loads, dir: string): Scripts {
  return { get: writeWrkScript(dir, 'get', loads.get), post: writeWrkScript(dir, 'post', loads.post) };
}

/** The second round of a cold process is a tenth faster than the first: its code is compiled by then. */
async function warmUp(url: string, scripts: Scripts): Promise<void> {
  await runWrk(url, scripts.get, { connections, seconds: 4 });
  await runWrk(url, scripts.post, { connections, seconds: 2 });
}

/**
 * CPU, rate and p99 of both gateways, in turns in each round. The other version's is started by its own bench
 * on databases of its own, and answers the same requests.
 */
async function compareVersions({ workDir, tree }: { workDir: string; tree: string }): Promise<Ratios> {
  const stops: (() => Promise<void>)[] = [];
  const sides: (Omit<Candidate, 'name'> & { name: string; scripts: Scripts })[] = [];
  const begin = async (name: string, dir: string): Promise<void> => {
    const { startCandidates: start } = (await import(join(dir, 'bench/gateway/candidates.ts'))) as {
      startCandidates: typeof startCandidates;
    };
    const own = join(workDir, name);
    const { list, stop } = await start(own);
    stops.push(stop);
    const find = (wanted: CandidateName) => list.find(one => one.name === wanted) as Candidate;
    const scripts = scriptsOf(await prepareLoads(find('gateway').url), own);
    if (sides.length === 0) sides.push({ ...find('http-proxy'), scripts });
    sides.push({ ...find('gateway'), name, scripts });
  };
  let infra: Awaited<ReturnType<typeof hostTestInfra>> | undefined;
  try {
    await begin('this', join(import.meta.dirname, '../..'));
    const host = (await import(join(tree, 'tools/infra/src/test-infra-host.ts'))) as {
      hostTestInfra: typeof hostTestInfra;
    };
    infra = await host.hostTestInfra(() => {});
    process.env.HOOKLINE_TEST_INFRA_URL = infra.url;
    await begin('other', tree);
    for (let times = 0; times < 5; times += 1) {
      for (const { url, scripts } of sides) await warmUp(url, scripts);
    }
    const ratios: Ratios = {};
    for (const kind of ['GET', 'POST'] as const) {
      const script = kind === 'GET' ? 'get' : 'post';
      const table = await closedLoop(sides, ({ scripts }) => scripts[script], kind);
      const ratio = (measureName: string, above: string, below: string) =>
        ratioOf(figure(table, above, measureName), figure(table, below, measureName));
      for (const measureName of ['cpuUs', 'perSecond', 'p99Ms']) {
        const [ours, theirs] = ['this', 'other'].map(name => ratio(measureName, name, 'http-proxy').median);
        console.log(
          `${kind} ${measureName} of the http-proxy: ${ours?.toFixed(2)}, other ${theirs?.toFixed(2)}`,
        );
      }
      console.log(`${kind} p99 of the other: ${ratio('p99Ms', 'this', 'other').median.toFixed(2)}`);
      ratios[`CPU per ${kind}`] = ratio('cpuUs', 'this', 'other');
      ratios[`time per ${kind}`] = ratio('perSecond', 'other', 'this');
    }
    return ratios;
  } finally {
    for (const stop of stops) await stop();
    await infra?.stop();
  }
}

async function closedLoop<C extends Pick<Candidate, 'url' | 'pid'> & { name: string }>(
  all: readonly C[],
  scriptOf: (candidate: C) => string,
  title: string,
): Promise<RoundTable> {
  const table = await runRounds(all, closedRounds, async candidate => {
    const { url, pid } = candidate;
    await runWrk(url, scriptOf(candidate), { connections, seconds: leadInSeconds });
    const before = usageOf(pid);
    const taken = await runWrk(url, scriptOf(candidate), { connections, seconds: measuredSeconds });
    const { requests, perSecond, p50Ms, p99Ms } = taken;
    const cpuUs = (usageOf(pid).cpuUs - before.cpuUs) / requests;
    return { cpuUs, perSecond, perCoreSecond: 1e6 / cpuUs, p50Ms, p99Ms };
  });
  printTable(title, table, ['cpuUs', 'perSecond', 'p50Ms', 'p99Ms']);
  return table;
}

async function openLoop(
  all: readonly Candidate[],
  loads: Loads,
  rounds: number,
  perSecond: number,
): Promise<RoundTable> {
  const table = await runRounds(all, rounds, async ({ url, pid }) => {
    const before = usageOf(pid);
    const options = { perSecond, seconds: 1, connectionsMax: 100 };
    const { requests, p50Ms, p99Ms } = await runOpenLoop(url, loads.get, options);
    return { p50Ms, p99Ms, cpuUs: (usageOf(pid).cpuUs - before.cpuUs) / requests };
  });
  printTable(`open loop, ${perSecond}/s`, table, ['p50Ms', 'p99Ms', 'cpuUs']);
  return table;
}

/** The figures named in the goals. */
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

function figure(table: RoundTable, name: string, measureName: string) {
  const found = table[name]?.[measureName];
  if (!found) throw new Error(`${measureName} of ${name} was not measured`);
  return found;
}

const flagsTaken = { long: { usual: false, about: 'more rounds and a million requests' } } as const;

export const bench = defineBench({
  about: 'the gateway with everything on, compared with a bare @fastify/http-proxy and the upstream itself',
  takes: 'about 7 minutes, with --long 11',
  flags: flagsTaken,
  run,
  compare: compareVersions,
});
