import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { repositoryRoot } from '../../kit/product/processes.ts';
import { UsageError } from '../../kit/run/flags.ts';
import type { Given } from '../../kit/run/scenario.ts';
import { findEngine } from './engine.ts';
import { composeCommand, nameApart, publishedPorts, requireUnused, takeDownProject } from './project.ts';
import { scenario } from './scenario.ts';

/**
 * An engine with a running installation: it gives what belongs to `hookline` to whoever does not ask for the
 * proof's own, and what FAKE_LEFT names to whoever does.
 */
const fakeDocker = `#!/bin/sh
echo "$*" >> "$FAKE_LOG"
case "$*" in
  version*) echo 29.0.0 ;;
  context*) echo unix:///run/docker.sock ;;
  *" ls "*hookline-proof*) echo "$FAKE_LEFT" ;;
  *" ls "*) echo 1a2b3c_of_hookline ;;
esac
`;
const reading = /^(version|context|(container|volume|network) ls)\b/;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hookline-docker-'));
  writeFileSync(join(folder, 'docker'), fakeDocker);
  chmodSync(join(folder, 'docker'), 0o755);
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`);
  vi.stubEnv('FAKE_LOG', join(folder, 'log'));
  vi.stubEnv('FAKE_LEFT', '');
  vi.stubEnv('COMPOSE_PROJECT_NAME', 'hookline');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const commands = (): string[] => readFileSync(join(folder, 'log'), 'utf8').trim().split('\n');

describe('the proof in containers on a machine with an installation of the product', () => {
  it('starts, and every command that changes something is about its own project', async () => {
    const engine = await findEngine();
    await requireUnused(engine, []);
    expect(commands().filter(command => !reading.test(command))).toEqual([]);
    vi.stubEnv('FAKE_LEFT', 'hookline-proof_backups');
    await takeDownProject(engine, (...args) =>
      engine.run([...composeCommand(['docker-compose.yml']), ...args]),
    );
    const changing = commands().filter(command => !reading.test(command));
    expect(changing).toEqual([
      expect.stringMatching(/^compose -p hookline-proof -f docker-compose\.yml .*\bdown --volumes/),
      'volume rm hookline-proof_backups',
      'network rm hookline-proof_backups',
    ]);
  });

  it('refuses to start while an earlier run has left something, and only reads', async () => {
    vi.stubEnv('FAKE_LEFT', 'hookline-proof-postgres-1');
    const given = { flags: { only: '', keep: false } } as unknown as Given;
    await expect(scenario.run(given)).rejects.toThrow(
      new UsageError(
        'The engine has a container of the project hookline-proof: hookline-proof-postgres-1. Remove what an earlier run left: docker compose -p hookline-proof down --volumes.',
      ),
    );
    expect(commands().filter(command => !reading.test(command))).toEqual([]);
  });

  it('refuses to start while a port that it publishes is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise(done => server.once('listening', done));
    const { port } = server.address() as { port: number };
    await expect(requireUnused(await findEngine(), [port])).rejects.toThrow(`Port ${port} of this machine`);
    server.close();
  });

  it('has names of its own for images and networks, whatever the project is called', () => {
    const files = ['docker-compose.yml', 'deploy/compose/self-hosting.yml'];
    mkdirSync(join(folder, 'deploy/compose'), { recursive: true });
    for (const file of files) cpSync(join(repositoryRoot, file), join(folder, file));
    nameApart(folder);
    const names = files.flatMap(file =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(/\b(?:image|name): (hookline[\w./-]*)/g)].map(
        ([, name = '']) => name,
      ),
    );
    expect(names.filter(name => !/^hookline-proof([/_]|$)/.test(name))).toEqual([]);
    expect(names).toContain('hookline-proof/gateway');
    expect(names).toContain('hookline-proof_public');
  });

  it('publishes the ports that the compose files name', () => {
    const text = ['docker-compose.yml', 'deploy/compose/self-hosting.yml']
      .map(file => readFileSync(join(repositoryRoot, file), 'utf8'))
      .join('\n');
    const lists = [...text.matchAll(/^ +ports:.*$/gm)].map(([line]) => line);
    const named = lists.flatMap(line =>
      [...line.matchAll(/"(?:[\d.]+:)?(\d+):\d+/g)].map(([, port]) => port),
    );
    expect(new Set(publishedPorts('').map(String))).toEqual(new Set(named));
  });
});
