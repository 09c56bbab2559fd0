/** The whole product in one process, with a cutting proxy on every connection that a request uses. */

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAnalytics } from '@hookline/analytics';
import { automation } from '@hookline/automation';
import { content } from '@hookline/content';
import { createScheduling } from '@hookline/scheduling';
import type { ServiceName } from '@hookline/shared/contracts/scopes';
import type { SettingTable } from '@hookline/shared/kernel';
import type { ServiceDefinition } from '@hookline/shared/service';
import { defaultClientKey, defaultClientSecret } from '@hookline/simulators/options';
import { startSimulators } from '@hookline/simulators/simulators';
import { type CutProxy, startCutProxy } from '@hookline/testing/cut-at';
import {
  createMigratedDatabase,
  startTestService,
  type TestService,
  testSecrets,
} from '@hookline/testing/service-harness';
import { controlHeaders, controlToken } from '@hookline/testing/simulator-controls';
import pg from 'pg';
import { type Answer, startTestGateway, type TestGateway } from '../../services/gateway/test/world.ts';

type Owner = Exclude<ServiceName, 'gateway'>;

export type Ground = {
  gateway: TestGateway;
  /** Between the callers and the gateway: its URL, and the cut. */
  front: CutProxy & { url: string };
  /** Between the gateway and each owner. */
  ways: Record<Owner, CutProxy>;
  /** Between each service, the gateway too, and the database. */
  stores: Record<ServiceName, CutProxy>;
  session: string;
  key: string;
  accountId: string;
  /** A platform account that can receive content. */
  tiktokAccountId: string;
  /** Number of requests that the webhook receiver accepted, by event id. */
  received: Map<string, number>;
  receiverUrl: string;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Runs a query as the owner of the database. */
  sql<Row>(text: string, values?: unknown[]): Promise<Row[]>;
  /** A new creator consents, and the browser comes back from the platform. */
  consent(authorizeUrl: string, creator: string): Promise<void>;
  /** Expires every lease. */
  skipLeases(): void;
  stop(): Promise<void>;
};

export type CallOptions = { as?: 'key' | 'session'; body?: unknown; idempotencyKey?: string; base?: string };

const noLimits = { LIMIT_PER_IP: '1000000', LIMIT_PER_KEY: '1000000', LIMIT_CONTENT_PER_KEY: '1000000' };

export async function startGround(): Promise<Ground> {
  const stops: (() => Promise<unknown> | unknown)[] = [];
  const dataDir = mkdtempSync(join(tmpdir(), 'hookline-repeats-'));
  stops.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const database = await createMigratedDatabase();
  stops.push(() => database.drop());
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  stops.push(() => admin.end());
  const simulators = await startSimulators({ port: 0, controlToken, dataDir: join(dataDir, 'simulators') });
  stops.push(() => simulators.close());
  const receiver = await startReceiver();
  stops.push(() => receiver.close());

  const stores = {} as Record<ServiceName, CutProxy>;
  const { hostname, port } = new URL(database.url);
  for (const name of ['gateway', 'content', 'scheduling', 'automation', 'analytics'] as const) {
    stores[name] = await startCutProxy({ host: hostname, port: Number(port) });
    stops.push(() => stores[name].close());
  }
  /** The tests' bus has a direct connection. */
  const cuttable = {
    ...database,
    roleUrl(role: string) {
      const url = new URL(database.roleUrl(role));
      const proxy = stores[role as ServiceName];
      if (proxy) url.host = `127.0.0.1:${proxy.port}`;
      return url.href;
    },
  };

  let offsetMs = 0;
  const now = () => new Date(Date.now() + offsetMs);
  const simulatorsUrl = `http://127.0.0.1:${simulators.port}`;
  // Requests only: a worker's effects have no part in a request's answer.
  const common = { ...testSecrets, ROLE: 'api', PUBLIC_URL: 'http://localhost:8080', DATA_DIR: dataDir };
  const stores_ = {
    APP_STORE_URL: `${simulatorsUrl}/appstore`,
    GOOGLE_PLAY_URL: `${simulatorsUrl}/googleplay`,
  };
  const start = async <T extends SettingTable, D>(
    definition: ServiceDefinition<T, D>,
    env: Record<string, string>,
  ): Promise<TestService> => {
    const service = await startTestService(definition, {
      database: cuttable,
      env: { ...common, ...env },
      now,
    });
    stops.push(() => service.stop());
    return service;
  };
  const owners = {} as Record<Owner, TestService>;
  owners.content = await start(content, { ...stores_, SIGNUP_CREDITS: '100000' });
  owners.scheduling = await start(createScheduling({ postNowWaitMs: 100 }), {
    CONTENT_URL: owners.content.url,
    TIKTOK_API_URL: `${simulatorsUrl}/tiktok`,
    TIKTOK_AUTH_URL: `${simulatorsUrl}/tiktok`,
    TIKTOK_CLIENT_KEY: defaultClientKey,
    TIKTOK_CLIENT_SECRET: defaultClientSecret,
  });
  owners.automation = await start(automation, {
    CONTENT_URL: owners.content.url,
    SCHEDULING_URL: owners.scheduling.url,
    WEBHOOK_ALLOW_TARGETS: new URL(receiver.url).host,
  });
  owners.analytics = await start(createAnalytics(), {
    YOUTUBE_API_URL: `${simulatorsUrl}/youtube`,
    YOUTUBE_API_KEY: 'a-key-of-the-operator',
    INSTAGRAM_API_URL: `${simulatorsUrl}/instagram`,
  });

  const ways = {} as Record<Owner, CutProxy>;
  const urls: Partial<Record<ServiceName, string>> = {};
  for (const [name, service] of Object.entries(owners) as [Owner, TestService][]) {
    ways[name] = await proxyOf(service.url);
    stops.push(() => ways[name].close());
    urls[name] = `http://127.0.0.1:${ways[name].port}`;
  }
  const gateway = await startTestGateway(urls, { database: cuttable, env: noLimits });
  stops.push(() => gateway.stop());
  const frontProxy = await proxyOf(gateway.url);
  stops.push(() => frontProxy.close());
  const front = Object.assign(frontProxy, { url: `http://127.0.0.1:${frontProxy.port}` });

  const { token: session } = await gateway.signUp();
  const { id, key } = await gateway.mint(session);
  const sql = async <Row>(text: string, values: unknown[] = []) =>
    (await admin.query(text, values)).rows as Row[];
  const [minted] = await sql<{ account_id: string }>(
    'select account_id from gateway.api_keys where id = $1',
    [id],
  );
  const ground: Ground = {
    gateway,
    front,
    ways,
    stores,
    session,
    key,
    accountId: minted?.account_id ?? '',
    tiktokAccountId: '',
    received: receiver.received,
    receiverUrl: receiver.url,
    sql,
    async call(method, path, { as = 'key', body, idempotencyKey, base } = {}) {
      const options = {
        token: as === 'key' ? key : session,
        ...(body === undefined ? {} : { body }),
        ...(idempotencyKey === undefined ? {} : { headers: { 'idempotency-key': idempotencyKey } }),
      };
      if (base === undefined) return await gateway.call(method, `/api/v1${path}`, options);
      return await callAt(base, method, path, options);
    },
    consent: (authorizeUrl, creator) => consentAs(gateway, simulatorsUrl, authorizeUrl, creator),
    skipLeases() {
      offsetMs += 120_000;
    },
    async stop() {
      for (const stop of stops.toReversed()) await stop();
    },
  };
  ground.tiktokAccountId = await connectTiktok(ground);
  return ground;
}

async function proxyOf(url: string): Promise<CutProxy> {
  const { hostname, port } = new URL(url);
  return await startCutProxy({ host: hostname, port: Number(port) });
}

async function callAt(
  base: string,
  method: string,
  path: string,
  { token, body, headers = {} }: { token: string; body?: unknown; headers?: Record<string, string> },
): Promise<Answer> {
  const isForm = body instanceof FormData;
  const response = await fetch(`${base}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text), headers: response.headers };
}

/** A new creator consents, and the browser comes back. */
async function consentAs(
  gateway: TestGateway,
  simulatorsUrl: string,
  authorizeUrl: string,
  creator: string,
): Promise<void> {
  await fetch(`${simulatorsUrl}/_control/tiktok/accounts/${creator}`, {
    method: 'PUT',
    headers: controlHeaders,
    body: JSON.stringify({ openDraftsMax: 1_000, postsPerDayMax: 1_000 }),
  });
  const consent = await fetch(`${authorizeUrl}&as=${creator}`, { redirect: 'manual' });
  const { search } = new URL(consent.headers.get('location') ?? 'http://none/');
  const answer = await gateway.call('GET', `/api/v1/accounts/tiktok/callback${search}`);
  if (answer.status !== 200) throw new Error(`not returned: ${answer.text}`);
}

async function connectTiktok(ground: Ground): Promise<string> {
  const begun = await ground.call('POST', '/accounts/tiktok/connect', { as: 'session', body: {} });
  const { authorizeUrl, state } = begun.body.data;
  await ground.consent(authorizeUrl, 'repeats');
  const answer = await ground.call('POST', '/accounts/tiktok/finish', { as: 'session', body: { state } });
  if (answer.status !== 200) throw new Error(`not connected: ${answer.text}`);
  return answer.body.data.id;
}

async function startReceiver() {
  const received = new Map<string, number>();
  const server = createServer((request, response) => {
    const id = String(request.headers['webhook-id']);
    received.set(id, (received.get(id) ?? 0) + 1);
    request.resume().on('end', () => response.writeHead(200).end());
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  return {
    url,
    received,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
