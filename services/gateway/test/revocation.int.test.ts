import { randomInt } from 'node:crypto';
import { testRedisUrl } from '@hookline/infra/test-infra';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOwner, startTestGateway, type TestGateway, type TestOwner } from './world.ts';

const redisUrl = await testRedisUrl();
const keys = 12;
const usersPerKey = 8;

describe.skipIf(redisUrl === null)('keys that are revoked while three gateways serve them', () => {
  let content: TestOwner;
  const gateways: TestGateway[] = [];
  beforeAll(async () => {
    content = await startOwner('content');
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
    await content?.close();
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

  it('a key keeps no scope, at any of them, that its creator’s role has lost', async () => {
    const [first, ...others] = gateways as [TestGateway, ...TestGateway[]];
    const [owner, member] = [await first.signUp(), await first.signUp()];
    const sessionOf = async (token: string) =>
      (await first.call('GET', '/api/v1/auth/session', { token })).body.data;
    const { workspaceId } = await sessionOf(owner.token);
    const { user } = await sessionOf(member.token);
    const admin = new pg.Client({ connectionString: first.database.url });
    await admin.connect();
    await admin.query(
      `insert into gateway.members (account_id, user_id, role, created_at, updated_at)
         values ($1, $2, 'editor', now(), now())`,
      [workspaceId.replace('workspace_', 'acct_'), user.id],
    );
    await admin.end();
    const { token } = member;
    await first.call('POST', `/api/v1/auth/workspaces/${workspaceId}/enter`, { token });
    const { id, key } = await first.mint(token, ['content:read', 'content:write']);
    const writeAt = async (gateway: TestGateway) =>
      (await gateway.call('PATCH', '/api/v1/content/x', { token: key, body: {} })).status;
    const path = `/api/v1/workspace/members/${user.id}`;
    for (const [role, expected] of [
      ['viewer', 403],
      ['editor', 200],
      ['viewer', 403],
    ] as const) {
      for (const gateway of gateways) await writeAt(gateway);
      await first.call('PATCH', path, { token: owner.token, body: { role } });
      for (const gateway of others) expect([role, await writeAt(gateway)]).toEqual([role, expected]);
    }
    const removed = await first.call('DELETE', path, { token: owner.token });
    expect(removed.body.data.revokedKeyIds).toEqual([id]);
    for (const gateway of others) expect(await writeAt(gateway)).toBe(401);
  });
});
