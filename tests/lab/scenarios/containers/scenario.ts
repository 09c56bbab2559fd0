/**
 * The product in containers: images from the Dockerfile, `docker compose up --wait` from a clone, the first
 * journey through it, the stores killed, content scaled to three, everything taken down. Brings an engine
 * where the machine has none.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { repositoryRoot } from '../../kit/product/processes.ts';
import { defineScenario, type Figures, type Outcome } from '../../kit/run/scenario.ts';
import { buildStandIns, type Engine, findEngine } from './engine.ts';

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
const killed = ['postgres', 'kafka', 'redis', 's3'];
/** On top of the base image. */
const mbMax = (image: string): number => (image === 'content' ? 150 : 90);
const mb = (bytes: string): number => Math.round(Number(bytes) / 1_000_000);

const Walk = z.object({
  seconds: z.number(),
  answers: z.record(z.string(), z.number()),
  post: z.number(),
  image: z.string(),
});

async function prove(isStopped: boolean): Promise<Outcome> {
  const figures: Figures = {};
  const complaints: string[] = [];
  const timed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
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
  const compose = (...args: string[]) => engine.run(['docker', 'compose', ...args], clone);
  try {
    if (engine.isOwn) await timed('stand-ins', () => buildStandIns(engine));
    await timed('clone', async () => makeClone(clone));
    await timed('build', () => compose('--profile', 'tools', 'build'));
    await readSizes(engine, figures, complaints);
    await timed('healthy', () => compose('up', '--wait', '--no-build'));
    await walk(engine, 'journey', figures, complaints);
    figures['MiB in all'] = await readMemory(engine);
    await timed('invariants', () => compose('run', '--rm', '--no-deps', 'ops'));
    for (const store of killed) await compose('kill', '-s', 'SIGKILL', store);
    for (const store of killed) await compose('start', store);
    await timed('healthy after the stores were killed', () => compose('up', '--wait', '--no-build'));
    await walk(engine, 'journey after it', figures, complaints);
    await timed('content scaled to three', () =>
      compose('up', '--wait', '--no-build', '--scale', 'content=3'),
    );
    await walk(engine, 'journey on three', figures, complaints);
    await timed('stopped', () => compose('stop'));
    await findBadEnds(engine, complaints);
  } finally {
    if (isStopped) {
      await compose('--profile', 'tools', 'down', '--volumes', '--remove-orphans').catch((error: Error) =>
        complaints.push(error.message),
      );
      const left = await engine.run([
        'docker',
        'ps',
        '-aq',
        '--filter',
        'label=com.docker.compose.project=hookline',
      ]);
      if (left.trim() !== '') complaints.push(`containers are left: ${left.trim()}`);
      await engine.stop();
      rmSync(clone, { recursive: true, force: true });
    }
  }
  for (const complaint of complaints) console.log(`  ${complaint}`);
  return { isProven: complaints.length === 0, figures: { ...figures, wrong: complaints.length } };
}

async function makeClone(clone: string): Promise<void> {
  const { execFileSync } = await import('node:child_process');
  rmSync(clone, { recursive: true, force: true });
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${repositoryRoot}`, clone]);
}

async function readSizes(engine: Engine, figures: Figures, complaints: string[]): Promise<void> {
  const sizeOf = async (image: string): Promise<number> =>
    mb(await engine.run(['docker', 'image', 'inspect', '-f', '{{.Size}}', image]));
  const base = await sizeOf('node:24.21.0-bookworm-slim');
  figures['MB of the base'] = base;
  for (const image of images) {
    const own = (await sizeOf(`hookline/${image}`)) - base;
    figures[`MB of ${image}`] = own;
    if (image !== 'ops' && own > mbMax(image))
      complaints.push(`${image} has ${own} MB, over ${mbMax(image)}`);
    const look =
      'test ! -e /usr/local/bin/npm && test ! -e node_modules/testcontainers && test -s sbom.spdx.json';
    await engine
      .run([
        'docker',
        'run',
        '--rm',
        '--network',
        'none',
        '--entrypoint',
        'sh',
        `hookline/${image}`,
        '-c',
        look,
      ])
      .catch(() =>
        complaints.push(`${image} holds npm or the packages of the tests, or no bill of materials`),
      );
  }
}

async function walk(engine: Engine, name: string, figures: Figures, complaints: string[]): Promise<void> {
  const { seconds, answers, post, image } = Walk.parse(JSON.parse(await engine.runScript('walk.ts')));
  console.log(`${name}: ${seconds} s`);
  figures[`${name} s`] = seconds;
  for (const [page, status] of Object.entries(answers))
    if (status !== 200) complaints.push(`${name}: ${page} answered ${status}`);
  if (post !== 200 || !image.startsWith('image/')) complaints.push(`${name}: the post has no pictures`);
}

/** Prints the memory of each container. @returns MiB of all */
async function readMemory(engine: Engine): Promise<number> {
  const format = '{{.Name}} {{.MemUsage}} {{.CPUPerc}}';
  const lines = (await engine.run(['docker', 'stats', '--no-stream', '--format', format])).trim().split('\n');
  let all = 0;
  for (const line of lines) {
    console.log(`  ${line}`);
    const [, value = '0', unit = ''] = /([\d.]+)(MiB|GiB)/.exec(line) ?? [];
    all += Number(value) * (unit === 'GiB' ? 1_024 : 1);
  }
  return Math.round(all);
}

/** Each process that was asked to stop ends with 0; a JVM reports the signal, 143. */
async function findBadEnds(engine: Engine, complaints: string[]): Promise<void> {
  const ids = (await engine.run(['docker', 'ps', '-aq'])).trim().split('\n');
  const ends = await engine.run(['docker', 'inspect', '-f', '{{.Name}} {{.State.ExitCode}}', ...ids]);
  for (const line of ends.trim().split('\n')) if (!/ (0|143)$/.test(line)) complaints.push(`ended: ${line}`);
}

export const scenario = defineScenario({
  about: 'the images built, the compose file started from a clone, a journey, stores killed, all taken down',
  takes: 'about 10 minutes, 8 GB of disk; root, debootstrap and slirp4netns where there is no engine',
  flags: { keep: { usual: false, about: 'leaves the product and the engine running' } },
  run: ({ flags }) => prove(!flags.keep),
});
