/** The service with the real simulators behind it and a double of content. One per test file. */
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOutboxRelay } from '@hookline/shared/bus';
import type { EventContent } from '@hookline/shared/contracts/content';
import type { Caller } from '@hookline/shared/http';
import { loadSettings, newId, type SecretBox } from '@hookline/shared/kernel';
import { dayMs } from '@hookline/shared/kernel/durations';
import type { Database } from '@hookline/shared/postgres';
import { defaultClientKey, defaultClientSecret } from '@hookline/simulators/options';
import { startSimulators } from '@hookline/simulators/simulators';
import { eventually } from '@hookline/testing/eventually';
import {
  startTestService,
  type TestAnswer,
  type TestService,
  testCaller,
} from '@hookline/testing/service-harness';
import { controlHeaders, controlToken } from '@hookline/testing/simulator-controls';
import { startVictim } from '@hookline/testing/victims';
import { expect } from 'vitest';
import { createDeps, type SchedulingDeps, type SchedulingRuntime } from '../src/deps.ts';
import type { Carrier } from '../src/platform/carrier.rules.ts';
import { createTiktok } from '../src/platform/tiktok.ts';
import { createScheduling } from '../src/service.ts';
import { schedulingSettings } from '../src/settings.ts';
import { defaultTimings, type Timings } from '../src/timings.ts';
import { type ContentDouble, startContentDouble } from './content-double.ts';

/** The result of JSON.parse: tests read answers without a schema. */
export type Json = ReturnType<typeof JSON.parse>;

/** A time so many milliseconds from now, as the API takes it. */
export function inMs(ms: number): string {
  return new Date(Date.now() + ms).toISOString();
}

/** Publishes what the outbox of a service that runs no relay holds. */
export async function publishWaiting({ db, bus, log }: TestService): Promise<void> {
  const relay = startOutboxRelay({ service: 'scheduling', db, bus, log });
  try {
    await eventually(async () => expect(await db.query('select from outbox')).toEqual([]), 30_000);
  } finally {
    await relay.stop();
  }
}

export type World = {
  service: TestService;
  /** Starts another process of the service on the same database. */
  startAnother(timings?: Partial<Timings>, env?: Record<string, string>): Promise<TestService>;
  content: ContentDouble;
  /** Settings as the service reads them. */
  settings: unknown;
  env: Record<string, string>;
  publicUrl: string;
  control(method: string, path: string, body?: unknown): Promise<Json>;
  call(
    caller: Caller,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** Connects a new creator to the caller. @returns the account record. */
  connect(caller: Caller, options?: { appId?: string; username?: string; granted?: string }): Promise<Json>;
  newCreator(): Promise<string>;
  posts(username: string): Promise<Json[]>;
  schedule(caller: Caller, body: Record<string, unknown>): Promise<Answer>;
  /** Waits until the schedule is `sent` or `failed` and returns it with its timeline. */
  over(caller: Caller, id: string, timeoutMs?: number): Promise<Json>;
  setFaults(...faults: Record<string, unknown>[]): Promise<void>;
  stopPlatform(): Promise<void>;
  ready(slides?: number): Promise<{ caller: Caller; content: EventContent; account: Json; username: string }>;
  stop(): Promise<void>;
};

export type Answer = Omit<TestAnswer, 'body'> & { body: Json };

export type WorldOptions = {
  timings?: Partial<Timings>;
  simulators?: Record<string, unknown>;
  publicUrl?: string;
  withoutWebhooks?: boolean;
  /** Address of content, instead of the double. */
  contentUrl?: string;
  database?: TestService['database'];
  /** URL of the role `bus`, if the bus has another database than the service. */
  busUrl?: string;
  /** Settings of every process. */
  env?: Record<string, string>;
  /** Role of the first process; `api` leaves the sending to others. */
  role?: 'api' | 'all';
};

/** A worker process on the world's database, to be killed or stopped. End it with `endVictims`. */
export function startWorker({ service, env }: World, timings: Partial<Timings> = {}): Promise<ChildProcess> {
  const script = new URL('victim.ts', import.meta.url);
  return startVictim(script, service, { name: 'scheduling', env, timings });
}

/** Adds a connected account with an expired access token, whose tokens no platform knows. @returns its id. */
export async function addExpiredAccount(
  db: Database,
  box: SecretBox,
  refreshExpiresAt = new Date(Date.now() + 30 * dayMs),
): Promise<string> {
  const id = newId('account');
  await db.query('insert into creators (open_id) values ($1)', [`open_${id}`]);
  await db.query(
    `insert into platform_accounts (id, account_id, open_id, username, display_name, status, scopes,
       access_token_sealed, access_expires_at, refresh_token_sealed, refresh_expires_at, connected_at,
       created_at, updated_at)
     values ($1, 'acct', $2, 'u', 'u', 'connected', '{video.publish}', $3, now() - interval '1 hour', $4,
       $5, now(), now(), now())`,
    [id, `open_${id}`, box.seal('access', id), box.seal('refresh', id), refreshExpiresAt],
  );
  return id;
}

/** A token endpoint that accepts connections and answers nothing until it is mended. */
export type TokenServer = {
  /** A client of it. */
  carriers: { tiktok: Carrier };
  /** Calls so far. */
  readonly asked: number;
  /** From now on every call gets a new pair. */
  mend(): void;
  close(): Promise<void>;
};

/** @param timeoutMs of the client's calls */
export async function startSilentTokenServer(timeoutMs: number): Promise<TokenServer> {
  let asked = 0;
  let isMended = false;
  const server = createServer((_request, reply) => {
    asked += 1;
    if (!isMended) return;
    const tokens = { access_token: `act.${asked}`, refresh_token: `rft.${asked}`, open_id: 'open' };
    reply.end(JSON.stringify({ ...tokens, expires_in: 7_200, refresh_expires_in: 15_552_000, scope: '' }));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const tiktok = createTiktok({
    ...{ apiUrl: url, authUrl: url, clientKey: 'key', clientSecret: 'secret', scopes: [], timeoutMs },
  });
  return {
    carriers: { tiktok },
    get asked() {
      return asked;
    },
    mend() {
      isMended = true;
    },
    async close() {
      await tiktok.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The dependencies of a process beside the service, with its database and settings. */
export function depsOf({ service, settings }: World): SchedulingDeps {
  const { db, log } = service;
  const shutdown = { add: () => {} };
  const runtime = {
    db,
    log,
    now: () => new Date(),
    clockIsSteady: () => true,
    shutdown,
    settings,
    peers: {},
  };
  return createDeps(runtime as unknown as SchedulingRuntime, defaultTimings);
}

export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hookline-scheduling-'));
  const content = await startContentDouble();
  const simulators = await startSimulators({
    port: 0,
    controlToken,
    dataDir,
    pullDelayMs: 0,
    publishDelayMs: 0,
    moderationDelayMs: 20,
    webhookRetryMs: 50,
    ...options.simulators,
  });
  const simulatorsUrl = `http://127.0.0.1:${simulators.port}`;
  // The service picks a free port, so its public address is a proxy that is pointed at it afterwards.
  const door = await openDoor();
  const publicUrl = options.publicUrl ?? door.url;
  const encryptionKeys = `test:${randomBytes(32).toString('base64')}`;
  const env = {
    PUBLIC_URL: publicUrl,
    ENCRYPTION_KEYS: encryptionKeys,
    MEDIA_SIGNING_KEY: `test:${randomBytes(32).toString('base64')}`,
    CONTENT_URL: options.contentUrl ?? content.url,
    TIKTOK_API_URL: `${simulatorsUrl}/tiktok`,
    TIKTOK_AUTH_URL: `${simulatorsUrl}/tiktok`,
    TIKTOK_CLIENT_KEY: defaultClientKey,
    TIKTOK_CLIENT_SECRET: defaultClientSecret,
    ...options.env,
  };
  const timings = { firstPollMs: 50, pollMs: 500, ...options.timings };
  const define = (changed: Partial<Timings> = {}) => createScheduling({ ...timings, ...changed });
  const service = await startTestService(define(), {
    env: { ...env, ROLE: options.role ?? 'all' },
    ...(options.database ? { database: options.database } : {}),
    ...(options.busUrl ? { busUrl: options.busUrl } : {}),
  });
  door.target = service.url;
  const others: TestService[] = [];

  const world: World = {
    service,
    content,
    settings: loadSettings(schedulingSettings, env),
    env,
    publicUrl,
    async startAnother(changed = {}, changedEnv = {}) {
      const another = await startTestService(define(changed), {
        env: { ...env, ...changedEnv },
        database: service.database,
        ...(options.busUrl ? { busUrl: options.busUrl } : {}),
      });
      others.push(another);
      return another;
    },
    async control(method, path, body) {
      const answer = await fetch(`${simulatorsUrl}/_control/${path}`, {
        method,
        headers: controlHeaders,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      const isJson = answer.headers.get('content-type')?.includes('json');
      return isJson ? ((await answer.json()) as Json) : null;
    },
    call: (caller, method, path, body, headers = {}) =>
      service.call(method, path, { caller, headers, ...(body === undefined ? {} : { body }) }),
    async newCreator() {
      const username = `c.${randomBytes(6).toString('hex')}`;
      await world.control('PUT', `tiktok/accounts/${username}`, {
        openDraftsMax: 1_000,
        postsPerDayMax: 1_000,
      });
      return username;
    },
    async connect(caller, { appId, username, granted } = {}) {
      const as = username ?? (await world.newCreator());
      const path = '/v1/accounts/tiktok/connect';
      const { authorizeUrl } = (await world.call(caller, 'POST', path, appId ? { appId } : {})).body.data;
      const back = await consentAs(authorizeUrl, as, granted);
      const returned = await service.call('GET', `/v1/accounts/tiktok/callback${back.search}`, {
        headers: { accept: 'application/json' },
      });
      const { state } = (returned.body as Json).data ?? {};
      const answer = await world.call(caller, 'POST', '/v1/accounts/tiktok/finish', { state });
      if (answer.status !== 200) throw new Error(`not connected: ${answer.text}`);
      return (answer.body as Json).data;
    },
    posts: username => world.control('GET', `posts?account=${username}`),
    schedule: (caller, body) => world.call(caller, 'POST', '/v1/schedules', body),
    over: (caller, id, timeoutMs = 10_000) =>
      eventually(async () => {
        const { body } = await world.call(caller, 'GET', `/v1/schedules/${id}`);
        if (!['sent', 'failed'].includes(body.data?.status)) throw new Error(JSON.stringify(body));
        return body.data;
      }, timeoutMs),
    async setFaults(...faults) {
      await world.control(
        'PUT',
        'faults',
        faults.map(fault => ({ platform: 'tiktok', share: 1, ...fault })),
      );
    },
    stopPlatform: () => simulators.close(),
    async ready(slides = 3) {
      const caller = testCaller();
      const username = await world.newCreator();
      const account = await world.connect(caller, { username });
      return { caller, content: content.addDeck(caller.accountId, { slides }), account, username };
    },
    async stop() {
      await Promise.all(others.map(other => other.stop()));
      await service.stop();
      await simulators.close().catch(() => {});
      await content.close();
      await door.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  if (!options.withoutWebhooks) {
    await world.control('PUT', 'tiktok/client', { webhookUrl: `${service.url}/platform/tiktok/events` });
  }
  return world;
}

/** Consents on the authorize page and returns the address that the person is sent to. */
export async function consentAs(authorizeUrl: string, username: string, granted?: string): Promise<URL> {
  const url = new URL(authorizeUrl);
  url.searchParams.set('as', username);
  if (granted) url.searchParams.set('granted', granted);
  const answer = await fetch(url, { redirect: 'manual' });
  return new URL(answer.headers.get('location') ?? `http://none/?${await answer.text()}`);
}

type Door = { url: string; target: string; close(): Promise<void> };

/** Forwards `/media/*`, as the gateway would. */
async function openDoor(): Promise<Door> {
  const server: Server = createServer(async (request, reply) => {
    const answer = await fetch(door.target + request.url).catch(() => new Response(null, { status: 502 }));
    const bytes = Buffer.from(await answer.arrayBuffer());
    reply.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type') ?? '',
      'content-length': bytes.length,
    });
    reply.end(bytes);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const door: Door = {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    target: '',
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return door;
}
