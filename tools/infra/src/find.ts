import { join } from 'node:path';
import { startEmbeddedPostgres } from '@hookline/embedded';
import {
  type ContainerServer,
  hasContainerEngine,
  startKafkaContainer,
  startPostgresContainer,
  startRedisContainer,
  startS3Container,
} from './containers.ts';
import { startKafkaCluster } from './kafka.ts';
import { startPgBouncer } from './pgbouncer.ts';
import { startRedis } from './redis.ts';
import { startS3 } from './s3.ts';

/** A component for tests and benchmarks, or one line that says what to install. */
export type Found =
  | { address: string; source: 'environment' | 'container' | 'process'; stop(): Promise<void> }
  | { missing: string };

export type FindOptions = {
  /** Folder for the files of started processes. */
  workDir: string;
  log?: (line: string) => void;
  /** Called with the pid of every process that is started. */
  onPid?: (pid: number) => void;
};

/** Temporary data: a killed run starts over, so waiting for the disk gains nothing. */
const THROWAWAY_SETTINGS = { fsync: 'off', full_page_writes: 'off', max_connections: '300' };

/** Postgres as a superuser URL: `DATABASE_URL`, else a container, else the embedded binaries. */
export function findPostgres(options: FindOptions): Promise<Found> {
  return find('Postgres', process.env.DATABASE_URL, startPostgresContainer, options, async () => {
    const dataDir = join(options.workDir, 'postgres');
    const server = await startEmbeddedPostgres({ dataDir, settings: THROWAWAY_SETTINGS });
    options.onPid?.(server.pid);
    return { address: server.url, stop: server.stop };
  });
}

/**
 * Kafka as `host:port[,host:port]`: `KAFKA_BROKERS`, else three Java processes, else one broker
 * in a container. Three, because one broker cannot reveal a client's faults in following a
 * partition between brokers.
 */
export function findKafka(options: FindOptions): Promise<Found> {
  const startProcesses = async (): Promise<ContainerServer> => {
    const cluster = await startKafkaCluster(3, { ...options, workDir: join(options.workDir, 'kafka') });
    // Nothing is kept, so an orderly shutdown, which takes 5 s, gains nothing.
    return { address: cluster.brokers, stop: cluster.kill };
  };
  const startContainer = async (): Promise<ContainerServer> => {
    const server = await startKafkaContainer();
    options.log?.('Kafka has one broker here: no partition can move. Install Java and Maven for three.');
    return server;
  };
  return find('Kafka', process.env.KAFKA_BROKERS, startContainer, options, startProcesses, 'process');
}

/** Redis as a URL: `REDIS_URL`, else a container, else an ordinary process. */
export function findRedis(options: FindOptions): Promise<Found> {
  return find('Redis', process.env.REDIS_URL, startRedisContainer, options, async () => {
    const server = await startRedis({ ...options, workDir: join(options.workDir, 'redis') });
    return { address: server.url, stop: server.stop };
  });
}

/** An S3 server as `http://<access key>:<secret key>@host:port`: a container, else a Java process. */
export function findS3(options: FindOptions): Promise<Found> {
  return find('S3', undefined, startS3Container, options, async () => {
    const server = await startS3({ ...options, workDir: join(options.workDir, 's3') });
    return { address: server.url, stop: server.stop };
  });
}

// Options of the unsupported pooler: it must be refused for its pool mode, not for an unknown parameter.
const LENIENT = { ignore_startup_parameters: 'statement_timeout,idle_in_transaction_session_timeout' };

/** PgBouncer in front of a Postgres, as a superuser URL; always a separate process. */
export async function findPgBouncer(
  options: FindOptions,
  serverUrl: string,
  poolMode: 'session' | 'transaction',
): Promise<Found> {
  try {
    const workDir = join(options.workDir, `pgbouncer-${poolMode}`);
    const settings = poolMode === 'transaction' ? LENIENT : {};
    const server = await startPgBouncer({ ...options, workDir, serverUrl, poolMode, settings });
    return { address: server.url, source: 'process', stop: server.stop };
  } catch (error) {
    return { missing: `PgBouncer is missing: ${messageOf(error)}` };
  }
}

async function find(
  name: string,
  fromEnvironment: string | undefined,
  startContainer: () => Promise<ContainerServer>,
  options: FindOptions,
  startProcess: () => Promise<ContainerServer>,
  first: 'container' | 'process' = 'container',
): Promise<Found> {
  if (fromEnvironment) return { address: fromEnvironment, source: 'environment', stop: async () => {} };
  const inContainer = async (): Promise<Found | null> => {
    if (!(await hasContainerEngine())) return null;
    const server = await startContainer();
    options.log?.(`${name} runs in a container.`);
    return { ...server, source: 'container' };
  };
  const asProcess = async (): Promise<Found | null> => {
    const server = await startProcess();
    options.log?.(`${name} runs as a process.`);
    return { ...server, source: 'process' };
  };
  const reasons: string[] = [];
  for (const start of first === 'container' ? [inContainer, asProcess] : [asProcess, inContainer]) {
    try {
      const found = await start();
      if (found) return found;
    } catch (error) {
      reasons.push(messageOf(error));
      options.log?.(`${name} was not started: ${messageOf(error)}`);
    }
  }
  return { missing: `${name} is missing: ${reasons.join('; ')}` };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
