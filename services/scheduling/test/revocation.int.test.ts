/** A revocation ends the creator's consent for every workspace, also for one that connects at that moment. */

import type { Caller } from '@hookline/shared/http';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { testCaller } from '@hookline/testing/service-harness';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { getAccessToken } from '../src/accounts/tokens.ts';
import type { SchedulingDeps } from '../src/deps.ts';
import { consentAs, depsOf, type Json, startWorld } from './world.ts';

const world = perSuite(() => startWorld({ role: 'api', withoutWebhooks: true }));
let deps: SchedulingDeps;
beforeAll(async () => {
  // The platform's event of an ended consent would hide dead tokens.
  deps = depsOf(world);
});
afterEach(() => world.setFaults());
afterAll(async () => {
  await deps.carriers.tiktok.close();
});

/** The creator consents for a workspace. `finish` completes the connection. */
async function consent(username: string, granted?: string) {
  const caller = testCaller();
  const begun = await world.call(caller, 'POST', '/v1/accounts/tiktok/connect', {});
  const { search } = await consentAs(begun.body.data.authorizeUrl, username, granted);
  const path = `/v1/accounts/tiktok/callback${search}`;
  const returned = await world.service.call('GET', path, { headers: { accept: 'application/json' } });
  const { state } = (returned.body as Json).data;
  return { caller, finish: () => world.call(caller, 'POST', '/v1/accounts/tiktok/finish', { state }) };
}

const remove = async ({ caller, account }: { caller: Caller; account: Json }): Promise<number> =>
  (await world.call(caller, 'DELETE', `/v1/accounts/${account.id}`)).status;

async function connected(username?: string) {
  const caller = testCaller();
  const account = await world.connect(caller, username === undefined ? {} : { username });
  return { caller, account, username: account.username as string };
}

/** The accounts that the workspace sees, and of each whether its tokens work at the platform. */
async function accountsOf(caller: Caller) {
  const accounts: Json[] = (await world.call(caller, 'GET', '/v1/accounts')).body.data;
  return await Promise.all(
    accounts.map(async ({ id, status }) => {
      const token = await getAccessToken(deps, id);
      const works =
        token.kind === 'token' && (await deps.carriers.tiktok.getCreatorInfo(token.token)).kind === 'ok';
      return { status, works };
    }),
  );
}

/** Waits until the platform works on so many calls of this path. */
const isAsked = (path: string, count: number) =>
  eventually(async () => {
    const requests: Json[] = await world.control('GET', `requests?prefix=/tiktok/v2/oauth/${path}`);
    expect(requests.filter(({ status }) => status === null)).toHaveLength(count);
  });

const ended = /^The consent at TikTok was ended before the account was connected\. Connect it again\.$/;

describe('a creator who connects in another workspace', () => {
  it("a connection during the last one's disconnection is told that the consent is over", async () => {
    const first = await connected();
    const { caller, finish } = await consent(first.username);
    await world.setFaults({ operation: 'oauth_revoke', kind: 'slow', delayMs: 1_500 });
    const removing = remove(first);
    await isAsked('revoke', 1);
    const answer = await finish();
    expect([answer.status, answer.body.error?.code]).toEqual([409, 'tiktok_create_failed']);
    expect(answer.body.error.message).toMatch(ended);
    expect(await removing).toBe(200);
    expect(await accountsOf(caller)).toEqual([]);
    const again = await connected(first.username);
    expect(await accountsOf(again.caller)).toEqual([{ status: 'connected', works: true }]);
  });

  it('a connection during the revocation of a useless consent is told that the consent is over', async () => {
    const username = await world.newCreator();
    const { caller, finish } = await consent(username);
    const narrow = await consent(username, 'user.info.basic');
    await world.setFaults({ operation: 'oauth_revoke', kind: 'slow', delayMs: 1_500 });
    const refusing = narrow.finish();
    await isAsked('revoke', 1);
    expect((await finish()).body.error?.message).toMatch(ended);
    expect((await refusing).body.error.message).toMatch(/^Posting was not allowed/);
    expect(await accountsOf(caller)).toEqual([]);
  });

  it('a connection before the revocation begins keeps the consent: nothing is revoked', async () => {
    const first = await connected();
    const { caller, finish } = await consent(first.username);
    await world.service.db.query('update platform_accounts set access_expires_at = now() where id = $1', [
      first.account.id,
    ]);
    // The deletion renews the token before it can revoke it.
    await world.setFaults({ operation: 'oauth_token', kind: 'slow', delayMs: 1_500, times: 1 });
    const removing = remove(first);
    await isAsked('token', 1);
    expect((await finish()).status).toBe(200);
    expect(await removing).toBe(200);
    expect(await accountsOf(first.caller)).toEqual([]);
    expect(await accountsOf(caller)).toEqual([{ status: 'connected', works: true }]);
  });

  it('a connection waits 5 s for a revocation without an answer, and a repeat goes on', async () => {
    const first = await connected();
    const { caller, finish } = await consent(first.username);
    await world.setFaults({ operation: 'oauth_revoke', kind: 'connection_dropped' });
    expect(await remove(first)).toBe(200);
    const since = performance.now();
    const early = await finish();
    expect(early.status).toBe(502);
    expect(early.body.error.message).toMatch(/^TikTok is still ending an earlier connection/);
    expect(performance.now() - since).toBeLessThan(8_000);
    // 15 s after it began.
    const over = `update creators set revoking_until = clock_timestamp() where revoking_until > clock_timestamp()`;
    await world.service.db.query(over);
    expect((await finish()).status).toBe(200);
    expect(await accountsOf(caller)).toEqual([{ status: 'connected', works: true }]);
  }, 20_000);

  it('a connection at any moment of a revocation has tokens that work, or no account', async () => {
    const seen = new Set<number>();
    for (let round = 0; round < 12; round += 1) {
      const first = await connected();
      const { caller, finish } = await consent(first.username);
      await world.setFaults({ operation: 'oauth_revoke', kind: 'slow', delayMs: (round % 4) * 40 });
      const pause = new Promise(resolve => setTimeout(resolve, round * 8));
      const [status, answer] = await Promise.all([remove(first), pause.then(finish)]);
      expect(status).toBe(200);
      seen.add(answer.status);
      const works = answer.status === 200 ? [{ status: 'connected', works: true }] : [];
      expect([round, await accountsOf(caller)]).toEqual([round, works]);
    }
    expect([...seen].every(status => [200, 409].includes(status))).toBe(true);
  }, 60_000);
});
