import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RedisProcess, startRedis } from '@hookline/infra/redis';
import { testRedisUrl } from '@hookline/infra/test-infra';
import { openDatabase, toSql } from '@hookline/shared/postgres';
import { openTestDatabase } from '@hookline/testing/database';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashApiKey, makeApiKey } from '../src/identity/keys/api-key.rules.ts';
import { createKeyLoader } from '../src/identity/keys/load.ts';
import { silent, startTestGateway, type TestGateway } from './world.ts';

// If the run has no Redis, none can be started here either.
const isRedisThere = (await testRedisUrl()) !== null;

describe.skipIf(!isRedisThere)('a malformed or mistyped key costs no look-up', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-lookups-'));
  let server: RedisProcess;
  let redis: Redis;
  let gateway: TestGateway;

  beforeAll(async () => {
    // A separate server: the counters of a shared one include other tests.
    server = await startRedis({ workDir: folder });
    redis = new Redis(server.url);
    gateway = await startTestGateway({}, { env: { REDIS_URL: server.url } });
  });
  afterAll(async () => {
    await gateway?.stop();
    redis?.disconnect();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const mistyped = (key: string): string[] => [
    key.slice(0, -1),
    `${key}A`,
    key.toLowerCase(),
    key.replace('svc_live_', 'svc_test_'),
    key.slice(9),
    ...Array.from({ length: 49 }, (_, at) => {
      const place = at + 9;
      return key.slice(0, place) + (key[place] === 'x' ? 'y' : 'x') + key.slice(place + 1);
    }),
  ];

  const ask = async (tokens: readonly string[]): Promise<number[]> => {
    const answers = await Promise.all(tokens.map(token => gateway.call('GET', '/api/v1/apps', { token })));
    return answers.map(({ status }) => status);
  };

  /** Reads of key records are the only GETs of the admission script. */
  const recordReads = async (): Promise<number> =>
    Number(/^cmdstat_get:calls=(\d+)/m.exec(await redis.info('commandstats'))?.[1] ?? 0);

  it('in Redis: 0 for mistyped keys, one for each well-formed one', async () => {
    const before = await recordReads();
    expect(new Set(await ask(mistyped(makeApiKey(randomBytes(32)))))).toEqual(new Set([401]));
    expect(await recordReads()).toBe(before);
    await ask(Array.from({ length: 10 }, () => makeApiKey(randomBytes(32))));
    expect(await recordReads()).toBe(before + 10);
  });

  it('in Postgres: one statement for the keys that are asked for at once', async () => {
    const { token } = await gateway.signUp();
    const minted = await Promise.all([gateway.mint(token), gateway.mint(token)]);
    const url = gateway.database.roleUrl('gateway');
    const db = openTestDatabase(url, 1);
    let statements = 0;
    const load = createKeyLoader(
      toSql((text, values) => {
        statements += 1;
        return db.query(text, values);
      }),
    );
    const unknown = makeApiKey(randomBytes(32));
    const keys = [minted[0]?.key ?? '', unknown, minted[1]?.key ?? '', unknown];
    const found = await Promise.all(keys.map(key => load(hashApiKey(key))));
    expect(found.map(key => key?.keyId ?? null)).toEqual([minted[0]?.id, null, minted[1]?.id, null]);
    expect(statements).toBe(1);
    expect((await load(hashApiKey(keys[0] ?? '')))?.keyId).toBe(minted[0]?.id);
    expect(statements).toBe(2);
    await db.close();
  });

  it('in Postgres: they are refused where the table of keys cannot be read', async () => {
    const admin = { url: gateway.database.url, connectionsMax: 1, name: 'look-ups test', log: silent };
    const db = openDatabase(admin);
    await db.query('alter table gateway.api_keys rename to api_keys_hidden');
    try {
      expect(new Set(await ask(mistyped(makeApiKey(randomBytes(32)))))).toEqual(new Set([401]));
      // A lookup would have failed: a well-formed key needs one.
      expect(await ask([makeApiKey(randomBytes(32))])).toEqual([502]);
    } finally {
      await db.query('alter table gateway.api_keys_hidden rename to api_keys');
      await db.close();
    }
  });
});
