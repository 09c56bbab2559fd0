import { z } from 'zod';
import { count, httpUrl, httpUrls, kafkaBrokers, keyRing, url } from './setting-forms.ts';

/** A setting: an environment variable of that name. */
export type Setting = {
  schema: z.ZodType;
  /** The value when the variable is unset. Without it the setting is undefined. */
  default?: string;
  /** One sentence, for `.env.example` and the reference. */
  about: string;
  /** May be stored in a file that `<NAME>_FILE` names, and never appears in an error. */
  secret?: true;
};

export type SettingTable = Readonly<Record<string, Setting>>;

/** The values of declared settings; those without a default may be undefined. */
export type SettingsOf<T extends SettingTable> = {
  readonly [K in keyof T]: T[K] extends { default: string }
    ? z.output<T[K]['schema']>
    : z.output<T[K]['schema']> | undefined;
};

/**
 * Settings shared by several services or the processes around them. A service declares its own in its
 * `settings.ts`.
 */
export const settings = {
  PORT: {
    schema: count(0, 65_535),
    default: '8080',
    about: 'Port of the gateway, or of the service that the process runs.',
  },
  HOST: {
    schema: z.string().min(1),
    default: '127.0.0.1',
    about: 'Address to listen on; `0.0.0.0` in a container.',
  },
  SIMULATORS_PORT: { schema: count(0, 65_535), default: '8090', about: 'Port of the platform simulators.' },
  EVENT_RETENTION_DAYS: {
    schema: count(4, 3650),
    default: '30',
    about:
      'How long events, deliveries and firings are kept; at least 4, because a delivery is retried for more than 3 days. Content and automation must have the same value.',
  },
  DATA_DIR: {
    schema: z.string().min(1),
    default: './.data',
    about: 'Folder for everything that `npm start` keeps, and for slide images unless an S3 store is set.',
  },
  PUBLIC_URL: {
    schema: httpUrl(),
    about: 'Address that signed links and callbacks are built on; default `http://localhost:$PORT`.',
  },
  LOG_LEVEL: {
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'must be trace, debug, info, warn, error, fatal or silent',
    }),
    default: 'info',
    about: 'Lowest level that is logged: `trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`.',
  },
  DATABASE_URL: {
    schema: url('postgres, postgresql'),
    about:
      "Postgres, with the service's own role (for `npm start` and `npm run migrate`: an administrator's). Distributed mode needs it; `npm start` otherwise brings its own.",
    secret: true,
  },
  DATABASE_ROLE_PASSWORDS: {
    schema: z.string(),
    about: '`npm run migrate` only: `service:password[,service:password]` of the roles it creates.',
    secret: true,
  },
  DATABASE_POOL_MAX: {
    schema: count(2, 100),
    default: '10',
    about:
      "Size of a process's main connection pool; workers open a few more connections. `npm start` always uses 8.",
  },
  REDIS_URL: {
    schema: url('redis, rediss'),
    about:
      'Redis for limits and key records. Required with several gateways and for `ops -- revoke-key`; one gateway without it counts in memory.',
    secret: true,
  },
  KAFKA_BROKERS: {
    schema: kafkaBrokers(),
    about:
      'host:port list of Kafka brokers. Required in distributed mode, except with `ROLE=api`. A gateway without it serves requests, but its audit log contains only its own rows, and no mail reports that decks are waiting.',
  },
  KAFKA_REPLICATION_FACTOR: {
    schema: count(1, 15),
    about:
      "Replicas of the topics that Hookline creates, 3 in production; unset: the brokers' `default.replication.factor`.",
  },
  KAFKA_TLS: {
    schema: z.enum(['on', 'off'], { error: 'must be on or off' }),
    default: 'off',
    about: 'Whether the brokers are reached over TLS. Their certificates are always checked.',
  },
  KAFKA_TLS_CA: {
    schema: z.string().min(1),
    about: 'PEM file with the certificate authority of the brokers; unset: the authorities that Node trusts.',
  },
  KAFKA_SASL_MECHANISM: {
    schema: z.enum(['plain', 'scram-sha-256', 'scram-sha-512'], {
      error: 'must be plain, scram-sha-256 or scram-sha-512',
    }),
    about: 'SASL mechanism of the brokers; unset: none. `plain` needs KAFKA_TLS.',
  },
  KAFKA_SASL_USERNAME: { schema: z.string().min(1), about: 'User name at the brokers.' },
  KAFKA_SASL_PASSWORD: { schema: z.string().min(1), about: 'Password of that user.', secret: true },
  CONTENT_URL: {
    schema: httpUrls(),
    about:
      'Distributed: where the content service answers; one URL or several, comma-separated; a name with many addresses is balanced over all.',
  },
  SCHEDULING_URL: {
    schema: httpUrls(),
    about:
      'Distributed: where the scheduling service answers; one URL or several, comma-separated; a name with many addresses is balanced over all.',
  },
  AUTOMATION_URL: {
    schema: httpUrls(),
    about:
      'Distributed: where the automation service answers; one URL or several, comma-separated; a name with many addresses is balanced over all.',
  },
  ANALYTICS_URL: {
    schema: httpUrls(),
    about:
      'Distributed: where the analytics service answers; one URL or several, comma-separated; a name with many addresses is balanced over all.',
  },
  LLM_BUDGET_SECONDS: {
    // A socket of the gateway is closed after 120 s without traffic.
    schema: count(1, 100),
    default: '30',
    about:
      'Time that a text model has for a deck that is drawn, repairs included (2 s more if nothing is drawn); a generation takes at most 3 s longer. Leases and waits are derived from it. Gateway and content must have the same value; `npm run doctor` measures a model.',
  },
  ROLE: {
    schema: z.enum(['api', 'worker', 'all'], { error: 'must be api, worker or all' }),
    default: 'all',
    about:
      'What the process does: answer requests (`api`), do the background work (`worker`), or both (`all`).',
  },
  ENCRYPTION_KEYS: {
    schema: keyRing(32),
    about:
      '`id:base64[,id:base64]`, 32 bytes each: encrypt platform tokens and webhook secrets at rest. The first key encrypts, all of them decrypt.',
    secret: true,
  },
  SERVICE_SIGNING_KEYS: {
    schema: keyRing(),
    about:
      "`service:base64[,service:base64]`: the process's own key first, then those of the senders it trusts; an id may end in `.<text>` for rotation. A key `<sender>.to-<audience>` is for the calls of one service to another and is known only to these two.",
    secret: true,
  },
  MEDIA_SIGNING_KEY: {
    schema: keyRing(),
    about:
      '`id:base64[,id:base64]`: keys for signed image links. The first key signs, all of them are accepted.',
    secret: true,
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: httpUrl(),
    about:
      'OpenTelemetry collector; unset: no telemetry leaves the process. The other standard `OTEL_*` settings are read by the SDK.',
  },
  METRICS_PORT: {
    schema: count(1, 65_535),
    about:
      'Internal port that answers `/metrics` to Prometheus on METRICS_HOST, without a key; unset: none. If a collector is set, metrics go there too.',
  },
  METRICS_HOST: {
    schema: z.string().min(1),
    about:
      'Address on which METRICS_PORT listens; unset: HOST. Use `127.0.0.1` if HOST is public and Prometheus runs on the same machine.',
  },
  SIMULATORS_CONTROL_TOKEN: {
    schema: z.string().min(16, 'must be a text of at least 16 characters'),
    about:
      "Token that opens the simulators' `/_control` and `/mail`; unset: a new one at each start, which is printed as a link.",
    secret: true,
  },
} as const satisfies SettingTable;

/** Longest duration of a generation: the model's time, and 3 s to draw and store up to 35 slides (D-50). */
export function generationMsOf({ LLM_BUDGET_SECONDS }: Settings<'LLM_BUDGET_SECONDS'>): number {
  return LLM_BUDGET_SECONDS * 1_000 + 3_000;
}

export type SettingName = keyof typeof settings;

/** The values of some of the settings declared here. */
export type Settings<N extends SettingName = SettingName> = SettingsOf<Pick<typeof settings, N>>;

/** The declarations of some of the settings declared here. */
export function pickSettings<const N extends SettingName>(...names: readonly N[]): Pick<typeof settings, N> {
  return Object.fromEntries(names.map(name => [name, settings[name]])) as Pick<typeof settings, N>;
}
