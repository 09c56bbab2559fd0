import { fetchKafka } from './kafka.ts';
import type { TestComponent } from './test-infra-host.ts';

/** Superuser URL of the run's Postgres, started on first use. Throws when it is unavailable. */
export async function testPostgresUrl(): Promise<string> {
  const url = process.env.HOOKLINE_TEST_POSTGRES_URL ?? (await ask('postgres'));
  if (url === null) throw new Error('Postgres is missing: run npm ci, or set DATABASE_URL.');
  return url;
}

/**
 * Brokers of the run's Kafka, started on first use. Null when unavailable: skip with `describe.skipIf`. With
 * `CI=true` that is an error instead.
 */
export async function testKafkaBrokers(): Promise<string | null> {
  return process.env.KAFKA_BROKERS || (await ask('kafka'));
}

/** True where a test can start brokers of its own; asking starts none, unlike `testKafkaBrokers`. */
export async function canStartKafka(): Promise<boolean> {
  const found = await fetchKafka().catch(({ message }: Error) => absent(message));
  return found !== null;
}

/** URL of the run's Redis; null (with `CI=true` an error) when unavailable, as with Kafka. */
export async function testRedisUrl(): Promise<string | null> {
  return process.env.REDIS_URL || (await ask('redis'));
}

/**
 * URL of the run's S3 server, `http://<access key>:<secret key>@host:port`, without any bucket; null (with
 * `CI=true` an error) when unavailable.
 */
export async function testS3Url(): Promise<string | null> {
  return await ask('s3');
}

/**
 * Superuser URL of a PgBouncer in front of the run's Postgres; null (with `CI=true` an error) when
 * unavailable.
 */
export async function testPgBouncerUrl(poolMode: 'session' | 'transaction'): Promise<string | null> {
  return await ask(`pgbouncer-${poolMode}`);
}

async function ask(component: TestComponent): Promise<string | null> {
  const host = process.env.HOOKLINE_TEST_INFRA_URL;
  if (host === undefined)
    throw new Error('Run tests through npm test or npx vitest: their setup starts the servers.');
  const response = await fetch(`${host}/${component}`);
  const found = (await response.json()) as { address: string } | { missing: string };
  if (!('missing' in found)) return found.address;
  return absent(found.missing);
}

function absent(reason: string): null {
  if (process.env.CI === 'true') throw new Error(reason);
  console.warn(reason);
  return null;
}
