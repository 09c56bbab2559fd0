import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { testRedisUrl } from '@hookline/infra/test-infra';
import { type Sql, toSql } from '@hookline/shared/postgres';
import { openTestDatabase } from '@hookline/testing/database';
import { perSuite } from '@hookline/testing/per-suite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leaseMs } from '../src/edge/limits/admission.ts';
import { createRedisAdmissions } from '../src/edge/limits/redis.ts';
import { openRedisLink, type RedisLink } from '../src/edge/limits/redis-link.ts';
import { renewKeys } from '../src/identity/keys/renew.ts';
import { silent, startOwner, startTestGateway, type TestGateway, testKey, testRecords } from './world.ts';

const redisUrl = await testRedisUrl();
const keys = 12;
const usersPerKey = 8;

describe.skipIf(redisUrl === null)('keys that are revoked while three gateways serve them', () => {
  const content = perSuite(() => startOwner('content'));
  const gateways: TestGateway[] = [];

  beforeAll(async () => {
    const env = { REDIS_URL: redisUrl!, GATEWAY_REPLICAS: '3', LIMIT_PER_KEY: '100000' };
    for (let index = 0; index < 3; index += 1) {
      const database = gateways[0]?.database;
      const shared = database ? { env, database } : { env };
      gateways.push(await startTestGateway({ content: content.url }, shared));
    }
  });
  afterAll(async () => {
    // The first gateway owns the database, so it stops last.
    for (const gateway of gateways.reverse()) await gateway.stop();
  });

  it('no request that is sent after the answer of DELETE passes anywhere', async () => {
    const any = (): TestGateway => gateways[randomInt(3)]!;
    const { token } = await any().signUp();
    let usedBefore = 0;
    let sentAfter = 0;
    const wrong: unknown[] = [];

    async function useAndRevoke(): Promise<void> {
      const { id, key } = await any().mint(token, ['apps:read']);
      let isRevoked = false;
      let lastTries = 12;
      const use = async (): Promise<void> => {
        while (lastTries > 0) {
          const wasRevoked = isRevoked;
          if (wasRevoked) lastTries -= 1;
          const { status, body } = await any().call('GET', '/api/v1/apps', { token: key });
          if (!wasRevoked) usedBefore += status === 200 ? 1 : 0;
          else {
            sentAfter += 1;
            if (body.error?.code !== 'key_revoked') wrong.push({ status, body });
          }
        }
      };
      const using = Array.from({ length: usersPerKey }, use);
      const answer = await any().call('DELETE', `/api/v1/keys/${id}`, { token });
      isRevoked = true;
      if (answer.status !== 200) wrong.push(answer.text);
      await Promise.all(using);
    }

    for (let turn = 0; turn < keys / 4; turn += 1) await Promise.all(Array.from({ length: 4 }, useAndRevoke));
    expect(wrong).toEqual([]);
    expect(sentAfter).toBeGreaterThanOrEqual(keys * 12);
    expect(usedBefore).toBeGreaterThan(0);
  });

  async function editorWithKey() {
    const first = gateways[0]!;
    const [owner, { token }] = [await first.signUp(), await first.signUp()];
    const sessionOf = async (session: string) =>
      (await first.call('GET', '/api/v1/auth/session', { token: session })).body.data;
    const { workspaceId } = await sessionOf(owner.token);
    const { user } = await sessionOf(token);
    const accountId: string = workspaceId.replace('workspace_', 'acct_');
    await first.admin.query(
      `insert into gateway.members (account_id, user_id, role, created_at, updated_at)
         values ($1, $2, 'editor', now(), now())`,
      [accountId, user.id],
    );
    await first.call('POST', `/api/v1/auth/workspaces/${workspaceId}/enter`, { token });
    const { id, key } = await first.mint(token, ['content:read', 'content:write']);
    const member = `/api/v1/workspace/members/${user.id}`;
    return {
      ...{ id, key, member, accountId, owner: owner.token },
      setRole: (role: string) => first.call('PATCH', member, { token: owner.token, body: { role } }),
      writeAt: async (gateway: TestGateway) =>
        (await gateway.call('PATCH', '/api/v1/content/x', { token: key, body: {} })).status,
    };
  }

  it('a key keeps no scope, at any of them, that its creator’s role has lost', async () => {
    const [first, ...others] = gateways as [TestGateway, ...TestGateway[]];
    const { id, member, owner, setRole, writeAt } = await editorWithKey();
    for (const [role, expected] of [
      ['viewer', 403],
      ['editor', 200],
      ['viewer', 403],
    ] as const) {
      for (const gateway of gateways) await writeAt(gateway);
      await setRole(role);
      for (const gateway of others) expect([role, await writeAt(gateway)]).toEqual([role, expected]);
    }
    const removed = await first.call('DELETE', member, { token: owner });
    expect(removed.body.data.revokedKeyIds).toEqual([id]);
    for (const gateway of others) expect(await writeAt(gateway)).toBe(401);
  });

  const admissionsAt = (link: RedisLink) =>
    createRedisAdmissions({
      ...{ link, replicas: 3, loadKey: async () => null, records: testRecords(), nowMs: Date.now },
      limits: { perIp: 300, perKey: 120, contentPerKey: 10 },
    });

  it('not by an older copy that reached Redis late, when the new one is older than a lease', async () => {
    const link = await openRedisLink(redisUrl!, silent);
    const admissions = admissionsAt(link);
    const keyHash = `late-${randomInt(1e9)}`;
    const older = testRecords().write(keyHash, testKey({ role: 'editor' }), leaseMs);
    await link.setIfAbsent(`hookline:key:${keyHash}`, older, 700);
    expect(await admissions.find(keyHash)).toMatchObject({ role: 'editor' });
    await admissions.replace(keyHash, testKey({ role: 'viewer' }), leaseMs);
    expect(await admissions.find(keyHash)).toBeNull();
    await admissions.close();
  });

  it.each([200, 5_500])('not from a gateway that stood still for %i ms after it read the key', async ms => {
    const { accountId, setRole, writeAt } = await editorWithKey();
    const url = gateways[0]!.database.roleUrl('gateway');
    const db = openTestDatabase(url, 1);
    const link = await openRedisLink(redisUrl!, silent);
    const admissions = admissionsAt(link);
    let demoted: Promise<unknown> | undefined;
    const standing = toSql(async (...args: Parameters<Sql['query']>) => {
      const rows = await db.query(...args);
      demoted = setRole('viewer');
      await Promise.all([demoted, delay(ms)]);
      return rows as never;
    });
    await renewKeys({ db: standing as typeof db, now: () => new Date(), admissions }, accountId, null);
    expect(demoted).toBeDefined();
    for (const gateway of gateways) expect(await writeAt(gateway)).toBe(403);
    await admissions.close();
    await db.close();
  });
});
