import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePort } from '@hookline/embedded/free-port';
import { askPort, type ChildServer, startChildServer } from './child-server.ts';
import { type BrokerPlace, serverProperties } from './kafka-properties.ts';
import { fetchWithMaven, requireCommand } from './maven.ts';

const KAFKA_VERSION = '4.1.0';
const READY_TIMEOUT_MS = 120_000;
const FORMAT_TIMEOUT_MS = 60_000;
/** A test run's topics fit into 256 MB; serial collection saves each broker a dozen threads. */
const JVM_OPTIONS = ['-Xms64m', '-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

export type KafkaOptions = {
  /** Contains the brokers' log segments; a second start on the same folder finds the messages again. */
  workDir: string;
  log?: (line: string) => void;
  /** Called with the pid of each broker, at each start. */
  onPid?: (pid: number) => void;
  /** Called once per broker with the `host:port` for clients. Returns the port to advertise instead. */
  inFront?: (broker: string) => Promise<number>;
  /** Lines for `server.properties`; they override those of `kafka-properties.ts`. */
  properties?: (place: BrokerPlace) => readonly string[];
  /** More arguments for formatting the storage, such as `--add-scram`. */
  formatArguments?: readonly string[];
};

export type KafkaProcess = ChildServer & {
  /** `127.0.0.1:<port>`; stays the same over `kill` and `restart`. */
  brokers: string;
};

export type KafkaCluster = {
  /** `host:port` of every broker, comma-separated. Stays the same over `kill` and `restart`. */
  brokers: string;
  /** One per broker. A broker's `restart` needs a majority of the others. */
  members: readonly KafkaProcess[];
  stop(): Promise<void>;
  /** SIGKILL to all at once. */
  kill(): Promise<void>;
  restart(): Promise<void>;
};

/** @throws Error with one sentence: what to install, or that it cannot be downloaded */
export async function fetchKafka(): Promise<string> {
  requireCommand('Kafka', 'java');
  const pom = resolve(import.meta.dirname, '../kafka/pom.xml');
  return fetchWithMaven(`kafka-${KAFKA_VERSION}`, pom, 'copy-dependencies');
}

/** Starts one broker. Otherwise like `startKafkaCluster`. */
export async function startKafka(options: KafkaOptions): Promise<KafkaProcess> {
  const [only] = (await startKafkaCluster(1, options)).members;
  return only as KafkaProcess;
}

/**
 * Starts real Kafka brokers (KRaft, each also a controller) as ordinary Java processes from jars that Maven
 * downloads. With three, partitions have three replicas and a write needs two. Topics are not created on
 * first use.
 *
 * @throws Error with one sentence: what to install, or a broker's error
 */
export async function startKafkaCluster(size: number, options: KafkaOptions): Promise<KafkaCluster> {
  const workDir = resolve(options.workDir);
  const jars = await fetchKafka();
  const places: BrokerPlace[] = [];
  for (let id = 1; id <= size; id += 1) {
    const port = await freePort();
    const toldPort = (await options.inFront?.(`127.0.0.1:${port}`)) ?? port;
    const dataDir = join(workDir, `broker-${id}`, 'data');
    const [replicationPort, controllerPort] = [await freePort(), await freePort()];
    places.push({ id, port, toldPort, replicationPort, controllerPort, dataDir });
  }
  const configs = places.map(place => {
    mkdirSync(place.dataDir, { recursive: true });
    const config = join(place.dataDir, '../server.properties');
    writeFileSync(config, serverProperties(place, places, options.properties?.(place) ?? []));
    return config;
  });
  await formatAll(jars, places, configs[0] as string, options.formatArguments ?? []);
  const start = async (place: BrokerPlace, at: number): Promise<KafkaProcess> => {
    const server = await startChildServer({
      name: size === 1 ? 'Kafka' : `Kafka broker ${place.id}`,
      command: 'java',
      args: [...JVM_OPTIONS, '-cp', join(jars, '*'), 'kafka.Kafka', configs[at] as string],
      logFile: join(place.dataDir, '../kafka.log'),
      isReady: () => answersApiVersions(place.replicationPort),
      readyTimeoutMs: READY_TIMEOUT_MS,
      ...(options.onPid === undefined ? {} : { onPid: options.onPid }),
    });
    return { ...server, brokers: `127.0.0.1:${place.toldPort}` };
  };
  // Concurrently: each waits for a majority of the controllers.
  const starts = await Promise.allSettled(places.map(start));
  const members = starts.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []));
  const onAll = (what: 'stop' | 'kill' | 'restart') => async (): Promise<void> => {
    await Promise.all(members.map(member => member[what]()));
  };
  const failed = starts.find(one => one.status === 'rejected');
  if (failed) {
    await onAll('kill')();
    throw failed.reason;
  }
  const brokers = members.map(member => member.brokers).join();
  options.log?.(`Kafka ${KAFKA_VERSION} answers on ${brokers}.`);
  return { brokers, members, stop: onAll('stop'), kill: onAll('kill'), restart: onAll('restart') };
}

/** Formats the first broker's storage. The others are copies with another id, which saves a JVM each. */
async function formatAll(
  jars: string,
  places: readonly BrokerPlace[],
  config: string,
  extra: readonly string[],
): Promise<void> {
  const [first, ...others] = places as [BrokerPlace, ...BrokerPlace[]];
  if (existsSync(join(first.dataDir, 'meta.properties'))) return;
  await formatStorage(jars, config, extra);
  for (const { id, dataDir } of others) {
    cpSync(first.dataDir, dataDir, { recursive: true });
    const file = join(dataDir, 'meta.properties');
    const text = readFileSync(file, 'utf8')
      .replace(/^node\.id=.*$/m, `node.id=${id}`)
      .replace(/^directory\.id=.*$/m, `directory.id=${randomId()}`);
    writeFileSync(file, text);
  }
}

/** A UUID in Kafka's format: 22 characters of base64url. A leading dash would be read as an option. */
function randomId(): string {
  return `A${randomBytes(16).toString('base64url').slice(1)}`;
}

async function formatStorage(jars: string, config: string, extra: readonly string[]): Promise<void> {
  const tool = ['-XX:TieredStopAtLevel=1', '-cp', join(jars, '*'), 'kafka.tools.StorageTool', 'format'];
  const child = spawn('java', [...tool, '-t', randomId(), '-c', config, ...extra], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: FORMAT_TIMEOUT_MS,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk));
  const code = await new Promise((done, fail) => child.once('error', fail).once('close', done));
  if (code !== 0)
    throw new Error(`Kafka's storage could not be formatted: ${output.trim().split('\n').at(-1)}`);
}

/**
 * ApiVersions v0, the first request of every client: size, api key 18, version 0, correlation id 1, no client
 * id.
 */
const API_VERSIONS = Buffer.from([0, 0, 0, 10, 0, 18, 0, 0, 0, 0, 0, 1, 0xff, 0xff]);

async function answersApiVersions(port: number): Promise<boolean> {
  const answer = await askPort(port, API_VERSIONS);
  return answer !== null && answer.length >= 10 && answer.readInt16BE(8) === 0;
}
