import { testRedisUrl } from '@hookline/infra/test-infra';
import { perSuite } from '@hookline/testing/per-suite';
import { describe, expect, it } from 'vitest';
import { startOwner, startTestGateway } from '../../services/gateway/test/world.ts';
import { runOps } from './commands.ts';

const redisUrl = await testRedisUrl();

describe.skipIf(redisUrl === null)('npm run ops -- revoke-key', () => {
  const content = perSuite(() => startOwner('content'));
  const gateway = perSuite(() =>
    startTestGateway({ content: content.url }, { env: { REDIS_URL: redisUrl! } }),
  );
  let lines: string[] = [];

  const revoke = (id: string, env: Record<string, string> = { REDIS_URL: redisUrl! }): Promise<boolean> => {
    lines = [];
    return runOps(['revoke-key', id], { DATABASE_URL: gateway.database.url, ...env }, line =>
      lines.push(line),
    );
  };

  it('ends a key that a gateway has cached, at once and permanently', async () => {
    const { token } = await gateway.signUp();
    const { id, key } = await gateway.mint(token, ['apps:read']);
    const other = await gateway.mint(token, ['apps:read']);
    const use = async (one: string) => await gateway.call('GET', '/api/v1/apps', { token: one });
    expect((await use(key)).status).toBe(200);
    expect(await revoke(id)).toBe(true);
    expect((await use(key)).body.error.code).toBe('key_revoked');
    expect((await use(other.key)).status).toBe(200);
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`^${id} \\(svc_live_.+ "test" of acct_.+\\) is revoked since `)),
    ]);
    expect(lines.join()).not.toContain(key);
    const { body } = await gateway.call('GET', '/api/v1/keys', { token });
    const revokedAt = body.data.find((one: { id: string }) => one.id === id).revokedAt;
    expect(lines[0]).toContain(revokedAt);
    expect(await revoke(id)).toBe(true);
    expect(lines[0]).toContain(revokedAt);
  });

  it('says that there is no such key, and what it needs', async () => {
    expect(await revoke('key_00000000000000000000000000')).toBe(false);
    expect(lines).toEqual(['There is no key key_00000000000000000000000000.']);
    const { token } = await gateway.signUp();
    const { id } = await gateway.mint(token, ['apps:read']);
    await expect(revoke(id, {})).rejects.toThrow(/^REDIS_URL must be set: /);
  });
});
