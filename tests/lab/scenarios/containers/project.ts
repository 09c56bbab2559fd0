/** The proof's own Compose project. A real installation of docs/self-hosting.md is the project `hookline`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { UsageError } from '../../kit/run/flags.ts';
import type { Engine } from './engine.ts';

export const project = 'hookline-proof';
/** `docker … ls --filter` for what belongs to the project. */
export const ofProject = `label=com.docker.compose.project=${project}`;
/** What the compose files publish on the host. */
const published = { evaluation: [8080, 8090, 3000], selfHosting: [8080, 8090, 80, 443] };
const connectMaxMs = 2_000;
const kinds = ['container', 'volume', 'network'] as const;
type Kind = (typeof kinds)[number];

/** The command line up to Compose's own command; files and the environment file of the caller included. */
export function composeCommand(files: readonly string[], ...options: readonly string[]): string[] {
  return ['docker', 'compose', '-p', project, ...options, ...files.flatMap(file => ['-f', file])];
}

/** @param only '' for all parts of the proof */
export function publishedPorts(only: string): number[] {
  const parts = [
    ...(only === 'self-hosting' ? [] : published.evaluation),
    ...(only === 'evaluation' ? [] : published.selfHosting),
  ];
  return [...new Set(parts)];
}

/**
 * Reads only. An engine that this run did not start may hold what somebody needs.
 * @throws UsageError when it has anything of the project's name, or a port that the proof publishes is taken
 */
export async function requireUnused(engine: Engine, ports: readonly number[]): Promise<void> {
  for (const kind of kinds) {
    for (const filter of [ofProject, `name=${project}`]) {
      const found = await listIds(engine, kind, filter);
      if (found.length > 0)
        throw new UsageError(
          `The engine has a ${kind} of the project ${project}: ${found.join(', ')}. Remove what an earlier run left: docker compose -p ${project} down --volumes.`,
        );
    }
  }
  for (const port of ports)
    if (await isTaken(port))
      throw new UsageError(`Port ${port} of this machine is taken; the proof publishes the product on it.`);
}

/** Ids of containers, stopped ones included, of volumes or of networks. */
async function listIds(engine: Engine, kind: Kind, filter: string): Promise<string[]> {
  const all = kind === 'container' ? ['--all'] : [];
  const ids = (await engine.run(['docker', kind, 'ls', '-q', ...all, '--filter', filter])).trim();
  return ids === '' ? [] : ids.split('\n');
}

function isTaken(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host: '127.0.0.1', port, timeout: connectMaxMs }, () => resolve(true));
  socket.once('error', () => resolve(false));
  socket.once('timeout', () => resolve(false));
  return promise.finally(() => socket.destroy());
}

/**
 * Gives the files of a clone image names and a network name of their own: built or created under the names of
 * an installation, they would replace what it runs next.
 * @throws Error when one of those names is left
 */
export function nameApart(clone: string): void {
  for (const file of ['docker-compose.yml', 'deploy/compose/self-hosting.yml']) {
    const path = join(clone, file);
    const text = readFileSync(path, 'utf8')
      .replaceAll('image: hookline/', `image: ${project}/`)
      .replaceAll('name: hookline_', `name: ${project}_`)
      .replace(/^name: hookline$/m, `name: ${project}`);
    const left = text.split('\n').find(line => /^[^#]*\b(image|name): hookline(?!-proof)/.test(line));
    if (left !== undefined) throw new Error(`${file} names what an installation uses: ${left.trim()}`);
    writeFileSync(path, text);
  }
}

/** Removes the project, also what only its other compose files name, and reports what is left of it. */
export async function takeDownProject(
  engine: Engine,
  compose: (...args: string[]) => Promise<string>,
): Promise<string[]> {
  const complaints: string[] = [];
  await compose(...down).catch((error: Error) => complaints.push(error.message));
  for (const kind of ['volume', 'network'] as const) {
    const left = await listIds(engine, kind, ofProject);
    if (left.length > 0) await engine.run(['docker', kind, 'rm', ...left]);
  }
  for (const kind of kinds) {
    const left = await listIds(engine, kind, ofProject);
    if (left.length > 0) complaints.push(`a ${kind} is left: ${left.join(', ')}`);
  }
  return complaints;
}

export const down = ['--profile', 'tools', '--profile', 'observe', 'down', '--volumes', '--remove-orphans'];
