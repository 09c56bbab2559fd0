import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { testRedisUrl } from '@hookline/infra/test-infra';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Admissions, type LimitSizes, leaseMs } from '../src/edge/limits/admission.ts';
import { createMemoryAdmissions } from '../src/edge/limits/memory.ts';
import { createRedisAdmissions } from '../src/edge/limits/redis.ts';
import { openRedisLink } from '../src/edge/limits/redis-link.ts';
import { hashApiKey, makeApiKey } from '../src/identity/keys/api-key.rules.ts';
import type { KeyRecord } from '../src/identity/keys/record.ts';
import {
  randomIp,
  silent,
  startOwner,
  startTestGateway,
  type TestGateway,
  type TestOwner,
  testKey,
  testRecords,
} from './world.ts';

const redisUrl = await testRedisUrl();
const limits: LimitSizes = { perIp: 300, perKey: 120, contentPerKey: 10 };

/** Key rows as Postgres would return them. */
const rows = new Map<string, KeyRecord>();
let reads = 0;
const loadKey = async (hash: string) => {
  reads += 1;
  return rows.get(hash) ?? null;
};

const reading = { loadKey, records: testRecords(), nowMs: Date.now };

function newKey(overrides: Partial<KeyRecord> = {}): string {
  const hash = hashApiKey(makeApiKey(randomBytes(32)));
  rows.set(hash, testKey({ keyId: `key_${hash.slice(0, 8)}`, ...overrides }));
  return hash;
}

const stores = [
  {
    name: 'memory',
    open: async (): Promise<Admissions[]> => [createMemoryAdmissions({ limits, loadKey, nowMs: Date.now })],
  },
  {
    name: 'redis, three gateways',
    open: async (): Promise<Admissions[]> =>
      await Promise.all(
        [1, 2, 3].map(async () =>
          createRedisAdmissions({
            link: await openRedisLink(redisUrl!, silent),
            limits,
            replicas: 3,
            loadKey,
            records: testRecords(),
            nowMs: Date.now,
          }),
        ),
      ),
  },
];

describe.each(stores)('limits in $name', ({ name, open }) => {
  let gateways: Admissions[] = [];
  const skipped = name !== 'memory' && redisUrl === null;
  beforeAll(async () => {
    if (!skipped) gateways = await open();
  });
  afterAll(async () => {
    await Promise.all(gateways.map(gateway => gateway.close()));
  });

  it.skipIf(skipped)('says what counts now, which another request does not change', async () => {
    const request = { ip: randomIp(), keyHash: newKey() };
    const none = { used: 0, resetsInMs: null };
    const read = async () => (await Promise.all(gateways.map(gateway => gateway.usage(request)))).at(-1);
    expect(await read()).toEqual({ perIp: none, perKey: none, contentPerKey: none });
    await gateways[0]?.admit({ ...request, isContent: false });
    await gateways[0]?.admit({ ...request, isContent: true });
    await gateways[0]?.admit({ ...request, keyHash: null, isContent: false });
    const used = await read();
    expect([used?.perIp.used, used?.perKey.used, used?.contentPerKey.used]).toEqual([3, 2, 1]);
    for (const { resetsInMs } of Object.values(used ?? {})) {
      expect(resetsInMs).toBeGreaterThan(50_000);
      expect(resetsInMs).toBeLessThanOrEqual(60_000);
    }
    expect(await read()).toMatchObject({ perIp: { used: 3 } });
  });

  it.skipIf(skipped)('a replaced record gives way to later ones alone, and ends with its lease', async () => {
    const keyHash = newKey();
    const roleAt = async (gateway: Admissions) => (await gateway.find(keyHash))?.role;
    const replace = (role: 'viewer' | 'editor', readAtUs: number, ageMs = 0) =>
      gateways[0]!.replace(keyHash, testKey({ role, readAtUs }), ageMs);
    for (const gateway of gateways) expect(await roleAt(gateway)).toBe('owner');
    await replace('editor', 2);
    await replace('viewer', 1);
    for (const gateway of gateways) expect(await roleAt(gateway)).toBe('editor');
    await replace('viewer', 3);
    for (const gateway of gateways) expect(await roleAt(gateway)).toBe('viewer');
    await replace('editor', 4, leaseMs);
    for (const gateway of gateways) expect(await roleAt(gateway)).not.toBe('editor');
  });

  const many = (
    count: number,
    request: Parameters<Admissions['admit']>[0] | (() => Parameters<Admissions['admit']>[0]),
  ) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        gateways[index % gateways.length]!.admit(typeof request === 'function' ? request() : request),
      ),
    );
  const countOf = (answers: { outcome: string }[], outcome: string) =>
    answers.filter(answer => answer.outcome === outcome).length;

  it.skipIf(skipped)('exactly 300 of 600 at once pass for one address', async () => {
    const answers = await many(600, { ip: randomIp(), keyHash: null, isContent: false });
    expect([countOf(answers, 'admitted'), countOf(answers, 'ip_limited')]).toEqual([300, 300]);
  });

  it.skipIf(skipped)('exactly 120 of 250 at once pass for one key', async () => {
    const keyHash = newKey();
    const answers = await many(250, () => ({ ip: randomIp(), keyHash, isContent: false }));
    expect([countOf(answers, 'admitted'), countOf(answers, 'key_limited')]).toEqual([120, 130]);
  });

  it.skipIf(skipped)('exactly 10 content requests pass, and refused ones cost the key nothing', async () => {
    const keyHash = newKey();
    const content = await many(60, () => ({ ip: randomIp(), keyHash, isContent: true }));
    expect(countOf(content, 'admitted')).toBe(10);
    const others = await many(150, () => ({ ip: randomIp(), keyHash, isContent: false }));
    expect(countOf(others, 'admitted')).toBe(110);
  });

  it.skipIf(skipped)(
    'a refused address costs the key nothing, and a refused key counts for the address',
    async () => {
      const [ip, keyHash] = [randomIp(), newKey()];
      await many(300, { ip, keyHash: null, isContent: false });
      expect(countOf(await many(50, { ip, keyHash, isContent: false }), 'ip_limited')).toBe(50);
      const outcomes = (await many(120, () => ({ ip: randomIp(), keyHash, isContent: false }))).map(
        answer => answer.outcome,
      );
      expect(outcomes.filter(outcome => outcome !== 'admitted')).toEqual([]);
      const other = randomIp();
      expect(countOf(await many(300, { ip: other, keyHash, isContent: false }), 'key_limited')).toBe(300);
      expect((await many(1, { ip: other, keyHash: null, isContent: false }))[0]?.outcome).toBe('ip_limited');
    },
  );

  it.skipIf(skipped)(
    'a revoked key passes nowhere after the answer, whoever reads its row late',
    async () => {
      const keyHash = newKey();
      const request = () => ({ ip: randomIp(), keyHash, isContent: false });
      expect(countOf(await many(6, request), 'admitted')).toBe(6);
      const record = rows.get(keyHash)!;
      rows.set(keyHash, { ...record, isRevoked: true });
      await gateways[0]!.revoke(keyHash);
      expect(countOf(await many(30, request), 'revoked')).toBe(30);
      // A reader that still has the old row must not restore it.
      rows.set(keyHash, record);
      expect(countOf(await many(30, request), 'revoked')).toBe(30);
    },
  );

  it.skipIf(skipped)('an expired and an unknown key are distinguished, and neither is admitted', async () => {
    const expired = newKey({ expiresAtMs: Date.now() - 1 });
    const unknown = hashApiKey(makeApiKey(randomBytes(32)));
    expect((await many(1, { ip: randomIp(), keyHash: expired, isContent: false }))[0]?.outcome).toBe(
      'expired',
    );
    expect((await many(1, { ip: randomIp(), keyHash: unknown, isContent: false }))[0]?.outcome).toBe(
      'unknown_key',
    );
  });

  it.skipIf(skipped)('reads a row once for many requests', async () => {
    const keyHash = newKey();
    await many(1, { ip: randomIp(), keyHash, isContent: false });
    reads = 0;
    await many(90, () => ({ ip: randomIp(), keyHash, isContent: false }));
    expect(reads).toBe(0);
  });
});

describe.each(stores)('a key that is looked at again, with $name', ({ name, open }) => {
  it.skipIf(name !== 'memory' && redisUrl === null)(
    'is read from Postgres once, and revoked at once',
    async () => {
      const gateways = await open();
      const [first, last] = [gateways[0]!, gateways.at(-1)!];
      const again = async (keyHash: string) =>
        await Promise.all(gateways.map(gateway => gateway.find(keyHash)));
      const admitted = newKey();
      await first.admit({ ip: randomIp(), keyHash: admitted, isContent: false });
      reads = 0;
      expect(await again(admitted)).toEqual(gateways.map(() => rows.get(admitted)));
      expect(reads).toBe(0);
      // Nobody holds its record: the first look stores it.
      const waited = newKey();
      expect(await first.find(waited)).toEqual(rows.get(waited));
      expect(await again(waited)).toEqual(gateways.map(() => rows.get(waited)));
      expect(reads).toBe(1);
      await last.revoke(waited);
      expect((await again(waited)).map(key => key?.isRevoked)).toEqual(gateways.map(() => true));
      expect(reads).toBe(1);
      expect(await again(hashApiKey(makeApiKey(randomBytes(32))))).toEqual(gateways.map(() => null));
      await Promise.all(gateways.map(gateway => gateway.close()));
    },
  );
});

describe.skipIf(redisUrl === null)('windows in Redis', () => {
  let redis: Redis;
  beforeAll(() => {
    redis = new Redis(redisUrl!);
  });
  afterAll(() => redis.disconnect());

  it('a record that no gateway wrote opens nothing, and hides no revocation', async () => {
    const link = await openRedisLink(redisUrl!, silent);
    const gateway = createRedisAdmissions({ link, limits, replicas: 1, ...reading });
    const admit = (keyHash: string) => gateway.admit({ ip: randomIp(), keyHash, isContent: false });
    const forge = async (keyHash: string, text: string) => {
      await redis.set(`hookline:key:${keyHash}`, text);
      reads = 0;
    };
    const powerful = testKey({
      keyId: 'key_forged',
      accountId: 'acct_victim',
      scopes: ['content:approve', 'schedules:publish'],
    });
    const unsigned = `0 0 ${JSON.stringify(powerful)}`;
    const unknown = hashApiKey(makeApiKey(randomBytes(32)));
    await forge(unknown, unsigned);
    expect([await admit(unknown), reads]).toEqual([{ outcome: 'unknown_key' }, 1]);
    expect(await gateway.find(unknown)).toBeNull();

    const [mine, theirs] = [newKey(), newKey({ accountId: 'acct_2', scopes: ['content:approve'] })];
    await forge(mine, unsigned);
    expect(await admit(mine)).toEqual({ outcome: 'admitted', key: rows.get(mine) });
    expect((await admit(theirs)).outcome).toBe('admitted');
    await forge(mine, (await redis.get(`hookline:key:${theirs}`)) ?? '');
    expect(await admit(mine)).toEqual({ outcome: 'admitted', key: rows.get(mine) });

    const revoked = newKey();
    rows.set(revoked, { ...rows.get(revoked)!, isRevoked: true });
    await gateway.revoke(revoked);
    expect(await admit(revoked)).toEqual({ outcome: 'revoked' });
    await forge(revoked, unsigned);
    expect(await admit(revoked)).toEqual({ outcome: 'revoked' });
    await gateway.close();
  });

  it('a gateway that stands still reads its answer afterwards, and does not think Redis gone', async () => {
    const link = await openRedisLink(redisUrl!, silent);
    const gateway = createRedisAdmissions({ link, limits, replicas: 1, ...reading });
    const asked = gateway.admit({ ip: randomIp(), keyHash: null, isContent: false });
    // Let the call leave, then block the only thread for longer than the Redis timeout.
    await delay(5);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 900);
    expect(await asked).toMatchObject({ outcome: 'admitted' });
    expect(link.isUp).toBe(true);
    await gateway.close();
  });
});

describe.skipIf(redisUrl === null)('a gateway whose Redis is away', () => {
  let gateway: TestGateway;
  let content: TestOwner;
  beforeAll(async () => {
    content = await startOwner('content');
    // Nothing listens there.
    gateway = await startTestGateway(
      { content: content.url },
      { env: { REDIS_URL: 'redis://127.0.0.1:2', GATEWAY_REPLICAS: '3' } },
    );
  });
  afterAll(async () => {
    await gateway?.stop();
    await content?.close();
  });

  it('serves with a third of the limits', async () => {
    const session = (await gateway.signUp()).token;
    const { key } = await gateway.mint(session, ['apps:read']);
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => gateway.call('GET', '/api/v1/apps', { token: key })),
    );
    expect(answers.filter(answer => answer.status === 200)).toHaveLength(40);
    expect(answers.find(answer => answer.status === 429)?.body.error.message).toMatch(
      /^Too many requests\. Retry after \d+s\.$/,
    );
  });

  it('takes a third of the OAuth clients that an address may register', async () => {
    const ip = randomIp();
    const body = { redirect_uris: ['https://client.example/callback'] };
    const register = () => gateway.call('POST', '/oauth/register', { ip, body });
    const answers = await Promise.all(Array.from({ length: 21 }, register));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
  });
});

describe('429 at the gateway', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    const env = { LIMIT_PER_IP: '60', ...(redisUrl === null ? {} : { REDIS_URL: redisUrl }) };
    gateway = await startTestGateway({}, { env });
  });
  afterAll(() => gateway?.stop());

  it('counts every request of an address before its key is looked at, unknown paths included', async () => {
    const ip = randomIp();
    const kinds = [
      () => gateway.call('GET', '/api/v1/apps', { ip, token: 'nonsense' }),
      () => gateway.call('GET', '/api/v1/nothing', { ip }),
      () => gateway.call('PUT', '/api/v1/apps', { ip }),
      () => gateway.call('GET', '/api/v1/apps/%zz', { ip }),
      () => gateway.call('GET', '/api/v1/keys', { ip }),
      () => gateway.call('GET', '/api/v1/openapi.json', { ip }),
    ];
    const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => kinds[index % 6]!()));
    expect(answers.filter(answer => answer.status === 429)).toEqual([]);
    for (const send of kinds) {
      const answer = await send();
      const seconds = Number(answer.headers.get('retry-after'));
      expect([answer.status, answer.body.error.code]).toEqual([429, 'rate_limited']);
      expect(answer.body.error.message).toBe(`Too many requests. Retry after ${seconds}s.`);
      expect([...answer.headers.keys()].filter(header => header.includes('ratelimit'))).toEqual([]);
    }
    expect((await gateway.call('GET', '/livez', { ip })).status).toBe(200);
  });

  it('counts a request once on the route that may do without a session', async () => {
    const ip = randomIp();
    const accept = async () =>
      (await gateway.call('POST', '/api/v1/auth/invitations/accept', { ip, body: {} })).status;
    expect(new Set(await Promise.all(Array.from({ length: 60 }, accept)))).toEqual(new Set([400]));
    expect(await accept()).toBe(429);
  });
});

describe('sign-ups', () => {
  it('429 for the 21st of an hour from an address or its /64, without looking at it; others and loopback go on', async () => {
    const gateway = await startTestGateway({});
    try {
      const signUp = async (ip: string) =>
        await gateway.call('POST', '/api/v1/auth/sign-up', { ip, body: { email: 'nobody' } });
      const statusesOf = async (count: number, ipOf: (at: number) => string) =>
        await Promise.all(Array.from({ length: count }, async (_, at) => (await signUp(ipOf(at))).status));
      const first = await statusesOf(20, at => `2001:db8:0:7::${at + 1}`);
      expect(new Set(first)).toEqual(new Set([400]));
      const refused = await signUp('2001:db8:0:7::ffff');
      expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited']);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_500);
      expect((await signUp('2001:db8:0:8::1')).status).toBe(400);
      expect(new Set(await statusesOf(21, () => '127.0.0.1'))).toEqual(new Set([400]));
    } finally {
      await gateway.stop();
    }
  });
});
