/** Derives the Kafka connection from the settings of a process. */
import { readFileSync } from 'node:fs';
import type { SASLOptions } from 'kafkajs';
import { ConfigurationError, loadSettings, requireSettings } from '../../kernel/index.ts';

const names = [
  'KAFKA_BROKERS',
  'KAFKA_REPLICATION_FACTOR',
  'KAFKA_TLS',
  'KAFKA_TLS_CA',
  'KAFKA_SASL_MECHANISM',
  'KAFKA_SASL_USERNAME',
  'KAFKA_SASL_PASSWORD',
] as const;

export type KafkaConnection = {
  brokers: readonly string[];
  replicationFactor?: number | undefined;
  /** Undefined: no TLS. */
  tls?: { ca?: string } | undefined;
  sasl?: SASLOptions | undefined;
};

/**
 * @param because ends the sentence shown to an operator who configured no broker
 * @throws ConfigurationError when no broker is configured, or the other settings contradict each other
 */
export function loadKafkaConnection(
  env: Record<string, string | undefined>,
  because: string,
): KafkaConnection {
  const settings = requireSettings(loadSettings(names, env), ['KAFKA_BROKERS'], because);
  const isTls = settings.KAFKA_TLS === 'on';
  const { KAFKA_TLS_CA, KAFKA_SASL_MECHANISM: mechanism } = settings;
  if (KAFKA_TLS_CA !== undefined && !isTls)
    throw new ConfigurationError('KAFKA_TLS_CA is set, but KAFKA_TLS is off.');
  const connection = {
    brokers: settings.KAFKA_BROKERS,
    replicationFactor: settings.KAFKA_REPLICATION_FACTOR,
    tls: isTls ? (KAFKA_TLS_CA === undefined ? {} : { ca: readAuthority(KAFKA_TLS_CA) }) : undefined,
  };
  if (mechanism === undefined) {
    if (settings.KAFKA_SASL_USERNAME !== undefined || settings.KAFKA_SASL_PASSWORD !== undefined)
      throw new ConfigurationError('KAFKA_SASL_MECHANISM must be set: a user or password for Kafka is.');
    return connection;
  }
  const user = requireSettings(
    settings,
    ['KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD'],
    'KAFKA_SASL_MECHANISM is',
  );
  if (mechanism === 'plain' && !isTls)
    throw new ConfigurationError('KAFKA_TLS must be on: plain sends the password as it is.');
  const sasl = { mechanism, username: user.KAFKA_SASL_USERNAME, password: user.KAFKA_SASL_PASSWORD };
  // kafkajs has one type per mechanism, with the same fields.
  return { ...connection, sasl: sasl as SASLOptions };
}

function readAuthority(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigurationError(`KAFKA_TLS_CA must name a file that can be read; ${path} cannot (${code}).`);
  }
}
