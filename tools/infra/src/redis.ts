import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePort } from '@hookline/embedded/free-port';
import { askPort, type ChildServer, startChildServer } from './child-server.ts';
import { fetchWithMaven } from './maven.ts';

const READY_TIMEOUT_MS = 20_000;

export type RedisOptions = {
  workDir: string;
  log?: (line: string) => void;
  onPid?: (pid: number) => void;
};

export type RedisProcess = ChildServer & {
  /** `redis://127.0.0.1:<port>`; stays the same over `kill` and `restart`. */
  url: string;
};

/**
 * Starts a real Redis without persistence: the one on the PATH, else the one from Maven.
 *
 * @throws a one-sentence error that says what to install
 */
export async function startRedis(options: RedisOptions): Promise<RedisProcess> {
  const workDir = resolve(options.workDir);
  mkdirSync(workDir, { recursive: true });
  const command = await findRedisServer();
  const port = await freePort();
  const server = await startChildServer({
    name: 'Redis',
    command,
    args: [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
      '--dir',
      workDir,
    ],
    logFile: join(workDir, 'redis.log'),
    isReady: async () =>
      (await askPort(port, Buffer.from('PING\r\n')))?.toString().startsWith('+PONG') ?? false,
    readyTimeoutMs: READY_TIMEOUT_MS,
    ...(options.onPid === undefined ? {} : { onPid: options.onPid }),
  });
  options.log?.(`Redis answers on 127.0.0.1:${port}.`);
  return { ...server, url: `redis://127.0.0.1:${port}` };
}

async function findRedisServer(): Promise<string> {
  if (spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0) return 'redis-server';
  const pom = resolve(import.meta.dirname, '../redis/pom.xml');
  const unpacked = await fetchWithMaven('redis-6.2', pom, 'unpack-dependencies').catch((error: Error) => {
    throw new Error(`${error.message} Or install Redis itself (Debian: apt-get install redis-server).`);
  });
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const file = readdirSync(unpacked).find(
    name => name.startsWith('redis-server-') && name.endsWith(`${process.platform}-${architecture}`),
  );
  if (file === undefined) {
    throw new Error(
      `No redis-server for ${process.platform}-${process.arch} comes with Maven: install Redis, or set REDIS_URL.`,
    );
  }
  const path = join(unpacked, file);
  chmodSync(path, 0o755);
  return path;
}
