import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const TIMEOUT_MS = 300_000;

/** The folder at the repository's root for downloads; never committed. */
export const CACHE_DIR = resolve(import.meta.dirname, '../../../.cache');

/**
 * Downloads the dependencies of a `pom.xml` into a cached folder, once.
 *
 * @param goal `copy-dependencies` for unmodified jars, `unpack-dependencies` for their contents
 * @throws a one-sentence error: Java or Maven missing, or Maven Central unreachable
 */
export async function fetchWithMaven(
  what: string,
  pom: string,
  goal: 'copy-dependencies' | 'unpack-dependencies',
): Promise<string> {
  const target = join(CACHE_DIR, what);
  if (existsSync(target)) return target;
  requireCommand(what, 'mvn');
  mkdirSync(dirname(target), { recursive: true });
  const draft = `${target}.${process.pid}`;
  try {
    await runMaven(what, ['-q', '-B', '-f', pom, `dependency:${goal}`, `-DoutputDirectory=${draft}`]);
    if (!existsSync(target)) renameSync(draft, target);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return target;
}

/** Throws a one-sentence error when a command is not on the PATH. */
export function requireCommand(what: string, command: 'java' | 'mvn'): void {
  const { error } = spawnSync(command, ['--version'], { stdio: 'ignore' });
  if (error === undefined) return;
  throw new Error(
    `${what} needs ${command}: install Java 17 and Maven (Debian: apt-get install default-jdk-headless maven).`,
  );
}

function runMaven(what: string, args: string[]): Promise<void> {
  const child = spawn('mvn', args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: TIMEOUT_MS });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk));
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', code => {
      if (code === 0) return done();
      const isOffline =
        /could not transfer|unknown host|timed out|connection refused|offline/i.test(output) || code === null;
      const reason = isOffline
        ? 'Maven Central cannot be reached'
        : (output.split('\n').find(line => line.includes('ERROR')) ?? `mvn ended with ${code}`);
      fail(new Error(`${what} could not be downloaded: ${reason}.`));
    });
  });
}
