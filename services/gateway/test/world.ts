/**
 * The real gateway on a fresh database, in front of a small service that reports the requests it received.
 */
import { randomInt } from 'node:crypto';
import { connect } from 'node:net';
import { allRoutes } from '@hookline/shared/contracts/all-routes';
import { approvalPolicies } from '@hookline/shared/contracts/approval-policy';
import { type Scope, type ServiceName, scopes } from '@hookline/shared/contracts/scopes';
import { createCallVerifier, createServiceServer, type VerifiedCall } from '@hookline/shared/http';
import { createLogger, createShutdown, type Logger, loadSettings } from '@hookline/shared/kernel';
import { startService } from '@hookline/shared/service';
import { createMigratedDatabase, signingKeysFor } from '@hookline/testing/service-harness';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import pg from 'pg';
import { createRecordTexts, type RecordTexts } from '../src/edge/limits/record-text.ts';
import type { Patience } from '../src/edge-deps.ts';
import type { KeyRecord } from '../src/identity/keys/record.ts';
import { createGateway } from '../src/service.ts';
import type { ConsoleEntry } from '../src/site/console/entry.ts';

export type Seen = {
  method: string;
  url: string;
  headers: Record<string, unknown>;
  body: unknown;
  call: VerifiedCall | null;
};

export type TestOwner = { url: string; seen: Seen[]; app: FastifyInstance; close(): Promise<void> };

export const silent: Logger = createLogger({ service: 'test', level: 'silent' });

/** Stands in for all four services: answers every route of the contracts with the request it received. */
export async function startOwner(
  name: ServiceName,
  addMore: (app: FastifyInstance) => void = () => {},
): Promise<TestOwner> {
  const ring = loadSettings(['SERVICE_SIGNING_KEYS'], { SERVICE_SIGNING_KEYS: signingKeysFor(name) });
  const seen: Seen[] = [];
  const app = createServiceServer({
    log: silent,
    verifyCall: createCallVerifier(ring.SERVICE_SIGNING_KEYS ?? [], name),
    readiness: [],
  });
  const record = (request: FastifyRequest): Seen => {
    const one = {
      method: request.method,
      url: request.url,
      headers: request.headers,
      body: request.body,
      call: request.call,
    };
    seen.push(one);
    return one;
  };
  for (const route of allRoutes.filter(candidate => candidate.service === name)) {
    app.route({
      method: route.method,
      url: `/v1${route.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      handler: async (request, reply) => {
        const { call } = record(request);
        return reply.code(route.status).send({ data: { route: route.id, sender: call?.sender } });
      },
    });
  }
  addMore(app);
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return { url, seen, app, close: () => app.close() };
}

export type Database = Awaited<ReturnType<typeof createMigratedDatabase>>;

export type TestGateway = {
  url: string;
  database: Database;
  /** The database as its administrator sees it. */
  admin: pg.Pool;
  /** Each call comes from a separate address unless given one, so that only the limit under test counts. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Signs up a new user. */
  signUp(): Promise<{ token: string; email: string; password: string }>;
  mint(token: string, keyScopes?: readonly Scope[], expiresAt?: string): Promise<{ id: string; key: string }>;
  stop(): Promise<void>;
};

export type CallOptions = {
  token?: string;
  body?: unknown;
  rawBody?: string | Buffer;
  headers?: Record<string, string>;
  ip?: string;
};

// biome-ignore lint/suspicious/noExplicitAny: answers are judged by their values here.
export type Answer = { status: number; body: any; text: string; headers: Headers };

/** What gateways that share signing keys write to Redis. */
export function testRecords(nowMs: () => number = Date.now): RecordTexts {
  const { SERVICE_SIGNING_KEYS } = loadSettings(['SERVICE_SIGNING_KEYS'], {
    SERVICE_SIGNING_KEYS: signingKeysFor('gateway'),
  });
  return createRecordTexts(SERVICE_SIGNING_KEYS ?? [], nowMs);
}

/** A key record as Postgres would give it. */
export function testKey(overrides: Partial<KeyRecord> = {}): KeyRecord {
  return {
    keyId: 'key_1',
    readAtUs: 1,
    accountId: 'acct_1',
    role: 'owner',
    scopes: ['apps:read'],
    approvalPolicy: approvalPolicies.open,
    deletesAtMs: null,
    actor: { kind: 'key', id: 'key_1', name: 'test' },
    createdBy: null,
    expiresAtMs: null,
    isRevoked: false,
    ...overrides,
  };
}

export function randomIp(): string {
  return `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
}

export async function startTestGateway(
  urls: Partial<Record<ServiceName, string>>,
  options: {
    env?: Record<string, string>;
    database?: Database;
    now?: () => Date;
    patience?: Partial<Patience>;
    consoleFolder?: string;
    consoleEntry?: ConsoleEntry;
    clientDocumentTargets?: ReadonlySet<string>;
    log?: Logger;
  } = {},
): Promise<TestGateway> {
  const database = options.database ?? (await createMigratedDatabase());
  const shutdown = createShutdown(silent, 10_000);
  // No server listens on this port.
  const nowhere = 'http://127.0.0.1:1';
  const { patience, consoleFolder, consoleEntry, clientDocumentTargets } = options;
  const definition = createGateway({
    ...(patience ? { patience } : {}),
    ...(consoleFolder ? { consoleFolder } : {}),
    ...(consoleEntry ? { consoleEntry } : {}),
    ...(clientDocumentTargets ? { clientDocumentTargets } : {}),
  });
  const running = await startService(definition, {
    env: {
      PORT: '0',
      DATABASE_URL: database.roleUrl('gateway'),
      DATABASE_POOL_MAX: '6',
      SERVICE_SIGNING_KEYS: signingKeysFor('gateway'),
      CONTENT_URL: urls.content ?? nowhere,
      SCHEDULING_URL: urls.scheduling ?? nowhere,
      AUTOMATION_URL: urls.automation ?? nowhere,
      ANALYTICS_URL: urls.analytics ?? nowhere,
      TRUSTED_PROXIES: '127.0.0.1',
      SIGN_UP: 'open',
      ...options.env,
    },
    bus: null,
    log: options.log ?? silent,
    shutdown,
    ...(options.now ? { now: options.now } : {}),
  });
  const call: TestGateway['call'] = async (method, path, given = {}) => {
    const isForm = given.body instanceof FormData;
    const json = given.body === undefined ? undefined : JSON.stringify(given.body);
    const body = given.rawBody ?? (isForm ? (given.body as FormData) : json);
    const response = await fetch(running.url + path, {
      method,
      redirect: 'manual',
      headers: {
        'x-forwarded-for': given.ip ?? randomIp(),
        ...(given.token === undefined ? {} : { authorization: `Bearer ${given.token}` }),
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...given.headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    return { status: response.status, text, body: tryParse(text), headers: response.headers };
  };
  const admin = new pg.Pool({ connectionString: database.url, max: 1, idleTimeoutMillis: 0 });
  let users = 0;
  return {
    url: running.url,
    database,
    admin,
    call,
    async signUp() {
      users += 1;
      const email = `user${users}.${randomInt(1e9)}@example.com`;
      const password = 'correct horse battery';
      const answer = await call('POST', '/api/v1/auth/sign-up', { body: { email, password } });
      if (answer.status !== 201) throw new Error(answer.text);
      return { token: answer.body.data.session.token, email, password };
    },
    async mint(token, keyScopes = scopes, expiresAt) {
      const answer = await call('POST', '/api/v1/keys', {
        token,
        body: { name: 'test', scopes: keyScopes, ...(expiresAt ? { expiresAt } : {}) },
      });
      if (answer.status !== 201) throw new Error(answer.text);
      return answer.body.data;
    },
    async stop() {
      await shutdown.run();
      await admin.end();
      if (!options.database) await database.drop();
    },
  };
}

/** Sends raw bytes, for requests that no client library would send. */
export async function sendRaw(
  url: string,
  text: string,
): Promise<{ status: number; headers: string; body: Answer['body'] }> {
  const { hostname, port } = new URL(url);
  return await new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let answer = '';
    socket.setTimeout(10_000, () => socket.destroy(new Error('no answer')));
    socket.on('data', chunk => {
      answer += chunk;
      const [head = '', body = ''] = answer.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
      if (body.length >= length) socket.end();
    });
    socket.on('error', reject);
    socket.on('close', () => {
      const [head = '', body = ''] = answer.split('\r\n\r\n');
      resolve({ status: Number(head.slice(9, 12)), headers: head.toLowerCase(), body: tryParse(body) });
    });
  });
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
