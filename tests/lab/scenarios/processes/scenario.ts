/**
 * `docker-compose.yml` without containers. Its jobs and services are started with the commands, environments,
 * health checks and start order of the file, as ordinary processes; real Postgres, Kafka, Redis and an S3
 * server replace the containers of those names. Then a journey is made through the gateway, every process is
 * asked for its metrics, and all are stopped as compose stops them. `--kubernetes`: the same with
 * `deploy/k8s`, where a service's api and worker are separate.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { runFirstJourney } from '@hookline/standalone/first-journey';
import { eventually } from '@hookline/testing/eventually';
import pg from 'pg';
import type { TestInfraHost } from '../../../../tools/infra/src/test-infra-host.ts';
import {
  freePorts,
  type ProductProcess,
  repositoryRoot,
  startProcess,
  stopAllProcesses,
} from '../../kit/product/processes.ts';
import { defineScenario, type Outcome } from '../../kit/run/scenario.ts';
import {
  type ComposeService,
  commandOf,
  inStartOrder,
  isOurs,
  isTool,
  readComposeFile,
} from './compose-file.ts';
import { readKubernetesFile, writeGivenSecrets } from './kubernetes-file.ts';
import { environmentHere, mountsHere, type Places } from './places.ts';

/**
 * As `docker compose up --scale content=3`; in Kubernetes every process has replicas, here at least the
 * public one.
 */
const scales: Record<'compose' | 'kubernetes', Readonly<Record<string, number>>> = {
  compose: { content: 3 },
  kubernetes: { gateway: 2 },
};
// `stop_grace_period` of the file; a pod has 25 s left after its sleep.
const stopWithinMs = { compose: 35_000, kubernetes: 25_000 };

type Ports = { port: number; metricsPort: number };
type Started = { name: string; process: ProductProcess; metricsPort: number; hasMetrics: boolean };

const counts = { jobs: 0, processes: 0, healthChecks: 0, metrics: 0, stopped: 0 };

async function prove(parent: string, infra: TestInfraHost, kind: keyof typeof scales): Promise<Outcome> {
  const services = kind === 'kubernetes' ? await readKubernetesFile() : readComposeFile();
  const folder = mkdtempSync(join(parent, 'stage-'));
  try {
    const ports = await choosePorts(services, scales[kind]);
    const addresses = new Map([...(await addressesOfStores(infra)), ...addressesOfOurs(services, ports)]);
    const started = await startAll(services, ports, { folder, addresses }, kind);
    const gateway = addressOf(addresses, 'localhost:8080');
    const simulators = addressOf(addresses, 'localhost:8090');
    await runFirstJourney(`http://${gateway}/api/v1`, `http://${simulators}`, {
      onStep: ({ title, detail, ms }) => console.log(`  ${title}: ${detail} (${ms} ms)`),
    });
    for (const [name, tool] of services) {
      if (isOurs(tool) && isTool(tool)) await runJob(name, tool, { folder, addresses });
    }
    for (const one of started) await readMetrics(one);
    await stopAll(started, stopWithinMs[kind]);
  } finally {
    await stopAllProcesses();
    // Its secrets need not be kept.
    rmSync(folder, { recursive: true, force: true });
  }
  return {
    isProven: true,
    figures: {
      jobs: counts.jobs,
      processes: counts.processes,
      'health checks passed': counts.healthChecks,
      'with metrics': counts.metrics,
      'stopped with 0': counts.stopped,
    },
  };
}

export const scenario = defineScenario({
  about: 'the processes of the compose file with their own commands and health checks, without containers',
  takes: 'about 2 minutes',
  flags: { kubernetes: { usual: false, about: 'those of deploy/k8s instead' } },
  run: ({ folder, infra, flags }) => prove(folder, infra, flags.kubernetes ? 'kubernetes' : 'compose'),
});

/** A port and one for metrics for each replica of what serves. */
async function choosePorts(
  services: ReadonlyMap<string, ComposeService>,
  scale: Readonly<Record<string, number>>,
): Promise<Map<string, Ports[]>> {
  const serving = [...services].filter(([, service]) => isOurs(service) && service.healthcheck);
  const replicas = serving.flatMap(([name]) => Array.from({ length: scale[name] ?? 1 }, () => name));
  const free = await freePorts(2 * replicas.length);
  const chosen = replicas.map((name, at) => ({
    name,
    ports: { port: free[2 * at] ?? 0, metricsPort: free[2 * at + 1] ?? 0 },
  }));
  return new Map(
    serving.map(([name]) => [name, chosen.filter(one => one.name === name).map(one => one.ports)]),
  );
}

/** `host:port` of the file to the address here; a port published on the host is also known as `localhost`. */
function addressesOfOurs(
  services: ReadonlyMap<string, ComposeService>,
  chosen: ReadonlyMap<string, Ports[]>,
): [string, string][] {
  return [...chosen].flatMap(([name, replicas]): [string, string][] => {
    const { environment, ports } = services.get(name) as ComposeService;
    const inside: [string, string] = [
      `${name}:${environment.PORT}`,
      replicas.map(({ port }) => `127.0.0.1:${port}`).join(','),
    ];
    return ports.length === 0
      ? [inside]
      : [inside, [`localhost:${environment.PORT}`, `localhost:${replicas[0]?.port}`]];
  });
}

/** The same for the stores; an administrator's address is under `admin of <host:port>`. */
async function addressesOfStores(infra: TestInfraHost): Promise<Map<string, string>> {
  const addresses = new Map<string, string>();
  for (const [name, component] of [
    ['postgres:5432', 'postgres'],
    ['kafka:9092', 'kafka'],
    ['redis:6379', 'redis'],
    ['s3:8333', 's3'],
  ] as const) {
    const found = await infra.get(component);
    if ('missing' in found) throw new Error(found.missing);
    addresses.set(`admin of ${name}`, found.address);
    addresses.set(name, found.address.includes('://') ? new URL(found.address).host : found.address);
  }
  return addresses;
}

async function startAll(
  services: ReadonlyMap<string, ComposeService>,
  ports: ReadonlyMap<string, Ports[]>,
  places: Places,
  kind: keyof typeof scales,
): Promise<Started[]> {
  const started: Started[] = [];
  for (const name of inStartOrder(services)) {
    const service = services.get(name) as ComposeService;
    if (isTool(service)) continue;
    if (!isOurs(service)) {
      await standIn(name, places);
    } else if (service.healthcheck) {
      const replicas = ports.get(name) ?? [];
      started.push(...(await Promise.all(replicas.map(one => startReplica(name, service, places, one)))));
    } else {
      await runJob(name, service, places);
      if (name === 'secrets' && kind === 'kubernetes')
        writeGivenSecrets(services, places.folder, places.addresses);
    }
  }
  return started;
}

/** Setup that a third-party container would have done itself. */
async function standIn(name: string, { folder, addresses }: Places): Promise<void> {
  const secret = (path: string): string => readFileSync(join(folder, 'secrets', path), 'utf8');
  if (name === 'postgres') {
    const client = new pg.Client({ connectionString: addressOf(addresses, 'admin of postgres:5432') });
    await client.connect();
    const password = pg.escapeLiteral(secret('postgres/password'));
    await client.query(`create role hookline superuser login password ${password}`);
    await client.query('create database hookline owner hookline');
    await client.end();
  }
  if (name === 's3-bucket') {
    const url = new URL(addressOf(addresses, 'admin of s3:8333'));
    const client = new S3Client({
      endpoint: url.origin,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId: url.username, secretAccessKey: url.password },
    });
    await client.send(new CreateBucketCommand({ Bucket: 'hookline' }));
    client.destroy();
  }
}

/** Runs to its end; the exit code must be 0. */
async function runJob(name: string, service: ComposeService, places: Places): Promise<void> {
  const command = commandOf(service).map(part => mountsHere(service, places.folder, part));
  // The one argument that compose leaves to its default: the address of Postgres.
  if (name === 'secrets') command.push(addressOf(places.addresses, 'postgres:5432'));
  const job = startProcess(name, command[1] ?? '', environmentHere(service, places, 0, 0), command.slice(2));
  const code = await job.exited;
  if (code !== 0) throw new Error(`${name} ended with ${code}:\n${job.output()}`);
  counts.jobs += 1;
  if (name === 'secrets') useTestStores(places);
}

/** The tests' S3 server has its own secret, their Redis an address without a password. */
function useTestStores({ folder, addresses }: Places): void {
  const replace = (path: string, value: string): void => {
    rmSync(join(folder, 'secrets', path), { force: true });
    writeFileSync(join(folder, 'secrets', path), value);
  };
  replace('content/s3-secret-key', new URL(addressOf(addresses, 'admin of s3:8333')).password);
  for (const name of ['gateway', 'ops'])
    replace(`${name}/redis-url`, addressOf(addresses, 'admin of redis:6379'));
}

async function startReplica(
  name: string,
  service: ComposeService,
  places: Places,
  { port, metricsPort }: Ports,
): Promise<Started> {
  const env = environmentHere(service, places, port, metricsPort);
  const [, file = '', ...args] = commandOf(service);
  const process = startProcess(name, file, env, args);
  counts.processes += 1;
  await eventually(() => checkHealth(name, service, env, process), 60_000);
  counts.healthChecks += 1;
  return { name, process, metricsPort, hasMetrics: env.METRICS_PORT !== undefined };
}

/** Runs the file's health check in the process's environment. @throws Error until it passes */
async function checkHealth(
  name: string,
  service: ComposeService,
  env: Record<string, string>,
  process: ProductProcess,
): Promise<void> {
  if (!process.isRunning()) throw new Error(`${name} ended:\n${process.output().slice(-2_000)}`);
  const [kind, command, ...args] = service.healthcheck?.test ?? [];
  if (kind !== 'CMD' || command !== 'bash')
    throw new Error(`${name} has a health check that is not a script of bash`);
  const check = spawn(command, args, { cwd: repositoryRoot, env, stdio: 'ignore' });
  const code = await new Promise(resolve => check.once('exit', resolve));
  if (code !== 0) throw new Error(`${name} is not healthy:\n${process.output().slice(-2_000)}`);
}

async function readMetrics({ name, metricsPort, hasMetrics }: Started): Promise<void> {
  if (!hasMetrics) return;
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  if (!text.includes(`service_name="hookline-${name.replace('-worker', '')}"`))
    throw new Error(`${name} reports no metrics`);
  counts.metrics += 1;
}

async function stopAll(started: readonly Started[], withinMs: number): Promise<void> {
  const beganMs = Date.now();
  for (const { process } of started) process.signal('SIGTERM');
  for (const { name, process } of started) {
    const code = await process.exited;
    if (code !== 0 || Date.now() - beganMs > withinMs) {
      throw new Error(
        `${name} ended with ${code} after ${Date.now() - beganMs} ms:\n${process.output().slice(-2_000)}`,
      );
    }
    counts.stopped += 1;
  }
}

function addressOf(addresses: ReadonlyMap<string, string>, name: string): string {
  const found = addresses.get(name);
  if (found === undefined) throw new Error(`the file names ${name}, and nothing here replaces it`);
  return found;
}
