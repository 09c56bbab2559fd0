import { join } from 'node:path';
import { startEmbeddedPostgres } from '@hookline/embedded';
import { startKafkaCluster } from './kafka.ts';
import { startPgBouncer } from './pgbouncer.ts';
import { startRedis } from './redis.ts';
import { startS3 } from './s3.ts';

type Server = { address: string; stop(): Promise<void> };

/** A component for tests and benchmarks, or one line that says what to install. */
export type Found = Server | { missing: string };

export type FindOptions = {
  /** Folder for the files of started processes. */
  workDir: string;
  log?: (line: string) => void;
  /** Called with the pid of every process that is started. */
  onPid?: (pid: number) => void;
};

/** Temporary data: a killed run starts over, so waiting for the disk gains nothing. */
const THROWAWAY_SETTINGS = { fsync: 'off', full_page_writes: 'off', max_connections: '200' };
// Options of the unsupported pooler: it must be refused for its pool mode, not for an unknown parameter.
const LENIENT = { ignore_startup_parameters: 'statement_timeout,idle_in_transaction_session_timeout' };

/** Postgres as a superuser URL: `DATABASE_URL`, else the embedded binaries. */
export function findPostgres(options: FindOptions): Promise<Found> {
  return find('Postgres', process.env.DATABASE_URL, async () => {
    const dataDir = join(options.workDir, 'postgres');
    const server = await startEmbeddedPostgres({ dataDir, settings: THROWAWAY_SETTINGS });
    options.onPid?.(server.pid);
    return { address: server.url, stop: server.stop };
  });
}

/**
 * Kafka as `host:port[,host:port]`: `KAFKA_BROKERS`, else three Java processes, because one broker cannot
 * reveal a client's faults in following a partition between brokers.
 */
export function findKafka(options: FindOptions): Promise<Found> {
  return find('Kafka', process.env.KAFKA_BROKERS, async () => {
    const cluster = await startKafkaCluster(3, { ...options, workDir: join(options.workDir, 'kafka') });
    // Nothing is kept, so an orderly shutdown, which takes 5 s, gains nothing.
    return { address: cluster.brokers, stop: cluster.kill };
  });
}

/** Redis as a URL: `REDIS_URL`, else an ordinary process. */
export function findRedis(options: FindOptions): Promise<Found> {
  return find('Redis', process.env.REDIS_URL, async () => {
    const server = await startRedis({ ...options, workDir: join(options.workDir, 'redis') });
    return { address: server.url, stop: server.stop };
  });
}

/** An S3 server as `http://<access key>:<secret key>@host:port`: a Java process. */
export function findS3(options: FindOptions): Promise<Found> {
  return find('S3', undefined, async () => {
    const server = await startS3({ ...options, workDir: join(options.workDir, 's3') });
    return { address: server.url, stop: server.stop };
  });
}

/** PgBouncer in front of a Postgres, as a superuser URL. */
export function findPgBouncer(
  options: FindOptions,
  serverUrl: string,
  poolMode: 'session' | 'transaction',
): Promise<Found> {
  return find('PgBouncer', undefined, async () => {
    const workDir = join(options.workDir, `pgbouncer-${poolMode}`);
    const settings = poolMode === 'transaction' ? LENIENT : {};
    const server = await startPgBouncer({ ...options, workDir, serverUrl, poolMode, settings });
    return { address: server.url, stop: server.stop };
  });
}

async function find(
  name: string,
  fromEnvironment: string | undefined,
  start: () => Promise<Server>,
): Promise<Found> {
  if (fromEnvironment) return { address: fromEnvironment, stop: async () => {} };
  try {
    return await start();
  } catch (error) {
    return { missing: `${name} is missing: ${(error as Error).message}` };
  }
}
