/**
 * A service under test: the real one, on a fresh clone of the migrated database, over a real bus, called as
 * the gateway calls it.
 */
import { randomBytes } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@hookline/infra/test-databases';
import { testPostgresUrl } from '@hookline/infra/test-infra';
import type { Bus, ReceivedMessage } from '@hookline/shared/bus';
import { createPostgresLogBus } from '@hookline/shared/bus/postgres-log';
import { approvalPolicies } from '@hookline/shared/contracts/approval-policy';
import { type ServiceName, scopes, serviceNames } from '@hookline/shared/contracts/scopes';
import { type EventDefinition, type HooklineEvent, toHeaders, topics } from '@hookline/shared/events';
import { type Caller, createCallSigner } from '@hookline/shared/http';
import type { SettingTable } from '@hookline/shared/kernel';
import {
  createLogger,
  createShutdown,
  type Logger,
  loadSettings,
  newId,
  type Shutdown,
} from '@hookline/shared/kernel';
import { type Database, migrateAll, openDatabase } from '@hookline/shared/postgres';
import { type RunningService, type ServiceDefinition, startService } from '@hookline/shared/service';

const rolePassword = 'test-role-password';

/** A separate migrated database, with the URL of each service's role. Drop it at the end. */
export async function createMigratedDatabase(): Promise<TestDatabase & { roleUrl(role: string): string }> {
  const passwords = Object.fromEntries(['bus', ...serviceNames].map(role => [role, rolePassword]));
  const database = await createTestDatabase({
    serverUrl: await testPostgresUrl(),
    template: 'hookline',
    prepare: async adminUrl => {
      await migrateAll({ adminUrl, passwords });
    },
  });
  return {
    ...database,
    roleUrl(role) {
      const url = new URL(database.url);
      url.username = role;
      url.password = rolePassword;
      return url.href;
    },
  };
}

/** Keys in the form of the environment variable: every service's own key, the given one first. */
export function signingKeysFor(service: ServiceName): string {
  const entry = (name: string): string => `${name}:${Buffer.from(name.padEnd(32, '.')).toString('base64')}`;
  return [service, ...serviceNames.filter(name => name !== service)].map(entry).join(',');
}

export const testSecrets = {
  ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
  MEDIA_SIGNING_KEY: `test:${randomBytes(32).toString('base64')}`,
};

/** A key with every scope on a new account, unless overridden. */
export function testCaller(overrides: Partial<Caller> = {}): Caller {
  const keyId = newId('key');
  const actor = { kind: 'key', id: keyId, name: 'test key', creatorId: null } as const;
  const approvalPolicy = approvalPolicies.open;
  return { accountId: newId('acct'), keyId, userId: null, scopes, actor, approvalPolicy, ...overrides };
}

/** A person with every scope, on the account of `caller`. */
export function testPerson(caller: Caller, name: string): Caller {
  const userId = newId('user');
  return { ...caller, keyId: null, userId, actor: { kind: 'person', id: userId, name, creatorId: null } };
}

export type TestAnswer = { status: number; body: unknown; text: string; bytes: Buffer; headers: Headers };

export type TestService = {
  url: string;
  db: Database;
  bus: Bus;
  log: Logger;
  database: TestDatabase & { roleUrl(role: string): string };
  /** Calls a route as the gateway would. `path` includes its query. */
  call(
    method: string,
    path: string,
    options?: {
      caller?: Caller | null;
      body?: unknown;
      headers?: Record<string, string>;
      sender?: ServiceName;
    },
  ): Promise<TestAnswer>;
  /** Publishes an event as its owning service would. */
  publish<T>(
    definition: EventDefinition,
    event: { subject: string; accountId: string; data: T; id?: string; sequence?: number; time?: string },
  ): Promise<void>;
  /** Everything the service has published on the topic, oldest first. */
  published: ReceivedMessage[];
  stop(): Promise<void>;
};

export type TestServiceOptions = {
  env?: Record<string, string | undefined>;
  now?: () => Date;
  /** A database to share between services of a test. */
  database?: TestDatabase & { roleUrl(role: string): string };
  /** URL of the role `bus` in another database. Default: the service's own database. */
  busUrl?: string;
};

/** Starts a service for a test file. `stop` closes everything it opened. */
export async function startTestService<T extends SettingTable, D>(
  definition: ServiceDefinition<T, D>,
  options: TestServiceOptions = {},
): Promise<TestService> {
  const { LOG_LEVEL } = loadSettings(['LOG_LEVEL'], { LOG_LEVEL: options.env?.LOG_LEVEL ?? 'silent' });
  const log = createLogger({ service: definition.name, level: LOG_LEVEL });
  const database = options.database ?? (await createMigratedDatabase());
  const shutdown = createShutdown(log, 10_000);
  const { bus, published } = await startTestBus(options.busUrl ?? database.roleUrl('bus'), log, shutdown);
  const running: RunningService = await startService(definition, {
    env: {
      PORT: '0',
      DATABASE_URL: database.roleUrl(definition.name),
      DATABASE_POOL_MAX: '6',
      SERVICE_SIGNING_KEYS: signingKeysFor(definition.name),
      ...testSecrets,
      ...options.env,
    },
    bus,
    log,
    shutdown,
    ...(options.now ? { now: options.now } : {}),
  });
  await running.joined;
  return {
    url: running.url,
    db: running.db,
    bus,
    log,
    database,
    published,
    call: (method, path, given = {}) => callAs(running, method, path, given),
    async publish(eventDefinition, event) {
      const full: HooklineEvent = {
        id: event.id ?? newId('event'),
        type: eventDefinition.type,
        version: eventDefinition.version,
        topic: eventDefinition.topic,
        subject: event.subject,
        accountId: event.accountId,
        sequence: event.sequence ?? 1,
        requestId: newId('req'),
        time: event.time ?? new Date().toISOString(),
        source: '/services/test',
        traceparent: `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`,
        data: event.data,
      };
      const message = {
        topic: full.topic,
        key: full.subject,
        value: JSON.stringify(full.data),
        headers: toHeaders(full),
      };
      await bus.publish([message]);
    },
    async stop() {
      await shutdown.run();
      if (!options.database) await database.drop();
    },
  };
}

async function startTestBus(url: string, log: Logger, shutdown: Shutdown) {
  const busDatabase = openDatabase({ url, connectionsMax: 6, name: 'hookline test bus', log });
  const bus = createPostgresLogBus({ database: busDatabase, log });
  shutdown.add('bus', 'bus', () => bus.close());
  shutdown.add('stores', 'bus database', () => busDatabase.close());
  await bus.ensureTopics(topics);
  const published: ReceivedMessage[] = [];
  await bus.subscribe({
    group: 'test.recorder',
    topics,
    // The bus delivers at least once.
    handler: async message => {
      if (!published.some(({ headers }) => headers.ce_id === message.headers.ce_id)) published.push(message);
    },
  });
  return { bus, published };
}

async function encode(body: unknown): Promise<{ bytes: Buffer | null; type: string | null }> {
  if (body === undefined) return { bytes: null, type: null };
  if (!(body instanceof FormData)) {
    return { bytes: Buffer.from(JSON.stringify(body)), type: 'application/json' };
  }
  const form = new Response(body);
  return { bytes: Buffer.from(await form.arrayBuffer()), type: form.headers.get('content-type') };
}

/** Where the calls of tests come from. */
export const testAddress = '203.0.113.7';

async function callAs(
  service: RunningService,
  method: string,
  path: string,
  options: { caller?: Caller | null; body?: unknown; headers?: Record<string, string>; sender?: ServiceName },
): Promise<TestAnswer> {
  const sender = options.sender ?? 'gateway';
  const sign = createCallSigner(
    loadSettings(['SERVICE_SIGNING_KEYS'], { SERVICE_SIGNING_KEYS: signingKeysFor(sender) })
      .SERVICE_SIGNING_KEYS ?? [],
  );
  const caller = options.caller ?? null;
  const { bytes, type } = await encode(options.body);
  const call = { sender, audience: service.name, method, path, requestId: newId('req'), caller };
  const response = await fetch(service.url + path, {
    method,
    redirect: 'manual',
    headers: {
      ...sign({ ...call, body: bytes, address: testAddress }),
      ...(type === null ? {} : { 'content-type': type }),
      ...options.headers,
    },
    ...(bytes === null ? {} : { body: new Uint8Array(bytes) }),
  });
  const answered = Buffer.from(await response.arrayBuffer());
  const answer = answered.toString();
  let body: unknown = null;
  try {
    body = JSON.parse(answer);
  } catch {
    // For a page use `text`, for a file `bytes`.
  }
  return { status: response.status, body, text: answer, bytes: answered, headers: response.headers };
}
