/** One service as one process: settings, telemetry, bus, start, signals. */
import type { Bus } from '../bus/index.ts';
import type { ServiceName } from '../contracts/scopes.ts';
import { warnOfPlainHttp } from '../http/index.ts';
import {
  ConfigurationError,
  changeLevelOnSignal,
  createLogger,
  createShutdown,
  exitOnSignals,
  inheritedEnvironment,
  loadSettings,
  releaseMemoryOfStart,
  type SettingTable,
  type Shutdown,
  startMetrics,
} from '../kernel/index.ts';
import type { ServiceDefinition } from './definition.ts';
import { startService } from './service.ts';
import { startTelemetry } from './telemetry.ts';

/**
 * Runs the service until a signal. An invalid configuration is reported as one sentence on stderr, exit code
 * 1.
 * @param openBus called for a service with consumers. Default: Kafka, which is not contacted yet
 */
export async function runServiceProcess<T extends SettingTable, D>(
  definition: ServiceDefinition<T, D>,
  openBus: (environment: ProcessEnvironment) => Promise<Bus | null> = openKafkaBus,
): Promise<void> {
  const { name } = definition;
  let shutdown: Shutdown | undefined;
  try {
    const settings = loadSettings([
      'LOG_LEVEL',
      'HOST',
      'METRICS_PORT',
      'METRICS_HOST',
      'OTEL_EXPORTER_OTLP_ENDPOINT',
    ]);
    // Each component names itself in its lines; those of the process are the service's.
    const root = createLogger({ level: settings.LOG_LEVEL });
    const log = root.child({ service: name });
    await warnOfPlainHttp(settings, log);
    shutdown = createShutdown(log);
    exitOnSignals(shutdown, log);
    changeLevelOnSignal(root, log);
    const telemetry = await startTelemetry(name, settings.OTEL_EXPORTER_OTLP_ENDPOINT, log);
    shutdown.add('telemetry', 'telemetry', () => telemetry.stop());
    const metrics = await startMetrics({
      service: name,
      port: settings.METRICS_PORT,
      host: settings.METRICS_HOST ?? settings.HOST,
      otlpEndpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
      log,
    });
    shutdown.add('telemetry', 'metrics', () => metrics.stop());
    const environment = { name, env: inheritedEnvironment(), log: root, shutdown };
    const bus = await openBusOf(definition, environment, openBus);
    await startService(definition, { ...environment, bus });
    releaseMemoryOfStart(releaseEveryMs);
  } catch (error) {
    // Stopped during the start: the shutdown ends the process.
    if (shutdown?.isRunning()) return;
    exitWith(error, name);
  }
}

/** Idle replicas are probed and poll their tables: about 1 % of this. */
const releaseEveryMs = 10_000;

async function openBusOf<T extends SettingTable, D>(
  { consumers, onlyConsumes }: ServiceDefinition<T, D>,
  environment: ProcessEnvironment,
  openBus: (environment: ProcessEnvironment) => Promise<Bus | null>,
): Promise<Bus | null> {
  if (!consumers) return null;
  if (onlyConsumes && loadSettings(['KAFKA_BROKERS'], environment.env).KAFKA_BROKERS === undefined) {
    environment.log.warn('KAFKA_BROKERS is not set: this process reads no events of the other services');
    return null;
  }
  return await openBus(environment);
}

type ProcessEnvironment = {
  name: ServiceName;
  env: Record<string, string | undefined>;
  log: ReturnType<typeof createLogger>;
  shutdown: Shutdown;
};

/**
 * The bus of a distributed process. Null in the role `api`, which needs none.
 * @throws ConfigurationError when no broker is named.
 */
async function openKafkaBus({ name, env, log, shutdown }: ProcessEnvironment): Promise<Bus | null> {
  if (loadSettings(['ROLE'], env).ROLE === 'api') return null;
  const { loadKafkaConnection } = await import('../bus/kafka/settings.ts');
  const connection = loadKafkaConnection(env, 'a service that runs as its own process speaks over Kafka');
  const { createKafkaBus } = await import('../bus/kafka/bus.ts');
  const bus = createKafkaBus({
    ...connection,
    clientId: `hookline-${name}`,
    log: log.child({ service: name }),
  });
  shutdown.add('bus', 'bus', () => bus.close());
  return bus;
}

function exitWith(error: unknown, name: string): void {
  const text =
    error instanceof ConfigurationError
      ? `hookline ${name}: ${error.message}`
      : `hookline ${name} could not start: ${(error as Error).stack ?? String(error)}`;
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
