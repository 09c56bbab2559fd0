/**
 * The product as platform teams run it: one process per service and replica over real Kafka, Redis and
 * Postgres.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from '@hookline/infra/test-databases';
import { testKafkaBrokers, testPostgresUrl, testRedisUrl } from '@hookline/infra/test-infra';
import { freePorts, type ProductProcess, startProcess, untilReady } from './processes.ts';

const services = ['gateway', 'content', 'scheduling', 'automation', 'analytics'] as const;
export type Service = (typeof services)[number];

/** Overrides of a run's default of two replicas of content and scheduling and one of each other service. */
export type DistributedOptions = {
  /** Services that are not listed are not started. */
  replicas?: Partial<Record<Service, number>>;
  /** Replaces a service's entry file, relative to the repository's root; evaluated again at each restart. */
  entries?: Partial<Record<Service, string>>;
  /** Replaces the entry file of the migration in the same way. */
  migration?: string;
  /** Additional environment of one replica, counted from 0. */
  envOf?: (service: Service, replica: number, env: Record<string, string>) => Record<string, string>;
  /** Opens a proxy to the simulated platforms' API for injecting faults; returns its address. */
  platformWay?: (to: string) => Promise<string>;
  /**
   * Puts a proxy in front of a service's replicas; returns the address that clients and the other services
   * use.
   */
  inFront?: (service: Service, urls: readonly string[]) => Promise<string>;
};

const usualReplicas = { gateway: 1, content: 2, scheduling: 2, automation: 1, analytics: 1 };

export type DistributedProduct = {
  baseUrl: string;
  simulatorsUrl: string;
  /** Folder in which the simulators record what arrived. */
  simulatorsDir: string;
  /** Superuser URL of the product's database. */
  databaseUrl: string;
  /** Passwords and keys of the processes, which must not appear in any log. */
  secrets: readonly string[];
  replicas(service: Service): ProductProcess[];
  /** URLs of its replicas, bypassing the gateway. */
  urlsOf(service: Service): string[];
  /** The replica running at this URL. @throws Error when there is none */
  replicaAt(url: string): ProductProcess;
  /** True when a process is running at the address of this one. */
  isRunningInPlaceOf(one: ProductProcess): boolean;
  /** Every process of a service ever started here, including those that have ended. */
  everStarted(service: Service): ProductProcess[];
  /** Starts a replica in place of one that was killed. */
  restart(one: ProductProcess): Promise<ProductProcess>;
  remove(): Promise<void>;
};

/** Null when Kafka or Redis is unavailable on this machine. */
export async function startDistributed(
  extraEnv: Record<string, string> = {},
  options: DistributedOptions = {},
): Promise<DistributedProduct | null> {
  const brokers = extraEnv.KAFKA_BROKERS ?? (await testKafkaBrokers());
  const redisUrl = await testRedisUrl();
  if (brokers === null || redisUrl === null) return null;
  const database = await createTestDatabase({ serverUrl: await testPostgresUrl() });
  const dataDir = mkdtempSync(join(tmpdir(), 'hookline-e2e-'));
  const replicas = options.replicas ?? usualReplicas;
  const wanted = services.flatMap(service => Array.from({ length: replicas[service] ?? 0 }, () => service));
  const [simulatorsPort, ...ports] = await freePorts(1 + wanted.length);
  const simulators = `http://127.0.0.1:${simulatorsPort}`;
  const platforms = (await options.platformWay?.(simulators)) ?? simulators;
  const launches = wanted.map((service, at) => ({ service, url: `http://127.0.0.1:${ports[at]}` }));
  const urlsOf = (service: Service): string[] =>
    launches.filter(one => one.service === service).map(one => one.url);
  // A service that is not started has an address where nothing listens.
  const fronts = new Map<Service, string>();
  for (const service of options.inFront ? services : [])
    fronts.set(service, (await options.inFront?.(service, urlsOf(service))) ?? '');
  const addressOf = (service: Service): string =>
    fronts.get(service) ?? (urlsOf(service).join(',') || 'http://127.0.0.1:1');
  const gateway = fronts.get('gateway') ?? urlsOf('gateway')[0] ?? '';
  const portOf = (url: string): string => new URL(url).port;
  const passwords = Object.fromEntries(
    [...services, 'bus'].map(name => [name, randomBytes(12).toString('hex')]),
  );

  const migration = startProcess(
    'migrate',
    options.migration ?? 'packages/shared/src/postgres/migrate-main.ts',
    {
      DATABASE_URL: database.url,
      DATABASE_ROLE_PASSWORDS: Object.entries(passwords)
        .map(entry => entry.join(':'))
        .join(','),
    },
  );
  const code = await migration.exited;
  if (code !== 0) throw new Error(`the migration ended with ${code}: ${migration.output()}`);

  const publicUrl = gateway.replace('127.0.0.1', 'localhost');
  const keys = Object.fromEntries(services.map(name => [name, randomBytes(32).toString('base64')]));
  const environmentOf = (service: Service, port: string): Record<string, string> => ({
    PORT: port,
    HOST: '127.0.0.1',
    DATABASE_URL: asRole(database.url, service, passwords[service] ?? ''),
    DATABASE_POOL_MAX: '6',
    KAFKA_BROKERS: brokers,
    REDIS_URL: redisUrl,
    PUBLIC_URL: publicUrl,
    DATA_DIR: join(dataDir, 'shared'),
    SERVICE_SIGNING_KEYS: [service, ...services.filter(name => name !== service)]
      .map(name => `${name}:${keys[name]}`)
      .join(','),
    ENCRYPTION_KEYS: `one:${keys.gateway}`,
    MEDIA_SIGNING_KEY: `one:${keys.content}`,
    CONTENT_URL: addressOf('content'),
    SCHEDULING_URL: addressOf('scheduling'),
    AUTOMATION_URL: addressOf('automation'),
    ANALYTICS_URL: addressOf('analytics'),
    TIKTOK_API_URL: `${platforms}/tiktok`,
    TIKTOK_AUTH_URL: `${simulators}/tiktok`,
    TIKTOK_CLIENT_KEY: 'simulator-client-key',
    TIKTOK_CLIENT_SECRET: 'simulator-client-secret',
    APP_STORE_URL: `${simulators}/appstore`,
    GOOGLE_PLAY_URL: `${simulators}/googleplay`,
    YOUTUBE_API_URL: `${simulators}/youtube`,
    YOUTUBE_API_KEY: 'simulator-api-key',
    INSTAGRAM_API_URL: `${simulators}/instagram`,
    SIGN_UP: 'open',
    ...extraEnv,
  });

  const started = new Map<ProductProcess, { service: Service; url: string }>();
  const launch = async (service: Service, url: string): Promise<ProductProcess> => {
    const entry = options.entries?.[service] ?? `services/${service}/src/main.ts`;
    const replica = urlsOf(service).indexOf(url);
    const usual = environmentOf(service, portOf(url));
    const env = { ...usual, ...options.envOf?.(service, replica, usual) };
    const one = startProcess(service, entry, env);
    started.set(one, { service, url });
    await untilReady(one, url, 60_000);
    return one;
  };
  startProcess('simulators', 'packages/simulators/src/main.ts', {
    SIMULATORS_PORT: portOf(simulators),
    DATA_DIR: dataDir,
    SIMULATORS_WEBHOOK_URL: `${gateway}/platform/tiktok/events`,
  });
  await Promise.all(launches.map(({ service, url }) => launch(service, url)));
  return {
    baseUrl: `${publicUrl}/api/v1`,
    simulatorsUrl: simulators,
    simulatorsDir: join(dataDir, 'simulators'),
    databaseUrl: database.url,
    secrets: [...Object.values(passwords), ...Object.values(keys), 'simulator-client-secret'],
    urlsOf,
    replicas: service =>
      [...started].filter(([one, about]) => about.service === service && one.isRunning()).map(([one]) => one),
    replicaAt(url) {
      const found = [...started].find(([one, about]) => about.url === url && one.isRunning());
      if (!found) throw new Error(`nothing runs at ${url}`);
      return found[0];
    },
    isRunningInPlaceOf(one) {
      const url = started.get(one)?.url;
      return [...started].some(([other, about]) => about.url === url && other.isRunning());
    },
    everStarted: service => [...started].filter(([, about]) => about.service === service).map(([one]) => one),
    async restart(one) {
      const about = started.get(one);
      if (!about) throw new Error(`${one.name} was not started here`);
      return await launch(about.service, about.url);
    },
    async remove() {
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function asRole(url: string, role: string, password: string): string {
  const changed = new URL(url);
  changed.username = role;
  changed.password = password;
  return changed.href;
}
