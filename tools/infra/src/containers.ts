import { freePort } from '@hookline/embedded/free-port';
import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers';

/** A component in a container: its address and a function that ends it. */
export type ContainerServer = { address: string; stop(): Promise<void> };

const START_TIMEOUT_MS = 180_000;
const s3Identity = 'hookline';
const s3Credential = 'hookline-test-secret';

/** True when testcontainers finds an engine; takes about 1 ms where there is none. */
export async function hasContainerEngine(): Promise<boolean> {
  try {
    await getContainerRuntimeClient();
    return true;
  } catch {
    return false;
  }
}

/** Postgres without fsync: the container does not outlive the test run. */
export async function startPostgresContainer(): Promise<ContainerServer> {
  const container = await new GenericContainer('postgres:18-alpine')
    .withEnvironment({ POSTGRES_PASSWORD: 'test' })
    .withCommand(['postgres', '-c', 'fsync=off', '-c', 'max_connections=300'])
    .withExposedPorts(5432)
    .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/, 2))
    .withStartupTimeout(START_TIMEOUT_MS)
    .start();
  const address = `postgres://postgres:test@${container.getHost()}:${container.getMappedPort(5432)}/postgres`;
  return { address, stop: async () => void (await container.stop()) };
}

/**
 * Kafka advertises its own address to clients, so the port on the host is chosen before the container starts.
 */
export async function startKafkaContainer(): Promise<ContainerServer> {
  const port = await freePort();
  const { host } = (await getContainerRuntimeClient()).info.containerRuntime;
  const container = await new GenericContainer('apache/kafka:4.1.0')
    .withEnvironment({
      KAFKA_NODE_ID: '1',
      KAFKA_PROCESS_ROLES: 'broker,controller',
      KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
      KAFKA_LISTENERS: `PLAINTEXT://:${port},CONTROLLER://:9093`,
      KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://${host}:${port}`,
      KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
      KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
      KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
      KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
    })
    .withExposedPorts({ container: port, host: port })
    .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/))
    .withStartupTimeout(START_TIMEOUT_MS)
    .start();
  return { address: `${host}:${port}`, stop: async () => void (await container.stop()) };
}

export async function startRedisContainer(): Promise<ContainerServer> {
  const container = await new GenericContainer('redis:8-alpine')
    .withCommand(['redis-server', '--save', '', '--appendonly', 'no'])
    .withExposedPorts(6379)
    .withWaitStrategy(Wait.forLogMessage(/Ready to accept connections/))
    .withStartupTimeout(START_TIMEOUT_MS)
    .start();
  return {
    address: `redis://${container.getHost()}:${container.getMappedPort(6379)}`,
    stop: async () => void (await container.stop()),
  };
}

/** The store of docker-compose.yml, with one identity and no bucket. */
export async function startS3Container(): Promise<ContainerServer> {
  const credentials = [{ accessKey: s3Identity, secretKey: s3Credential }];
  const identities = [{ name: s3Identity, credentials, actions: ['Admin', 'Read', 'Write', 'List'] }];
  const config = '/run/hookline/config.json';
  const container = await new GenericContainer('chrislusf/seaweedfs:3.97')
    .withCopyContentToContainer([{ content: JSON.stringify({ identities }), target: config }])
    .withCommand([
      'server',
      '-dir=/data',
      '-s3',
      `-s3.config=${config}`,
      '-master.volumePreallocate=false',
      '-master.volumeSizeLimitMB=256',
    ])
    .withExposedPorts(8333)
    .withWaitStrategy(Wait.forHttp('/status', 8333))
    .withStartupTimeout(START_TIMEOUT_MS)
    .start();
  return {
    address: `http://${s3Identity}:${s3Credential}@${container.getHost()}:${container.getMappedPort(8333)}`,
    stop: async () => void (await container.stop()),
  };
}
