/** The candidates of the comparison: each a process in front of the same upstream, or the upstream itself. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@hookline/embedded/free-port';
import { createMigratedDatabase, signingKeysFor } from '@hookline/testing/service-harness';
import { testRedisUrl } from '../../tools/infra/src/test-infra.ts';
import { answers, launch, type MeasuredProcess } from '../harness/launch.ts';
import { countInFile } from '../harness/log-search.ts';
import { installPeer } from '../harness/peers.ts';
import { requireTool } from '../harness/tools.ts';
import { startTraceSink } from './trace-sink.ts';

export type CandidateName = 'direct' | 'http-proxy' | 'gateway' | 'gateway, 10 % traced';
export type Candidate = { name: CandidateName; url: string; pid: number };

export type Candidates = {
  list: Candidate[];
  /** @throws Error when a gateway fell back to counting in memory, which is cheaper than what is measured */
  requireRedis(): Promise<void>;
  stop(): Promise<void>;
};

/** Starts all of them. @throws Error when one is unavailable */
export async function startCandidates(workDir: string): Promise<Candidates> {
  requireTool('wrk', 'wrk');
  mkdirSync(workDir, { recursive: true });
  const peer = await installPeer('http-proxy');
  const stops: (() => Promise<void>)[] = [];
  const list: Candidate[] = [];
  const logFileOf = (name: CandidateName): string => join(workDir, `${name.replaceAll(/\W+/g, '-')}.log`);
  const requireRedis = async (): Promise<void> => {
    for (const { name } of list.filter(one => one.name.startsWith('gateway'))) {
      const times = await countInFile(logFileOf(name), 'Redis does not answer');
      if (times > 0) throw new Error(`${name} lost Redis ${times} times and counted in memory: no figures.`);
    }
  };
  const begin = async (
    name: CandidateName,
    command: string,
    argsFor: (port: number) => readonly string[],
    env: Record<string, string> = {},
  ): Promise<number> => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const started: MeasuredProcess = await launch({
      name,
      command,
      args: argsFor(port),
      env: { ...env, ...(name.startsWith('gateway') ? { PORT: String(port) } : {}) },
      logFile: logFileOf(name),
      isReady: () => answers(`${url}/readyz`),
    });
    stops.push(() => started.stop());
    list.push({ name, url, pid: started.pid });
    return port;
  };
  const stop = async (): Promise<void> => {
    for (const end of stops.reverse()) await end();
  };
  try {
    const upstreamPort = await begin('direct', process.execPath, port => [
      join(import.meta.dirname, 'upstream.ts'),
      String(port),
    ]);
    const upstream = `http://127.0.0.1:${upstreamPort}`;
    await begin('http-proxy', process.execPath, port => [join(peer, 'server.js'), String(port), upstream], {
      NODE_ENV: 'production',
    });
    const { env, drop } = await gatewayEnvironment(upstream);
    stops.push(drop);
    const main = join(import.meta.dirname, '../../services/gateway/src/main.ts');
    await begin('gateway', process.execPath, () => [main], env);
    const sink = await startTraceSink();
    stops.push(sink.stop);
    await begin('gateway, 10 % traced', process.execPath, () => [main], {
      ...env,
      OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.1',
    });
    return { list, requireRedis, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Everything enabled: Postgres, Redis, limits, logs at level info into a file. `load.ts` explains the raised
 * limits.
 */
async function gatewayEnvironment(
  upstream: string,
): Promise<{ env: Record<string, string>; drop: () => Promise<void> }> {
  const redis = await testRedisUrl();
  if (redis === null) throw new Error('Redis is missing; the bench needs a real one.');
  const database = await createMigratedDatabase();
  const env = {
    NODE_ENV: 'production',
    DATABASE_URL: database.roleUrl('gateway'),
    REDIS_URL: redis,
    SERVICE_SIGNING_KEYS: signingKeysFor('gateway'),
    CONTENT_URL: upstream,
    SCHEDULING_URL: upstream,
    AUTOMATION_URL: upstream,
    ANALYTICS_URL: upstream,
    TRUSTED_PROXIES: '127.0.0.1',
    SIGN_UP: 'open',
    LIMIT_PER_KEY: '1000000',
    LIMIT_KEYS: '1000000',
    LOG_LEVEL: 'info',
  };
  return { env, drop: () => database.drop() };
}
