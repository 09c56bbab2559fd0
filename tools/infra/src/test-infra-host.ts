import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import {
  identify,
  isSameProcess,
  type ProcessIdentity,
  waitUntilGone,
} from '@hookline/embedded/running-process';
import {
  type FindOptions,
  type Found,
  findKafka,
  findPgBouncer,
  findPostgres,
  findRedis,
  findS3,
} from './find.ts';
import { CACHE_DIR } from './maven.ts';

const TEST_COMPONENTS = [
  'postgres',
  'kafka',
  'redis',
  's3',
  'pgbouncer-session',
  'pgbouncer-transaction',
] as const;
export type TestComponent = (typeof TEST_COMPONENTS)[number];

export type TestInfraHost = {
  /** Loopback address for test processes; its path is a secret of this run. */
  url: string;
  /** Starts the component at the first call. */
  get(component: TestComponent): Promise<Found>;
  stop(): Promise<void>;
};

type Finder = (options: FindOptions, get: TestInfraHost['get']) => Promise<Found>;

const FINDERS: Readonly<Record<TestComponent, Finder>> = {
  postgres: findPostgres,
  kafka: findKafka,
  redis: findRedis,
  s3: findS3,
  'pgbouncer-session': pgBouncerFinder('session'),
  'pgbouncer-transaction': pgBouncerFinder('transaction'),
};
const RUNS_DIR = join(CACHE_DIR, 'test-runs');

/**
 * Holds the servers of one test run. Each is started on first use, so a run of one file only pays for what it
 * uses. Ends what an earlier run left after a kill -9.
 */
export async function hostTestInfra(log: (line: string) => void): Promise<TestInfraHost> {
  await endLeftRuns();
  const runDir = join(RUNS_DIR, `${process.pid}-${randomBytes(3).toString('hex')}`);
  mkdirSync(runDir, { recursive: true, mode: 0o700 });
  record(runDir, 'owner', process.pid);
  const started = new Map<TestComponent, Promise<Found>>();
  const get = (component: TestComponent): Promise<Found> => {
    const known = started.get(component);
    if (known !== undefined) return known;
    const options: FindOptions = { workDir: runDir, log, onPid: pid => record(runDir, String(pid), pid) };
    const found = FINDERS[component](options, get);
    started.set(component, found);
    return found;
  };
  const door = await openDoor(get);
  const stop = async () => {
    door.close();
    for (const found of await Promise.all(started.values())) if (!('missing' in found)) await found.stop();
    rmSync(runDir, { recursive: true, force: true });
  };
  return { url: door.url, get, stop };
}

function pgBouncerFinder(poolMode: 'session' | 'transaction'): Finder {
  return async (options, get) => {
    const postgres = await get('postgres');
    return 'missing' in postgres ? postgres : findPgBouncer(options, postgres.address, poolMode);
  };
}

/** Serves `GET <url>/<component>` as `{ address }` or `{ missing }` to test processes of this run. */
function openDoor(
  get: (component: TestComponent) => Promise<Found>,
): Promise<{ url: string; close(): void }> {
  const secret = randomBytes(16).toString('hex');
  const server = createServer((request, response) => {
    const component = TEST_COMPONENTS.find(name => request.url === `/${secret}/${name}`);
    if (component === undefined) {
      response.writeHead(404).end();
      return;
    }
    get(component).then(found => response.end(JSON.stringify(found)));
  });
  server.unref();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      const close = () => {
        server.close();
        server.closeAllConnections();
      };
      resolve({ url: `http://127.0.0.1:${port}/${secret}`, close });
    });
  });
}

function record(runDir: string, name: string, pid: number): void {
  writeFileSync(join(runDir, `${name}.pid`), JSON.stringify(identify(pid)));
}

async function endLeftRuns(): Promise<void> {
  mkdirSync(RUNS_DIR, { recursive: true });
  for (const run of readdirSync(RUNS_DIR)) {
    const runDir = join(RUNS_DIR, run);
    const owner = readIdentity(join(runDir, 'owner.pid'));
    if (owner === null || isSameProcess(owner)) continue;
    for (const file of readdirSync(runDir).filter(name => name.endsWith('.pid'))) {
      const left = readIdentity(join(runDir, file));
      if (left === null || !isSameProcess(left)) continue;
      // Postgres ends its children at SIGQUIT; for Java it is a thread dump, so SIGKILL follows.
      process.kill(left.pid, 'SIGQUIT');
      if (!(await waitUntilGone(left.pid, 1_000))) process.kill(left.pid, 'SIGKILL');
    }
    rmSync(runDir, { recursive: true, force: true });
  }
}

function readIdentity(path: string): ProcessIdentity | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ProcessIdentity;
  } catch {
    return null;
  }
}
