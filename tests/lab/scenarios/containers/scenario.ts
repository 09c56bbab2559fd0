/**
 * The product in containers: images from the Dockerfile, `docker compose up --wait` from a clone, the
 * first journey through it, every container restarted and the stores killed under load, the engine
 * restarted, content scaled to three, traces and dashboards read back, everything taken down. Brings an
 * engine where the machine has none.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { controlHeaders } from '@hookline/testing/simulator-controls';
import { z } from 'zod';
import { repositoryRoot } from '../../kit/product/processes.ts';
import { UsageError } from '../../kit/run/flags.ts';
import { defineScenario, type Figures, type Outcome } from '../../kit/run/scenario.ts';
import { buildStandIns, type Engine, findEngine } from './engine.ts';
import { findWidestTrace, readDashboards } from './observe.ts';
import {
  composeCommand,
  down,
  nameApart,
  ofProject,
  project,
  publishedPorts,
  requireUnused,
  takeDownProject,
} from './project.ts';
import type { Run } from './run.ts';
import { proveSelfHosting } from './self-hosting.ts';
import { sum, watchUsage } from './usage.ts';

const images = [
  'migrate',
  'gateway',
  'content',
  'scheduling',
  'automation',
  'analytics',
  'simulators',
  'ops',
];
const stores = ['postgres', 'kafka', 'redis', 's3'];
const services = ['scheduling', 'automation', 'analytics', 'content', 'gateway'];
/** In this order: each has the others while it is away. */
const restarted = ['simulators', ...services, ...stores];
/** What the collector and Prometheus need of the product; Tempo and Grafana are not started by it. */
const watched = ['gateway', 'otel-collector', 'prometheus'];
/** On top of the base image. */
const mbMax = (image: string): number => (image === 'content' ? 150 : 90);
const mb = (bytes: string): number => Math.round(Number(bytes) / 1_000_000);
const mibMax = 1_024;
const cpuMax = 10;
const idleAfterMs = 15_000;
/** Two rounds of health checks. */
const idleMs = 60_000;
const rebootMaxMs = 300_000;
const parts = ['', 'evaluation', 'self-hosting'];

const Walk = z.object({
  seconds: z.number(),
  answers: z.record(z.string(), z.number()),
  post: z.number(),
  image: z.string(),
});
const Load = z.record(z.string(), z.union([z.number(), z.array(z.string())]));

async function prove(isStopped: boolean, only: string): Promise<Outcome> {
  if (!parts.includes(only)) throw new UsageError(`--only takes ${parts.slice(1).join(' or ')}.`);
  const figures: Figures = {};
  const complaints: string[] = [];
  const timed: Run['timed'] = async (name, work) => {
    const began = Date.now();
    const result = await work();
    const seconds = Math.round((Date.now() - began) / 1_000);
    console.log(`${name}: ${seconds} s`);
    figures[`${name} s`] = seconds;
    return result;
  };
  const engine = await timed('engine', findEngine);
  figures.engine = (await engine.run(['docker', 'version', '-f', '{{.Server.Version}}'])).trim();
  const clone = join(engine.folder, 'clone');
  const given = composeCommand(['docker-compose.yml']);
  const compose = (...args: string[]) => engine.run([...given, ...args], clone);
  // Ours may hold what a run before left; it has nothing else.
  if (!engine.isOwn) await requireUnused(engine, publishedPorts(only));
  const run: Run = { engine, figures, complaints, compose, timed };
  try {
    if (engine.isOwn) await timed('stand-ins', () => buildStandIns(engine));
    await timed('clone', async () => makeClone(clone));
    // Volumes of a run that was ended hold its posts.
    if (engine.isOwn) await compose(...down);
    if (only !== 'self-hosting') await proveEvaluation(run, clone);
    if (only !== 'evaluation') {
      if (only === '') await compose(...down);
      await proveSelfHosting(run, clone);
    }
  } catch (error) {
    complaints.push(error instanceof Error ? error.message : String(error));
    console.log(await compose('ps', '--all').catch(() => ''));
    console.log(await compose('logs', '--tail', '15').catch(() => ''));
  } finally {
    if (isStopped) await takeDown(run, clone);
  }
  for (const complaint of complaints) console.log(`  ${complaint}`);
  return { isProven: complaints.length === 0, figures: { ...figures, wrong: complaints.length } };
}

/** docker-compose.yml alone. */
async function proveEvaluation(run: Run, clone: string): Promise<void> {
  const { engine, figures, complaints, compose, timed } = run;
  await timed('build', () => compose('--profile', 'tools', 'build'));
  await readSizes(engine, figures, complaints);
  await timed('healthy', () => compose('up', '--wait', '--no-build'));
  await walk(run, 'journey');
  await readUse(run);
  await timed('invariants', () => compose('run', '--rm', '--no-deps', 'ops'));
  await disturb(run);
  await walk(run, 'journey after it');
  await reboot(run);
  await timed('content scaled to three', () => compose('up', '--wait', '--no-build', '--scale', 'content=3'));
  await walk(run, 'journey on three');
  await observe(run, clone);
  await timed('stopped', () => compose('stop'));
  await findBadEnds(engine, complaints);
}

async function makeClone(clone: string): Promise<void> {
  const { execFileSync } = await import('node:child_process');
  rmSync(clone, { recursive: true, force: true });
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${repositoryRoot}`, clone]);
  // No image may hold what a run of npm start leaves in the tree.
  mkdirSync(join(clone, '.data'));
  writeFileSync(join(clone, '.data/secrets.json'), '{}');
  nameApart(clone);
}

async function readSizes(engine: Engine, figures: Figures, complaints: string[]): Promise<void> {
  const sizeOf = async (image: string): Promise<number> =>
    mb(await engine.run(['docker', 'image', 'inspect', '-f', '{{.Size}}', image]));
  const base = await sizeOf('node:24.21.0-bookworm-slim');
  figures['MB of the base'] = base;
  const listing =
    'test ! -e /usr/local/bin/npm && test ! -e node_modules/testcontainers && test ! -e .git && test ! -e .data && test -s sbom.spdx.json';
  for (const image of images) {
    const own = (await sizeOf(`${project}/${image}`)) - base;
    figures[`MB of ${image}`] = own;
    if (image !== 'ops' && own > mbMax(image))
      complaints.push(`${image} has ${own} MB, over ${mbMax(image)}`);
    const shell = ['docker', 'run', '--rm', '--network', 'none', '--entrypoint', 'sh'];
    await engine
      .run([...shell, `${project}/${image}`, '-c', listing])
      .catch(() =>
        complaints.push(`${image} holds npm, packages of the tests, .git or .data, or no bill of materials`),
      );
  }
}

async function walk({ engine, figures, complaints }: Run, name: string): Promise<void> {
  const { seconds, answers, post, image } = Walk.parse(JSON.parse(await engine.runScript('walk.ts')));
  console.log(`${name}: ${seconds} s`);
  figures[`${name} s`] = seconds;
  for (const [page, status] of Object.entries(answers))
    if (status !== 200) complaints.push(`${name}: ${page} answered ${status}`);
  if (post !== 200 || !image.startsWith('image/')) complaints.push(`${name}: the post has no pictures`);
}

/**
 * Memory of each container after the journey, and its share of a core over a minute in
 * which nothing is asked of it.
 */
async function readUse({ engine, figures, complaints }: Run): Promise<void> {
  await wait(idleAfterMs);
  const usage = await watchUsage(engine.socket, idleMs);
  for (const [name, mib] of usage.mib) {
    figures[`MiB of ${name}`] = Math.round(mib);
    figures[`idle % of a core, ${name}`] = Math.round((usage.percent.get(name) ?? 0) * 10) / 10;
  }
  const mib = Math.round(usage.mibMost);
  const share = Math.round(sum([...usage.percent.values()]) * 10) / 10;
  const machine = Math.round(usage.machinePercent);
  Object.assign(figures, { 'MiB in all': mib, 'idle % of a core': share, 'machine busy %': machine });
  console.log(`${mib} MiB in all, ${share} % of a core when idle; the machine was ${machine} % busy`);
  if (mib > mibMax) complaints.push(`${mib} MiB in all, over ${mibMax}`);
  if (share > cpuMax) complaints.push(`${share} % of a core when idle, over ${cpuMax}`);
}

/** Every container restarted, then Postgres and Kafka killed, while requests and posts are made. */
async function disturb({ engine, figures, complaints, compose, timed }: Run): Promise<void> {
  const end = join(engine.folder, 'load.end');
  rmSync(end, { force: true });
  const creators = Array.from({ length: 14 }, (_, at) => `load.${at}`);
  const settings = JSON.stringify({ postsPerDayMax: 1_000 });
  const control = (script: string) =>
    compose('exec', '-T', 'simulators', 'node', '--input-type=module', '-e', script);
  const controls = 'http://127.0.0.1:8090/_control';
  const headers = JSON.stringify(controlHeaders);
  await control(`for (const name of ${JSON.stringify(creators)})
    await fetch('${controls}/tiktok/accounts/' + name, { method: 'PUT', headers: ${headers}, body: '${settings}' });`);
  const load = engine.runScript('load.ts', [end, ...creators]);
  // An early end is reported where it is awaited.
  load.catch(() => {});
  const healthy = () => compose('up', '--wait', '--no-build');
  try {
    await wait(10_000);
    for (const name of restarted)
      await timed(`restart of ${name}`, async () => {
        await compose('restart', '--no-deps', name);
        await healthy();
      });
    for (const name of stores)
      await timed(`kill of ${name}`, async () => {
        await compose('kill', '-s', 'SIGKILL', name);
        await compose('start', name);
        await healthy();
      });
  } finally {
    writeFileSync(end, '');
  }
  const { complaints: found, ...counts } = Load.parse(JSON.parse(await load));
  Object.assign(figures, counts);
  console.log(`load: ${JSON.stringify(counts)}`);
  complaints.push(...z.array(z.string()).parse(found));
  const posts = await control(`let posts = 0;
    for (const name of ${JSON.stringify(creators)})
      posts += (await (await fetch('${controls}/posts?account=' + name, { headers: ${headers} })).json()).length;
    console.log(posts);`);
  figures.posts = Number(posts);
  if (Number(posts) !== Number(counts.schedules))
    complaints.push(`${counts.schedules} schedules made ${posts.trim()} posts`);
  if (Number(posts) < restarted.length) complaints.push(`only ${posts.trim()} posts were made`);
  const invariants = await compose('run', '--rm', '--no-deps', 'ops');
  console.log(invariants.trim().split('\n').at(-1));
}

/** The engine stopped and started: the containers come back without Compose, in no order. */
async function reboot(run: Run): Promise<void> {
  const { engine, complaints, timed } = run;
  if (!engine.restart) return;
  const list = async (...filters: string[]): Promise<string[]> => {
    const given = [ofProject, ...filters].flatMap(filter => ['--filter', filter]);
    return (await engine.run(['docker', 'ps', '--format', '{{.Names}}', ...given])).trim().split('\n').sort();
  };
  const before = await list('health=healthy');
  await timed('reboot', engine.restart);
  const isBack = await timed('healthy after the reboot', async () => {
    for (const untilMs = performance.now() + rebootMaxMs; performance.now() < untilMs; await wait(1_000))
      if ((await list('health=healthy')).join() === before.join()) return true;
    return false;
  });
  if (isBack) return await walk(run, 'journey after the reboot');
  const states = await engine.run([
    'docker',
    'ps',
    '-a',
    '--format',
    '{{.Names}}: {{.Status}}',
    '--filter',
    ofProject,
  ]);
  complaints.push(`not healthy after the reboot:\n${states.trim()}`);
}

/** The product again with a collector and Prometheus, then a trace and the dashboards. */
async function observe({ engine, figures, complaints, timed }: Run, clone: string): Promise<void> {
  const given = composeCommand(['docker-compose.yml', 'tests/lab/scenarios/containers/observe.yml']);
  const observed = (...args: string[]) =>
    engine.run(['env', 'COMPOSE_PROFILES=observe', ...given, ...args], clone);
  // Where the images come from a registry, Tempo and Grafana are started too.
  const wanted = engine.isOwn ? watched : [];
  await timed('healthy with a collector', () => observed('up', '--wait', '--no-build', ...wanted));
  const source = engine.isOwn
    ? 'http://prometheus:9090'
    : 'http://grafana:3000/api/datasources/proxy/uid/prometheus';
  const ask = async (queries: readonly string[]): Promise<string[]> => {
    const script = `const answers = [];
      for (const query of ${JSON.stringify(queries)})
        answers.push(await (await fetch('${source}/api/v1/query?query=' + encodeURIComponent(query))).text());
      console.log(JSON.stringify(answers));`;
    const text = await observed('exec', '-T', 'gateway', 'node', '--input-type=module', '-e', script);
    return z.array(z.string()).parse(JSON.parse(text));
  };
  // Rates need two scrapes, 15 s apart, with work between them.
  for (let round = 0; round < 4; round += 1) {
    await engine.runScript('walk.ts');
    await wait(15_000);
  }
  const { panels, withData, empty, failed } = await readDashboards(ask);
  console.log(`dashboards: ${withData} of ${panels} panels have data; empty: ${empty.join(', ')}`);
  Object.assign(figures, { panels, 'panels with data': withData });
  complaints.push(...failed);
  if (withData < panels / 2) complaints.push(`only ${withData} of ${panels} panels have data`);
  const [exact = ''] = await ask(['min(hookline_limiter_exact)']);
  if (!exact.includes('"1"')) complaints.push(`Redis does not count the requests: ${exact}`);
  const trace = findWidestTrace(await observed('logs', '--no-color', '--no-log-prefix', 'otel-collector'));
  console.log(`trace ${trace.traceId}: ${trace.services.join(', ')}`);
  figures['services in one trace'] = trace.services.length;
  if (trace.services.length < 2) complaints.push('no trace reaches over two services');
}

/** Each process that was asked to stop ends with 0; a JVM reports the signal, 143. */
async function findBadEnds(engine: Engine, complaints: string[]): Promise<void> {
  const ids = (await engine.run(['docker', 'ps', '-aq', '--filter', ofProject])).trim().split('\n');
  const ends = await engine.run(['docker', 'inspect', '-f', '{{.Name}} {{.State.ExitCode}}', ...ids]);
  for (const line of ends.trim().split('\n')) if (!/ (0|143)$/.test(line)) complaints.push(`ended: ${line}`);
}

async function takeDown({ engine, complaints, compose }: Run, clone: string): Promise<void> {
  complaints.push(...(await takeDownProject(engine, compose)));
  await engine.stop();
  rmSync(clone, { recursive: true, force: true });
}

export const scenario = defineScenario({
  about:
    'the compose file from a clone: a journey, all restarted and killed under load, dashboards read; the steps of self-hosting',
  takes: 'about 25 minutes, 8 GB of disk; root, debootstrap, slirp4netns and Go where there is no engine',
  flags: {
    only: { usual: '', about: 'one part: evaluation or self-hosting' },
    keep: { usual: false, about: 'leaves the product and the engine running' },
  },
  run: ({ flags }) => prove(!flags.keep, flags.only),
});
