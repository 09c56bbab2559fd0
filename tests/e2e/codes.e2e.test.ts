/**
 * Every code of API-7, and the two that the additions introduce, provoked through the gateway by its real
 * cause: a platform that refuses, a missing file, a locked row, a database that rejects its user.
 */

import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ErrorCode, errorCatalogue } from '@hookline/shared/contracts';
import type { Scope } from '@hookline/shared/contracts/scopes';
import { openTestDatabase } from '@hookline/testing/database';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { controlHeaders } from '@hookline/testing/simulator-controls';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Answer,
  approvedDeck,
  type Content,
  connectCreator,
  type Prepared,
  prepareAccount,
  putFaults,
  type Schedule,
  signUp,
} from '../lab/kit/clients/api.ts';
import { startStandalone } from '../lab/kit/product/standalone.ts';

/** Codes without a case, each with the reason. The last test fails for a code in neither list. */
const notProvoked: Partial<Record<ErrorCode, string>> = {
  internal_error: 'an unhandled error is a defect: no request is known that causes one',
  outcome_unknown: 'the answer must be lost inside the product: tests/repeats loses it for every POST',
};

const contentPerKey = 30;
const product = perSuite(() =>
  startStandalone({ SIGNUP_CREDITS: '12', LIMIT_CONTENT_PER_KEY: String(contentPerKey) }),
);
let main: Prepared;
const database = perSuite(() => openTestDatabase(product.databaseUrl, 2));

beforeAll(async () => {
  main = await prepareAccount(product.baseUrl, 'studio.nord');
});

const ask = (method: string, path: string, body?: unknown, token = main.key): Promise<Answer<unknown>> =>
  main.api(method, path, { token, ...(body === undefined ? {} : { body }) });

async function mint(scopes: readonly Scope[], expiresAt?: string): Promise<{ id: string; key: string }> {
  const body = { name: 'codes', scopes, ...(expiresAt ? { expiresAt } : {}) };
  const minted = await main.api<{ id: string; key: string }>('POST', '/keys', { token: main.session, body });
  expect(minted.status).toBe(201);
  return minted.data;
}

async function generate(body: Record<string, unknown>, client: Prepared = main): Promise<Answer<Content>> {
  return await client.api<Content>('POST', '/content', {
    token: client.key,
    headers: { 'idempotency-key': randomBytes(8).toString('hex') },
    body: { appId: client.appId, type: 'slideshow', ...body },
  });
}

async function plainDeck(): Promise<Content> {
  const { data } = await generate({});
  expect((await ask('POST', `/content/${data.id}/approve`)).status).toBe(200);
  return data;
}

/** One deck shared by every case that only reads it. */
let keptDeck: Promise<Content> | undefined;
function deck(): Promise<Content> {
  keptDeck ??= approvedDeck(main);
  return keptDeck;
}

function schedule(body: Record<string, unknown>): Promise<Answer<Schedule>> {
  return main.api<Schedule>('POST', '/schedules', {
    token: main.key,
    body: { tiktokAccountId: main.accountId, ...body },
  });
}
const later = (): string => new Date(Date.now() + 3_600_000).toISOString();

/** Connects another fake creator to the same user. */
async function connect(creator: string, appId?: string): Promise<string> {
  const change = { privacyLevels: ['SELF_ONLY'] };
  await control('PUT', `/tiktok/accounts/${creator}`, change);
  return await connectCreator(main, creator, appId ? { appId } : {});
}

async function control(method: string, path: string, body: unknown): Promise<void> {
  const response = await fetch(`${product.simulatorsUrl}/_control${path}`, {
    method,
    headers: controlHeaders,
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
}

/** Runs `work` while the platform misbehaves. */
async function withFaults<T>(
  faults: [string, string, string, number?][],
  work: () => Promise<T>,
): Promise<T> {
  await putFaults(
    product.simulatorsUrl,
    faults.map(([platform, operation, kind, delayMs]) => ({
      platform,
      operation,
      kind,
      share: 1,
      ...(delayMs === undefined ? {} : { delayMs }),
    })),
  );
  try {
    return await work();
  } finally {
    await putFaults(product.simulatorsUrl, []);
  }
}

/** Path of the first slide in content's store: named by the digest of its bytes. */
async function fileOf({ images }: Content): Promise<string> {
  const bytes = await (await fetch(images[0]?.url ?? '')).arrayBuffer();
  const digest = createHash('sha256').update(Buffer.from(bytes)).digest('hex');
  return join(product.dataDir, 'images', digest.slice(0, 2), digest);
}

/** Runs `work` while the service's user may not log in; open connections are terminated. */
async function withoutDatabase<T>(role: string, work: () => Promise<T>): Promise<T> {
  await database.query(`alter role ${role} nologin`);
  await database.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [role]);
  try {
    return await work();
  } finally {
    await database.query(`alter role ${role} login`);
  }
}

type Case = [code: ErrorCode, status: number, cause: string, provoke: () => Promise<Answer<unknown>>];

const cases: Case[] = [
  [
    'unauthorized',
    401,
    'a mistyped key',
    async () => ask('GET', '/apps', undefined, `${main.key.slice(0, -1)}_`),
  ],
  [
    'key_revoked',
    401,
    'DELETE /keys/{id}',
    async () => {
      const { id, key } = await mint(['apps:read']);
      expect((await ask('GET', '/apps', undefined, key)).status).toBe(200);
      expect((await ask('DELETE', `/keys/${id}`, undefined, main.session)).status).toBe(200);
      return await ask('GET', '/apps', undefined, key);
    },
  ],
  [
    'key_expired',
    401,
    'the time',
    async () => {
      const { key } = await mint(['apps:read'], new Date(Date.now() + 1_500).toISOString());
      expect((await ask('GET', '/apps', undefined, key)).status).toBe(200);
      return await eventually(async () => {
        const answer = await ask('GET', '/apps', undefined, key);
        expect(answer.status).toBe(401);
        return answer;
      }, 5_000);
    },
  ],
  [
    'missing_scope',
    403,
    'a key for something else',
    async () => ask('GET', '/credits', undefined, (await mint(['apps:read'])).key),
  ],
  ['not_found', 404, 'an unknown id', () => ask('GET', '/content/content_nope')],
  ['invalid_request', 400, 'a body without its fields', () => ask('POST', '/apps', {})],
  [
    'idempotency_key_reused',
    400,
    'the same key with another body',
    async () => {
      const send = (name: string) =>
        main.api('POST', '/keys', {
          token: main.session,
          headers: { 'idempotency-key': 'codes-reused' },
          body: { name, scopes: ['apps:read'] },
        });
      expect((await send('one')).status).toBe(201);
      return await send('two');
    },
  ],
  [
    'missing_idempotency_key',
    400,
    'no header',
    () => ask('POST', '/content', { appId: main.appId, type: 'slideshow' }),
  ],
  [
    'not_approved',
    409,
    'scheduling what nobody approved',
    async () => schedule({ contentId: (await generate({})).data.id, scheduledFor: later() }),
  ],
  [
    'not_ready',
    409,
    'approving what could not be generated',
    async () => {
      const made = await generate({ type: 'hook_video' });
      expect([made.status, made.data.status]).toEqual([201, 'failed']);
      return await ask('POST', `/content/${made.data.id}/approve`);
    },
  ],
  [
    'no_images',
    409,
    'scheduling a plain slideshow',
    async () => schedule({ contentId: (await plainDeck()).id, scheduledFor: later() }),
  ],
  [
    'not_postable',
    409,
    'retrying a final failure',
    async () => {
      const account = await connect('codes.banned');
      const { id } = await approvedDeck(main);
      await withFaults([['tiktok', 'content_init', 'spam_risk_user_banned_from_posting']], () =>
        schedule({ contentId: id, tiktokAccountId: account }),
      );
      const failed = await main.api<Schedule[]>('GET', `/schedules?contentId=${id}`, { token: main.key });
      expect(failed.data[0]?.status).toBe('failed');
      return await ask('POST', `/schedules/${failed.data[0]?.id}/retry`);
    },
  ],
  [
    'slide_missing',
    409,
    'a file that is gone',
    async () => {
      const made = await approvedDeck(main);
      rmSync(await fileOf(made));
      return await schedule({ contentId: made.id, scheduledFor: later() });
    },
  ],
  [
    'unsupported_image_format',
    409,
    'a file that is a PNG',
    async () => {
      const made = await approvedDeck(main);
      writeFileSync(await fileOf(made), Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
      return await schedule({ contentId: made.id, scheduledFor: later() });
    },
  ],
  [
    'image_too_large',
    409,
    'a file of 20 MB and a byte',
    async () => {
      const made = await approvedDeck(main);
      const file = await fileOf(made);
      const bytes = readFileSync(file);
      writeFileSync(file, Buffer.concat([bytes, Buffer.alloc(20_000_001 - bytes.length)]));
      return await schedule({ contentId: made.id, scheduledFor: later() });
    },
  ],
  [
    'too_many_slides',
    409,
    'an edit to 38 slides',
    async () => {
      const made = await approvedDeck(main);
      const bodySlides = Array.from({ length: 36 }, (_, index) => ({ text: `Slide ${index + 2}` }));
      expect((await ask('PATCH', `/content/${made.id}`, { bodySlides })).status).toBe(200);
      expect((await ask('POST', `/content/${made.id}/approve`)).status).toBe(200);
      return await schedule({ contentId: made.id, scheduledFor: later() });
    },
  ],
  [
    'account_not_found',
    404,
    'an account that nobody connected',
    async () =>
      schedule({ contentId: (await deck()).id, tiktokAccountId: 'account_nope', scheduledFor: later() }),
  ],
  [
    'no_free_slot',
    409,
    'an account without slots',
    async () => {
      const tiktokAccountId = await connect('codes.slotless');
      return await schedule({ contentId: (await deck()).id, tiktokAccountId, slot: 'next' });
    },
  ],
  [
    'account_not_connected',
    409,
    'the creator withdrew consent at the platform',
    async () => {
      const account = await connect('codes.withdrawn');
      await control('POST', '/tiktok/accounts/codes.withdrawn/disconnect', { reason: 1 });
      return await eventually(async () => {
        const body = { contentId: (await deck()).id, tiktokAccountId: account, scheduledFor: later() };
        const answer = await main.api('POST', '/schedules?dryRun=true', { token: main.key, body });
        expect(answer.status).toBe(409);
        return answer;
      }, 10_000);
    },
  ],
  [
    'account_needs_reauth',
    409,
    'the platform refused token and refresh',
    async () => {
      const account = await connect('codes.reauth');
      const refused: [string, string, string][] = [
        ['tiktok', 'content_init', 'access_token_invalid'],
        ['tiktok', 'oauth_token', 'invalid_grant'],
      ];
      return await withFaults(refused, async () =>
        schedule({ contentId: (await deck()).id, tiktokAccountId: account }),
      );
    },
  ],
  [
    'cross_app',
    409,
    'an account that is bound to another app',
    async () => {
      const other = await main.api<{ id: string }>('POST', '/apps', {
        token: main.key,
        body: { name: 'Second', appStoreUrl: 'https://apps.apple.com/us/app/pebblo/id9990000011' },
      });
      const account = await connect('codes.other', other.data.id);
      return await schedule({
        contentId: (await deck()).id,
        tiktokAccountId: account,
        scheduledFor: later(),
      });
    },
  ],
  [
    'already_scheduled',
    409,
    'the same order twice',
    async () => {
      const order = { contentId: (await approvedDeck(main)).id, scheduledFor: later() };
      expect((await schedule(order)).status).toBe(201);
      return await schedule(order);
    },
  ],
  [
    'already_sending',
    409,
    'withdrawing what the platform works on',
    async () => {
      const account = await connect('codes.sending');
      const { id } = await approvedDeck(main);
      return await withFaults([['tiktok', 'publish', 'slow_processing', 5_000]], async () => {
        const made = await schedule({
          contentId: id,
          tiktokAccountId: account,
          scheduledFor: new Date().toISOString(),
        });
        await eventually(async () => {
          const row = await main.api<Schedule>('GET', `/schedules/${made.data.id}`, { token: main.key });
          expect(row.data.status).toBe('sending');
        }, 10_000);
        return await ask('DELETE', `/schedules/${made.data.id}`);
      });
    },
  ],
  [
    'already_sent',
    409,
    'withdrawing what the platform has',
    async () => {
      const firstRun = JSON.parse(readFileSync(join(product.dataDir, 'first-run.json'), 'utf8')) as {
        apiKey: string;
        scheduleId: string;
      };
      return await ask('DELETE', `/schedules/${firstRun.scheduleId}`, undefined, firstRun.apiKey);
    },
  ],
  [
    'missing_privacy_level',
    400,
    'publishing without one',
    async () => schedule({ contentId: (await deck()).id, mode: 'publish', scheduledFor: later() }),
  ],
  [
    'invalid_privacy_level',
    400,
    'one that the creator does not offer',
    async () => {
      const account = await connect('codes.private');
      return await schedule({
        contentId: (await deck()).id,
        tiktokAccountId: account,
        mode: 'publish',
        privacyLevel: 'PUBLIC_TO_EVERYONE',
        scheduledFor: later(),
      });
    },
  ],
  [
    'insufficient_credits',
    402,
    'spending them',
    async () => {
      const poor = { ...main, ...(await signUp(product.baseUrl)) };
      const app = await poor.api<{ id: string }>('POST', '/apps', {
        token: poor.key,
        body: { name: 'Poor', appStoreUrl: 'https://apps.apple.com/us/app/pebblo/id9990000011' },
      });
      poor.appId = app.data.id;
      for (let spent = 0; spent < 12; spent += 1) expect((await generate({}, poor)).status).toBe(201);
      const answer = await generate({}, poor);
      expect(JSON.parse(answer.text).error.insufficient).toBe(true);
      return answer;
    },
  ],
  [
    'rate_limited',
    429,
    'one request more than the key has in a minute',
    async () => {
      const { key } = await mint(['content:write']);
      const send = () =>
        main.api('POST', '/content', { token: key, headers: { 'idempotency-key': 'x' }, body: {} });
      for (let sent = 0; sent < contentPerKey; sent += 1) expect((await send()).status).toBe(400);
      const answer = await send();
      const seconds = Number(answer.headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(0);
      expect(answer.error?.message).toBe(`Too many requests. Retry after ${seconds}s.`);
      return answer;
    },
  ],
  [
    'tiktok_create_failed',
    409,
    'the platform refuses the draft',
    async () => {
      const account = await connect('codes.refused');
      return await withFaults([['tiktok', 'content_init', 'app_version_check_failed']], async () =>
        schedule({ contentId: (await deck()).id, tiktokAccountId: account }),
      );
    },
  ],
  [
    'tiktok_create_failed',
    502,
    'the platform cannot be reached',
    async () => {
      // Set before the account is connected, or scheduling would learn the creator's options first.
      return await withFaults([['tiktok', 'creator_info', 'connection_dropped']], async () =>
        schedule({
          contentId: (await deck()).id,
          tiktokAccountId: await connect('codes.unreached'),
          mode: 'publish',
          privacyLevel: 'SELF_ONLY',
          scheduledFor: later(),
        }),
      );
    },
  ],
  [
    'tiktok_publish_failed',
    502,
    'the platform rejects the post',
    async () => {
      const account = await connect('codes.rejected');
      return await withFaults([['tiktok', 'content_init', 'spam_risk_user_banned_from_posting']], async () =>
        schedule({
          contentId: (await deck()).id,
          tiktokAccountId: account,
          mode: 'publish',
          privacyLevel: 'SELF_ONLY',
        }),
      );
    },
  ],
  [
    'queue_unavailable',
    502,
    'the row is held for longer than 5 s',
    async () => {
      const account = await connect('codes.locked');
      const made = await schedule({
        contentId: (await deck()).id,
        tiktokAccountId: account,
        scheduledFor: later(),
      });
      expect(made.status).toBe(201);
      const answer = await database.transaction(async tx => {
        await tx.query('select 1 from scheduling.schedules where id = $1 for update', [made.data.id]);
        return await ask('DELETE', `/schedules/${made.data.id}`);
      });
      const kept = await main.api<Schedule>('GET', `/schedules/${made.data.id}`, { token: main.key });
      expect(kept.data.status).toBe('pending');
      return answer;
    },
  ],
  [
    'store_unavailable',
    502,
    'the app store is down',
    () =>
      withFaults([['appstore', 'lookup', 'down']], () =>
        ask('POST', '/apps', {
          name: 'Unread',
          appStoreUrl: 'https://apps.apple.com/us/app/pebblo/id9990000011',
        }),
      ),
  ],
  ['not_implemented', 501, 'remix', async () => ask('POST', `/content/${(await deck()).id}/remix`)],
  [
    'db_error',
    502,
    'the database refuses its user',
    () => withoutDatabase('content', () => ask('GET', '/content')),
  ],
  [
    'service_unavailable',
    503,
    'the gateway has no database',
    () =>
      withoutDatabase('gateway', async () => {
        const response = await fetch(`${product.gatewayUrl}/readyz`);
        const text = await response.text();
        const { error } = JSON.parse(text);
        return { status: response.status, headers: response.headers, text, data: null, error };
      }),
  ],
];

describe('every code is provoked from its real cause', () => {
  it.each(cases)('%s (%i): %s', async (code, status, _cause, provoke) => {
    const answer = await provoke();
    expect([answer.status, answer.error?.code, answer.text]).toEqual([status, code, answer.text]);
    expect(answer.error?.message.length).toBeGreaterThan(5);
    expect(answer.error?.requestId).toMatch(/^req_/);
    expect(answer.headers.get('x-request-id')).toBe(answer.error?.requestId);
    expect(answer.text).not.toMatch(/\bat \/|node_modules|select |\.ts:/);
    if (status === 503) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('after all of it the product serves on', async () => {
    expect((await eventually(() => ask('GET', '/content'), 10_000)).status).toBe(200);
    expect((await fetch(`${product.gatewayUrl}/readyz`)).status).toBe(200);
  });
});

describe('the list of cases and the catalogue', () => {
  const provoked = new Set<string>(cases.map(([code]) => code));

  it('name the same codes, but for those marked with a reason', () => {
    expect([...provoked, ...Object.keys(notProvoked)].sort()).toEqual(Object.keys(errorCatalogue).sort());
  });

  it('name the same statuses, for codes with several', () => {
    const catalogued = Object.entries(errorCatalogue)
      .filter(([code]) => provoked.has(code))
      .flatMap(([code, entry]) =>
        [entry.status, 'otherStatus' in entry ? entry.otherStatus : null]
          .filter(status => status !== null)
          .map(status => `${code} ${status}`),
      );
    expect(cases.map(([code, status]) => `${code} ${status}`).sort()).toEqual(catalogued.sort());
  });
});
