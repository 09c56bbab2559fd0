/**
 * Three gateways as processes, each with its own connection to a real Redis; real Postgres, a real content
 * service.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createMigratedDatabase, signingKeysFor, testSecrets } from '@hookline/testing/service-harness';
import { type RedisProcess, startRedis } from '../../../../tools/infra/src/redis.ts';
import { startTcpProxy, type TcpProxy } from '../../kit/faults/tcp-proxy.ts';
import {
  freePorts,
  type ProductProcess,
  startProcess,
  stopAllProcesses,
  untilReady,
} from '../../kit/product/processes.ts';

const gatewayCount = 3;
/** Wall clocks of the gateways, milliseconds from the truth. */
const clockSkewsMs = [0, 2_000, -2_000];

export type Stack = {
  urls: string[];
  redis: RedisProcess;
  /** Each gateway's connection to Redis. */
  ways: TcpProxy[];
  /** Superuser URL of the database. */
  databaseUrl: string;
  /** Number of times that gateways reported that Redis does not answer. */
  fallbacks(): number;
  /** The last lines of every process, for an aborted run. */
  lastLines(): string;
  stop(): Promise<void>;
};

/** Within `runProof`, which provides Postgres. @param folder for files of the processes */
export async function startStack(folder: string): Promise<Stack> {
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    await stopAllProcesses();
    for (const end of stops.reverse()) await end();
  };
  try {
    const database = await createMigratedDatabase();
    stops.push(() => database.drop());
    const redis = await startRedis({ workDir: join(folder, 'redis') });
    stops.push(() => redis.stop());
    const ways = await Promise.all(clockSkewsMs.map(() => startTcpProxy(redis.url)));
    for (const way of ways) stops.push(() => way.close());
    const ports = await freePorts(3 + gatewayCount);
    const [upstreamPort = 0, contentPort = 0, simulatorsPort = 0, ...gatewayPorts] = ports;
    startProcess('upstream', 'bench/gateway/upstream.ts', {}, [String(upstreamPort)]);
    startProcess('simulators', 'packages/simulators/src/main.ts', {
      SIMULATORS_PORT: String(simulatorsPort),
      DATA_DIR: join(folder, 'simulators'),
    });
    const common = { DATABASE_POOL_MAX: '8', LOG_LEVEL: 'warn', ...addresses(upstreamPort, contentPort) };
    const contentProcess = startProcess('content', 'tests/lab/scenarios/limits/content-process.ts', {
      ...common,
      ...testSecrets,
      PORT: String(contentPort),
      DATABASE_URL: database.roleUrl('content'),
      BUS_URL: database.roleUrl('bus'),
      SERVICE_SIGNING_KEYS: signingKeysFor('content'),
      PUBLIC_URL: `http://127.0.0.1:${gatewayPorts[0]}`,
      DATA_DIR: join(folder, 'content'),
      APP_STORE_URL: `http://127.0.0.1:${simulatorsPort}/appstore`,
      GOOGLE_PLAY_URL: `http://127.0.0.1:${simulatorsPort}/googleplay`,
      SIGNUP_CREDITS: '1',
    });
    const gateways = gatewayPorts.map((port, index) =>
      startProcess(`gateway ${index}`, 'services/gateway/src/main.ts', {
        ...common,
        PORT: String(port),
        DATABASE_URL: database.roleUrl('gateway'),
        SERVICE_SIGNING_KEYS: signingKeysFor('gateway'),
        REDIS_URL: `redis://127.0.0.1:${ways[index]?.port}`,
        SIGN_UP: 'open',
        GATEWAY_REPLICAS: String(gatewayCount),
        // One account has the keys of all lanes.
        LIMIT_KEYS: '1000000',
        TRUSTED_PROXIES: '127.0.0.1',
        NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, '../../kit/faults/skewed-clock.mjs')).href}`,
        CLOCK_SKEW_MS: String(clockSkewsMs[index]),
      }),
    );
    const urls = gatewayPorts.map(port => `http://127.0.0.1:${port}`);
    await untilReady(contentProcess, `http://127.0.0.1:${contentPort}`);
    await Promise.all(gateways.map((gateway, index) => untilReady(gateway, urls[index] as string)));
    const fallbacks = (): number => gateways.reduce((sum, gateway) => sum + fallbacksOf(gateway), 0);
    const lastLines = (): string =>
      [contentProcess, ...gateways].map(one => `${one.name}: ${one.output().slice(-3000)}`).join('\n');
    return { lastLines, urls, redis, ways, databaseUrl: database.url, fallbacks, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function addresses(upstreamPort: number, contentPort: number): Record<string, string> {
  const upstream = `http://127.0.0.1:${upstreamPort}`;
  return {
    CONTENT_URL: `http://127.0.0.1:${contentPort}`,
    SCHEDULING_URL: upstream,
    AUTOMATION_URL: upstream,
    ANALYTICS_URL: upstream,
  };
}

function fallbacksOf(gateway: ProductProcess): number {
  return gateway.output().split('Redis does not answer').length - 1;
}
