/**
 * The three entrances to the charge path: a request at the content service, a firing over the bus, a request
 * at the gateway.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { content } from '@hookline/content';
import { createPostgresLogBus } from '@hookline/shared/bus/postgres-log';
import { automationFired, toHeaders } from '@hookline/shared/events';
import { type Caller, createCallSigner } from '@hookline/shared/http';
import { createLogger, loadSettings, newId } from '@hookline/shared/kernel';
import { openDatabase } from '@hookline/shared/postgres';
import {
  type createMigratedDatabase,
  signingKeysFor,
  startTestService,
  testCaller,
} from '@hookline/testing/service-harness';
import type pg from 'pg';
import { signUp } from '../../kit/clients/api.ts';
import { settleMs } from './ledger.ts';

export type World = {
  database: Awaited<ReturnType<typeof createMigratedDatabase>>;
  /** With superuser rights. */
  admin: pg.Pool;
  dataDir: string;
  /** Offset of the next victim's clock, ahead of ours. */
  aheadMs: number;
  /** A content service that is not killed; empty where content is the victim. */
  upstreamUrl: string;
  /**
   * API keys of the gateway's user, used in turn: the gateway queries Postgres for each key it does not know
   * yet.
   */
  apiKeys: string[];
};

export type Attempt = {
  accountId: string;
  /** Idempotency key or firing. */
  name: string;
  appId: string;
  kind: 'plain' | 'deck';
  /** At the gateway; empty elsewhere. */
  apiKey: string;
  /** The answer, if it arrived completely before the kill. */
  text: string | null;
};

export type Journey = {
  name: string;
  victim: 'content' | 'gateway';
  /** Processes next to the victim that are never killed. @returns a function that ends them */
  open(world: World): Promise<() => Promise<void>>;
  prepare(world: World, url: string): Promise<void>;
  /** Sends once, without a retry. A deck has two slide images where the journey has a choice. */
  begin(world: World, url: string, kind: 'plain' | 'deck'): Promise<Attempt>;
  /** The client's only retry. @returns the content's id */
  end(world: World, url: string, attempt: Attempt): Promise<string>;
  /** The id that the work was assigned before the kill, or null. */
  findFixedId(world: World, attempt: Attempt): Promise<string | null>;
};

const briefs = {
  plain: { slideCount: 2 },
  deck: { templateId: 'quote-card', slideCount: 2 },
} as const;
// Longer than the leases of a key (42 s) and of a queued content (40 s).
const leaseOverMs = 45_000;
const apiKeysMax = 8;
const reservationOverMs = 90_000;

/**
 * Advances time for the next process: its own clock is injected; times that Postgres compares with its clock
 * are moved into the past. A reservation's was written by the clock of the content service.
 */
export async function passTime(world: World, victim: Journey['victim'], untilReaped: boolean): Promise<void> {
  const writtenAheadMs = victim === 'content' ? world.aheadMs : 0;
  world.aheadMs += leaseOverMs;
  const passedMs = untilReaped ? reservationOverMs : leaseOverMs;
  await world.admin.query(
    `update content.contents set lease_until = lease_until - $1 * interval '1 millisecond' where lease_until is not null`,
    [passedMs],
  );
  await world.admin.query(
    `update content.credit_reservations set expires_at = expires_at - $1 * interval '1 millisecond'`,
    [passedMs + writtenAheadMs],
  );
}

async function writeApp(world: World, accountId: string): Promise<string> {
  const id = newId('product');
  const listing = {
    store: 'apple',
    storeId: '9990000011',
    country: 'us',
    name: 'Pebblo',
    summary: null,
    description: 'Pebblo keeps habits small. Pick three. Tick them off each evening.',
    iconUrl: null,
    category: 'Productivity',
    rating: null,
    ratingCount: null,
    screenshots: [],
    developer: 'Pebblo Labs',
    storeUrl: null,
    fetchedAt: new Date().toISOString(),
  };
  await world.admin.query(
    `insert into content.apps (id, account_id, name, details, seed_hooks, listing, created_at, updated_at)
     values ($1, $2, 'Pebblo', 'Habits', '{}', $3, now(), now())`,
    [id, accountId, listing],
  );
  return id;
}

async function findKeyId(world: World, attempt: Attempt): Promise<string | null> {
  const { rows } = await world.admin.query<{ id: string }>(
    'select resource_id as id from content.idempotency_keys where account_id = $1 and key = $2',
    [attempt.accountId, attempt.name],
  );
  return rows[0]?.id ?? null;
}

type Post = (attempt: Attempt) => Promise<{ status: number; text: string }>;

async function beginPost(attempt: Attempt, post: Post): Promise<Attempt> {
  const answer = await post(attempt).catch(() => null);
  if (answer && answer.status !== 201 && answer.status !== 503) throw new Error(answer.text);
  return { ...attempt, text: answer?.status === 201 ? answer.text : null };
}

async function endPost(attempt: Attempt, post: Post): Promise<string> {
  const { status, text } = await post(attempt);
  if (status !== 201) throw new Error(`${status} ${text}`);
  if (attempt.text !== null && attempt.text !== text) throw new Error('the reply is another one now');
  return (JSON.parse(text) as { data: { id: string } }).data.id;
}

const bodyOf = ({ appId, kind }: Attempt): string =>
  JSON.stringify({ appId, type: 'slideshow', brief: briefs[kind] });

function signedPost(url: string): Post {
  const keys = loadSettings(['SERVICE_SIGNING_KEYS'], { SERVICE_SIGNING_KEYS: signingKeysFor('gateway') });
  const sign = createCallSigner(keys.SERVICE_SIGNING_KEYS ?? []);
  return async attempt => {
    const { accountId, name } = attempt;
    const path = '/v1/content';
    const caller: Caller = { ...testCaller(), accountId };
    const call = { sender: 'gateway', audience: 'content', method: 'POST', path, caller } as const;
    const body = bodyOf(attempt);
    const response = await fetch(url + path, {
      method: 'POST',
      headers: {
        ...sign({ ...call, requestId: newId('req'), body }),
        'content-type': 'application/json',
        'idempotency-key': name,
      },
      body,
    });
    return { status: response.status, text: await response.text() };
  };
}

export const requestJourney: Journey = {
  name: 'a request at the content service',
  victim: 'content',
  open: async () => async () => {},
  prepare: async () => {},
  async begin(world, url, kind) {
    const accountId = newId('acct');
    const appId = await writeApp(world, accountId);
    const attempt = { accountId, appId, kind, apiKey: '', name: newId('req'), text: null };
    return await beginPost(attempt, signedPost(url));
  },
  end: (_, url, attempt) => endPost(attempt, signedPost(url)),
  findFixedId: findKeyId,
};

export const gatewayJourney: Journey = {
  name: 'a request at the gateway',
  victim: 'gateway',
  async open(world) {
    const service = await startTestService(content, {
      database: world.database,
      env: {
        DATA_DIR: world.dataDir,
        PUBLIC_URL: 'http://localhost:8080',
        APP_STORE_URL: 'http://127.0.0.1:9',
        GOOGLE_PLAY_URL: 'http://127.0.0.1:9',
        SIGNUP_CREDITS: '100000',
        DAILY_GENERATIONS: '1000000',
      },
    });
    world.upstreamUrl = service.url;
    return () => service.stop();
  },
  async prepare(world, url) {
    const { api, session } = await signUp(`${url}/api/v1`);
    for (let index = 0; index < apiKeysMax; index += 1) {
      const body = { name: `key ${index}`, scopes: ['content:write'] };
      world.apiKeys.push((await api<{ key: string }>('POST', '/keys', { token: session, body })).data.key);
    }
  },
  async begin(world, url, kind) {
    const { rows } = await world.admin.query<{ id: string }>('select account_id as id from gateway.users');
    const accountId = rows[0]?.id ?? '';
    const appId = await writeApp(world, accountId);
    const apiKey = world.apiKeys.shift() ?? '';
    world.apiKeys.push(apiKey);
    const attempt = { accountId, appId, kind, apiKey, name: newId('req'), text: null };
    return await beginPost(attempt, publicPost(url));
  },
  end: (_, url, attempt) => endPost(attempt, publicPost(url)),
  findFixedId: findKeyId,
};

function publicPost(url: string): Post {
  return async attempt => {
    const { name, apiKey } = attempt;
    const response = await fetch(`${url}/api/v1/content`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': name,
      },
      body: bodyOf(attempt),
    });
    return { status: response.status, text: await response.text() };
  };
}

export const firingJourney: Journey = {
  name: 'a firing over the bus',
  victim: 'content',
  open: async () => async () => {},
  prepare: async () => {},
  async begin(world) {
    const accountId = newId('acct');
    const attempt = {
      accountId,
      appId: await writeApp(world, accountId),
      name: newId('firing'),
      kind: 'deck' as const,
      apiKey: '',
      text: null,
    };
    await publishFiring(world, attempt);
    return attempt;
  },
  async end(world, _, attempt) {
    // The producer's relay does not know whether its publish arrived, so it repeats it.
    await publishFiring(world, attempt);
    const until = Date.now() + settleMs;
    for (;;) {
      const id = await findFiredId(world, attempt, true);
      if (id !== null) return id;
      if (Date.now() > until)
        throw new Error(`the firing has no ready content: ${await describeFired(world, attempt)}`);
      await wait(20);
    }
  },
  findFixedId: (world, attempt) => findFiredId(world, attempt, false),
};

async function findFiredId(world: World, attempt: Attempt, isReady: boolean): Promise<string | null> {
  const { rows } = await world.admin.query<{ id: string }>(
    `select id from content.contents where origin_firing_id = $1 and (status = 'ready' or not $2)`,
    [attempt.name, isReady],
  );
  return rows[0]?.id ?? null;
}

async function describeFired(world: World, attempt: Attempt): Promise<string> {
  const { rows } = await world.admin.query<{ told: string }>(
    `select concat_ws(' ', status, error_code, error_message) as told from content.contents where origin_firing_id = $1`,
    [attempt.name],
  );
  return rows[0]?.told ?? 'not queued';
}

async function publishFiring(world: World, { accountId, appId, name }: Attempt): Promise<void> {
  const automationId = `automation_${name}`;
  const { type, version, topic } = automationFired;
  const slot = new Date().toISOString();
  const data = { automationId, firingId: name, appId, brief: briefs.deck, approvalMode: 'auto', slot };
  const event = {
    ...{ type, version, topic, accountId, data },
    // The same event each time.
    id: `event_${name}`,
    subject: automationId,
    sequence: 1,
    requestId: `req_${name}`,
    time: slot,
    source: '/services/automation',
    traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`,
  };
  const log = createLogger({ service: 'crash', level: 'silent' });
  const database = openDatabase({
    url: world.database.roleUrl('bus'),
    connectionsMax: 2,
    name: 'firing',
    log,
  });
  const bus = createPostgresLogBus({ database, log });
  await bus.publish([
    { topic, key: automationId, value: JSON.stringify(data), headers: toHeaders(event as never) },
  ]);
  await bus.close();
  await database.close();
}
