import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { askPort, type ChildServer, startChildServer } from './child-server.ts';
import { freePort } from './free-port.ts';
import { fetchWithMaven, requireCommand } from './maven.ts';

const KAFKA_VERSION = '4.1.0';
const READY_TIMEOUT_MS = 60_000;
const FORMAT_TIMEOUT_MS = 60_000;

export type KafkaOptions = {
  /** Keeps the broker's log segments; a second start on the same folder finds the messages again. */
  workDir: string;
  log?: (line: string) => void;
  onPid?: (pid: number) => void;
  /** Opens a way to the broker, by which alone clients know it; answers the way's port. */
  inFront?: (brokers: string) => Promise<number>;
};

export type KafkaProcess = ChildServer & {
  /** `127.0.0.1:<port>`; stays the same over `kill` and `restart`. */
  brokers: string;
};

/**
 * Starts a real single-node Kafka (KRaft) as an ordinary Java process from jars that Maven brings. Topics
 * are not made by themselves.
 *
 * @throws one sentence that says what to install or what the broker complained about.
 */
export async function startKafka(options: KafkaOptions): Promise<KafkaProcess> {
  const workDir = resolve(options.workDir);
  requireCommand('Kafka', 'java');
  const pom = resolve(import.meta.dirname, '../kafka/pom.xml');
  const jars = await fetchWithMaven(`kafka-${KAFKA_VERSION}`, pom, 'copy-dependencies');
  mkdirSync(workDir, { recursive: true });
  const port = await freePort();
  const controllerPort = await freePort();
  const toldPort = (await options.inFront?.(`127.0.0.1:${port}`)) ?? port;
  const config = join(workDir, 'server.properties');
  const data = join(workDir, 'data');
  writeFileSync(config, serverProperties({ port, toldPort, controllerPort }, data));
  if (!existsSync(join(data, 'meta.properties'))) formatStorage(jars, config);
  const server = await startChildServer({
    name: 'Kafka',
    command: 'java',
    args: ['-Xmx512m', '-XX:TieredStopAtLevel=1', '-cp', join(jars, '*'), 'kafka.Kafka', config],
    logFile: join(workDir, 'kafka.log'),
    isReady: () => answersApiVersions(port),
    readyTimeoutMs: READY_TIMEOUT_MS,
    ...(options.onPid === undefined ? {} : { onPid: options.onPid }),
  });
  options.log?.(`Kafka ${KAFKA_VERSION} answers on 127.0.0.1:${port}.`);
  return { ...server, brokers: `127.0.0.1:${toldPort}` };
}

/** `controller.quorum.voters` must not stand here: the format with `--standalone` refuses it. */
function serverProperties(
  { port, toldPort, controllerPort }: { port: number; toldPort: number; controllerPort: number },
  data: string,
): string {
  return `${[
    'process.roles=broker,controller',
    'node.id=1',
    `controller.quorum.bootstrap.servers=127.0.0.1:${controllerPort}`,
    `listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    `advertised.listeners=PLAINTEXT://127.0.0.1:${toldPort},CONTROLLER://127.0.0.1:${controllerPort}`,
    'controller.listener.names=CONTROLLER',
    'listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    `log.dirs=${data}`,
    'offsets.topic.replication.factor=1',
    'offsets.topic.num.partitions=8',
    'transaction.state.log.replication.factor=1',
    'transaction.state.log.min.isr=1',
    'group.initial.rebalance.delay.ms=0',
    'auto.create.topics.enable=false',
    // After a kill -9 the controller admits the broker again when its old session is over (default 9 s).
    'broker.session.timeout.ms=3000',
    'broker.heartbeat.interval.ms=1000',
  ].join('\n')}\n`;
}

function formatStorage(jars: string, config: string): void {
  // A leading dash would be read as an option.
  const clusterId = `A${randomBytes(16).toString('base64url').slice(1)}`;
  const args = ['-XX:TieredStopAtLevel=1', '-cp', join(jars, '*'), 'kafka.tools.StorageTool', 'format'];
  const result = spawnSync('java', [...args, '-t', clusterId, '-c', config, '--standalone'], {
    encoding: 'utf8',
    timeout: FORMAT_TIMEOUT_MS,
  });
  if (result.status === 0) return;
  throw new Error(
    `Kafka's storage could not be made: ${(result.stderr || result.stdout).trim().split('\n').at(-1)}`,
  );
}

/** ApiVersions v0, the first request of every client: size, api key 18, version 0, correlation id 1, no client id. */
const API_VERSIONS = Buffer.from([0, 0, 0, 10, 0, 18, 0, 0, 0, 0, 0, 1, 0xff, 0xff]);

async function answersApiVersions(port: number): Promise<boolean> {
  const answer = await askPort(port, API_VERSIONS);
  return answer !== null && answer.length >= 10 && answer.readInt16BE(8) === 0;
}
