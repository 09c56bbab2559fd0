import { createSecretKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';

/** One secret of a key ring, `id:base64` in the environment. */
export type NamedKey = { id: string; key: KeyObject };

function keyRing() {
  const error = 'must be id:base64[,id:base64], each key at least 32 bytes';
  return z.string().transform((value, context): NamedKey[] => {
    const ring = value.split(',').map(entry => {
      const colon = entry.indexOf(':');
      return { id: entry.slice(0, colon).trim(), bytes: Buffer.from(entry.slice(colon + 1), 'base64') };
    });
    if (ring.some(({ id, bytes }) => !/^[\w.-]{1,64}$/.test(id) || bytes.length < 32)) {
      context.addIssue({ code: 'custom', message: error });
      return z.NEVER;
    }
    return ring.map(({ id, bytes }) => ({ id, key: createSecretKey(bytes) }));
  });
}

function url(protocols: string) {
  const error = `must be a URL (${protocols})`;
  return z.url({ error, protocol: new RegExp(`^(${protocols.replaceAll(', ', '|')})$`) });
}

function httpUrl() {
  return url('http, https').transform(value => value.replace(/\/+$/, ''));
}

function httpUrls() {
  const error = 'must be a URL (http, https), or several with commas';
  return commaList().refine(
    list => list.length > 0 && list.every(item => /^https?:\/\/[^/]+\/?$/.test(item)),
    { error },
  );
}

function count(min: number, max: number) {
  const error = `must be an integer from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,10}$/, error)
    .transform(Number)
    .pipe(z.int().min(min, error).max(max, error));
}

function commaList() {
  return z.string().transform(value =>
    value
      .split(',')
      .map(item => item.trim())
      .filter(Boolean),
  );
}

function hostPorts() {
  const error = 'must be host:port with commas, such as 127.0.0.1:3000, [::1]:3000 or localhost:3000';
  const form = /^(?:[\w.-]+|\[[\da-f:.]+\]):(\d{1,5})$/i;
  const isHostPort = (item: string): boolean => {
    const port = Number(form.exec(item)?.[1] ?? 0);
    return port >= 1 && port <= 65_535;
  };
  return commaList().refine(list => list.every(isHostPort), { error });
}

function httpOrigins() {
  const error = 'must be origins with commas, such as https://console.example.com: no path, no *';
  return commaList().refine(
    list => list.every(item => /^https?:/.test(item) && URL.canParse(item) && new URL(item).origin === item),
    { error },
  );
}

type Setting = {
  schema: z.ZodType;
  /** The value when the variable is not set. Without it the setting is undefined. */
  default?: string;
  about: string;
  secret?: true;
};

/**
 * Every setting of the product, declared once: name, schema, default, one sentence. `.env.example` and
 * `docs/configuration.md` are generated from this table.
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
  DATA_DIR: {
    schema: z.string().min(1),
    default: './.data',
    about: 'Folder for everything that `npm start` keeps, and for slide images unless an S3 store is set.',
  },
  WITNESS_FILE: {
    schema: z.string().min(1),
    about:
      'File outside of the database in which scheduling remembers its last calls, so that a restored database is noticed; `npm start`: `witness.json` in DATA_DIR.',
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
    about: 'Least severe level that is logged.',
  },
  DATABASE_URL: {
    schema: url('postgres, postgresql'),
    about:
      "Postgres, with the service's own role (for `npm run migrate`: an administrator's). Distributed mode needs it.",
    secret: true,
  },
  DATABASE_ROLE_PASSWORDS: {
    schema: z.string(),
    about: '`npm run migrate` only: `service:password[,service:password]` of the roles it makes.',
    secret: true,
  },
  DATABASE_POOL_MAX: {
    schema: count(2, 100),
    default: '10',
    about: 'Most Postgres connections of one service process.',
  },
  REDIS_URL: {
    schema: url('redis, rediss'),
    about: 'Redis for limits and key records. Distributed mode needs it.',
    secret: true,
  },
  KAFKA_BROKERS: {
    schema: commaList(),
    about: 'host:port list of Kafka brokers. Needed in distributed mode, but for `ROLE=api`.',
  },
  KAFKA_REPLICATION_FACTOR: {
    schema: count(1, 15),
    about:
      "Replicas of topics that are created, 3 in production; unset: the brokers' `default.replication.factor`.",
  },
  KAFKA_TLS: {
    schema: z.enum(['on', 'off'], { error: 'must be on or off' }),
    default: 'off',
    about: 'Whether the brokers are reached over TLS. Their certificates are always checked.',
  },
  KAFKA_TLS_CA: {
    schema: z.string().min(1),
    about: "PEM file with the authority of the brokers' certificates; unset: those that Node trusts.",
  },
  KAFKA_SASL_MECHANISM: {
    schema: z.enum(['plain', 'scram-sha-256', 'scram-sha-512'], {
      error: 'must be plain, scram-sha-256 or scram-sha-512',
    }),
    about: 'How the brokers ask for a password; unset: they do not. `plain` needs KAFKA_TLS.',
  },
  KAFKA_SASL_USERNAME: { schema: z.string().min(1), about: 'User at the brokers.' },
  KAFKA_SASL_PASSWORD: { schema: z.string().min(1), about: 'Password of that user.', secret: true },
  TIKTOK_API_URL: { schema: httpUrl(), about: "TikTok's API; unset: the simulator." },
  TIKTOK_AUTH_URL: { schema: httpUrl(), about: "TikTok's consent pages; unset: the simulator." },
  TIKTOK_CLIENT_KEY: {
    schema: z.string().min(1),
    about: 'Client key of the TikTok app; unset: the simulated one.',
  },
  TIKTOK_CLIENT_SECRET: {
    schema: z.string().min(1),
    about: 'Client secret of the TikTok app; unset: the simulated one.',
    secret: true,
  },
  APP_STORE_URL: { schema: httpUrl(), about: "Apple's look-up service; unset: the simulator." },
  GOOGLE_PLAY_URL: { schema: httpUrl(), about: "Google Play's pages; unset: the simulator." },
  YOUTUBE_API_URL: { schema: httpUrl(), about: 'YouTube Data API; unset: the simulator.' },
  YOUTUBE_API_KEY: {
    schema: z.string().min(1),
    about: 'Key for public YouTube numbers; unset: the simulated one.',
    secret: true,
  },
  YOUTUBE_DAILY_UNITS: {
    schema: count(1, 100_000_000),
    default: '10000',
    about:
      'Units a day that the key may spend on each of the two calls that read numbers; at most what Google grants it.',
  },
  INSTAGRAM_API_URL: { schema: httpUrl(), about: 'Instagram Graph API; unset: the simulator.' },
  INSTAGRAM_API_VERSION: {
    schema: z.string().regex(/^v\d{1,3}\.\d$/, 'must be a version such as v25.0'),
    default: 'v25.0',
    about: 'Version of the Graph API that is asked for.',
  },
  LLM_BASE_URL: {
    schema: httpUrl(),
    about:
      'OpenAI-compatible endpoint that writes the texts, such as `https://host/v1`; unset: the built-in composer writes.',
  },
  LLM_API_KEY: {
    schema: z.string().min(1),
    about: 'Key for that endpoint; many local ones need none.',
    secret: true,
  },
  LLM_MODEL: {
    schema: z.string().min(1),
    about: 'Model to ask there; needed with LLM_BASE_URL. It has 7 s for a deck, 5 s for one that is drawn.',
  },
  LLM_FALLBACK: {
    schema: z.enum(['none', 'composer'], { error: 'must be none or composer' }),
    default: 'none',
    about:
      'What writes when the model cannot be had or keeps breaking the rules: `none` (the content fails, uncharged) or `composer`.',
  },
  WEBHOOK_ALLOW_TARGETS: {
    schema: hostPorts(),
    default: '',
    about:
      'host:port list that the address filter lets through, and for which http is accepted; for tests on loopback only.',
  },
  TRUSTED_PROXIES: {
    schema: commaList(),
    default: '',
    about: 'Addresses whose `X-Forwarded-For` is believed; none by default.',
  },
  CORS_ORIGINS: {
    schema: httpOrigins(),
    default: '',
    about:
      'Origins whose web pages may call the API from a browser, exact, with commas; none by default. No cookies are ever involved.',
  },
  CONTENT_URL: {
    schema: httpUrls(),
    about:
      'Distributed: where the content service answers; one URL or several with commas, a name with many addresses is balanced over all.',
  },
  SCHEDULING_URL: {
    schema: httpUrls(),
    about:
      'Distributed: where the scheduling service answers; one URL or several with commas, a name with many addresses is balanced over all.',
  },
  AUTOMATION_URL: {
    schema: httpUrls(),
    about:
      'Distributed: where the automation service answers; one URL or several with commas, a name with many addresses is balanced over all.',
  },
  ANALYTICS_URL: {
    schema: httpUrls(),
    about:
      'Distributed: where the analytics service answers; one URL or several with commas, a name with many addresses is balanced over all.',
  },
  ROLE: {
    schema: z.enum(['api', 'worker', 'all'], { error: 'must be api, worker or all' }),
    default: 'all',
    about: 'What the process does: answer requests, do the background work, or both.',
  },
  GATEWAY_REPLICAS: {
    schema: count(1, 1000),
    default: '1',
    about: 'How many gateways share the limits when Redis is down.',
  },
  ENCRYPTION_KEYS: {
    schema: keyRing(),
    about:
      '`id:base64[,id:base64]`, 32 bytes each: platform tokens and webhook secrets at rest; the first is current, the others still read.',
    secret: true,
  },
  SERVICE_SIGNING_KEYS: {
    schema: keyRing(),
    about:
      "`service:base64[,service:base64]`: the process's own key first, then those of the senders it believes; an id may end in `.<text>` for rotation.",
    secret: true,
  },
  MEDIA_SIGNING_KEY: {
    schema: keyRing(),
    about: '`id:base64[,id:base64]`: signs image links; the first is current, the others still accepted.',
    secret: true,
  },
  OIDC_ISSUER: { schema: url('https, http'), about: 'OIDC issuer whose JWTs are accepted as sessions.' },
  OIDC_AUDIENCE: { schema: z.string().min(1), about: 'Audience that those JWTs must name.' },
  S3_ENDPOINT: {
    schema: httpUrl(),
    about: 'S3-compatible store for slide images, all five `S3_*` together; unset: files lie under DATA_DIR.',
  },
  S3_REGION: {
    schema: z.string().min(1),
    about: 'Region of that store; many self-hosted ones take `us-east-1`.',
  },
  S3_BUCKET: { schema: z.string().min(1), about: 'Bucket in that store; it must exist.' },
  S3_ACCESS_KEY_ID: {
    schema: z.string().min(1),
    about: 'Access key of that store; it needs ListBucket, GetObject and PutObject.',
  },
  S3_SECRET_ACCESS_KEY: { schema: z.string().min(1), about: 'Secret key of that store.', secret: true },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: httpUrl(),
    about:
      'OpenTelemetry collector; unset: no telemetry leaves the process. The other standard `OTEL_*` settings are read by the SDK.',
  },
  METRICS_PORT: {
    schema: count(1, 65_535),
    about:
      'Internal port that answers `/metrics` to Prometheus on HOST, without a key; unset: none. Metrics go to the collector too where one is set.',
  },
  EVENT_RETENTION_DAYS: {
    schema: count(4, 3650),
    default: '30',
    about:
      'How long events, deliveries and firings are kept; at least 4, since a delivery is tried for more than 3 days.',
  },
  SIMULATORS_CONTROL_TOKEN: {
    schema: z.string().min(16, 'must be a text of at least 16 characters'),
    about: "Opens the simulators' `/_control` to others than loopback, as bearer token.",
    secret: true,
  },
  SIGNUP_CREDITS: { schema: count(0, 1_000_000), default: '25', about: 'Credits granted at sign-up.' },
  DAILY_GENERATIONS: {
    schema: count(1, 1_000_000),
    default: '200',
    about: 'Most generations per account and UTC day.',
  },
  LIMIT_PER_IP: {
    schema: count(1, 1_000_000),
    default: '300',
    about: 'Requests a minute per IP address; another value is for load tests and prints a warning.',
  },
  LIMIT_PER_KEY: {
    schema: count(1, 1_000_000),
    default: '120',
    about: 'Requests a minute per key; another value is for load tests and prints a warning.',
  },
  LIMIT_CONTENT_PER_KEY: {
    schema: count(1, 1_000_000),
    default: '10',
    about: '`POST /content` a minute per key; another value is for load tests and prints a warning.',
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;
type Entry<N extends SettingName> = (typeof settings)[N];
type Value<N extends SettingName> = z.output<Entry<N>['schema']>;

/** The values of a chosen set of settings; those without a default may be undefined. */
export type Settings<N extends SettingName = SettingName> = {
  readonly [K in N]: Entry<K> extends { default: string } ? Value<K> : Value<K> | undefined;
};
