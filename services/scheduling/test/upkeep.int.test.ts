import { newId } from '@hookline/shared/kernel';
import { dayMs } from '@hookline/shared/kernel/durations';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { testCaller } from '@hookline/testing/service-harness';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { renewGrants } from '../src/accounts/renew.ts';
import { getAccessToken } from '../src/accounts/tokens.ts';
import type { SchedulingDeps } from '../src/deps.ts';
import {
  addExpiredAccount,
  depsOf,
  type Json,
  startSilentTokenServer,
  startWorld,
  type World,
} from './world.ts';

const world = perSuite(() => startWorld({ role: 'api' }));
let deps: SchedulingDeps;
beforeAll(async () => {
  deps = depsOf(world);
});
afterEach(() => world.setFaults());
afterAll(async () => {
  await deps.carriers.tiktok.close();
});

const wait = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));
const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
const set = (id: string, what: string) =>
  world.service.db.query(`update platform_accounts set ${what} where id = $1`, [id]);
const refreshes = async (): Promise<number> =>
  (await world.control('GET', 'requests?prefix=/tiktok/v2/oauth/token')).length;

/** An account with a post in the given number of hours and an expired access token. */
async function waiting(hours: number) {
  const ready = await world.ready();
  const body = {
    contentId: ready.content.id,
    tiktokAccountId: ready.account.id,
    scheduledFor: inHours(hours),
  };
  const created = await world.schedule(ready.caller, body);
  await set(ready.account.id, `access_expires_at = now() - interval '1 minute'`);
  return { ...ready, scheduleId: created.body.data.id as string };
}

const statusOf = async ({ caller }: { caller: Parameters<World['call']>[0] }): Promise<string> =>
  (await world.call(caller, 'GET', '/v1/accounts')).body.data[0].status;

/** The key that sealed the account's tokens is gone. */
const loseKey = (id: string) => set(id, `access_token_sealed = 'gone:x', refresh_token_sealed = 'gone:x'`);

describe('a grant is checked ahead of its posts', () => {
  it('renewal goes on past an account whose tokens no key opens', async () => {
    const found = await waiting(3);
    await loseKey(found.account.id);
    expect(await renewGrants(deps)).toBe(true);
    expect(await statusOf(found)).toBe('connected');
    await set(found.account.id, 'deleted_at = now()');
  });

  it('a dead grant shows as needs_reauth, and on the waiting schedule, before the post is due', async () => {
    const found = await waiting(3);
    await world.setFaults({ operation: 'oauth_token', kind: 'invalid_grant', times: 1 });
    await renewGrants(deps);
    expect(await statusOf(found)).toBe('needs_reauth');
    const { body } = await world.call(found.caller, 'GET', `/v1/schedules/${found.scheduleId}`);
    expect(body.data.status).toBe('pending');
    expect(body.data.timeline.at(-1)).toMatchObject({
      what: 'account_needs_reauth',
      detail: expect.stringMatching(/Connect it again before the post is due/),
    });
    const other = world.content.addDeck(found.caller.accountId);
    const refused = await world.schedule(found.caller, {
      contentId: other.id,
      tiktokAccountId: found.account.id,
    });
    expect(refused.body.error.code).toBe('account_needs_reauth');
    // After a reconnect the waiting schedule continues automatically.
    await world.connect(found.caller, { username: found.username });
    const worker = await world.startAnother();
    const soon = new Date(Date.now() + 100).toISOString();
    await world.call(found.caller, 'PATCH', `/v1/schedules/${found.scheduleId}`, { scheduledFor: soon });
    expect((await world.over(found.caller, found.scheduleId)).status).toBe('sent');
    await worker.stop();
  });

  it('grants needed within 24 hours are renewed once in six hours, and no others', async () => {
    const soon = await waiting(20);
    const later = await waiting(30);
    const before = await refreshes();
    await renewGrants(deps);
    expect((await refreshes()) - before).toBe(1);
    await set(soon.account.id, `access_expires_at = now() - interval '1 minute'`);
    await renewGrants(deps);
    expect((await refreshes()) - before).toBe(1);
    expect([await statusOf(soon), await statusOf(later)]).toEqual(['connected', 'connected']);
  });

  const expiryOf = async (id: string): Promise<number> => {
    const [row] = await world.service.db.query<Json>(
      'select access_expires_at as at from platform_accounts where id = $1',
      [id],
    );
    return row.at.getTime() - Date.now();
  };
  /** Ends during the next posts, so that a look ahead of them finds it, and one at expired tokens does not. */
  const endSoon = (id: string) =>
    set(id, `access_expires_at = now() + interval '5 minutes', kept_at = now() - interval '1 hour'`);

  it('a grant that a post of the next ten minutes needs is renewed, however lately it was checked', async () => {
    const [soon, later] = [await waiting(9 / 60), await waiting(11 / 60)];
    for (const { account } of [soon, later]) await endSoon(account.id);
    await renewGrants(deps);
    expect(await expiryOf(soon.account.id)).toBeGreaterThan(60 * 60_000);
    expect(await expiryOf(later.account.id)).toBeLessThan(6 * 60_000);
  });

  it('a grant that an automation usually needs at this time of a day is renewed', async () => {
    const minuteMs = 60_000;
    const accounts = [9 * minuteMs, 11 * minuteMs, -minuteMs].map(async aheadMs => {
      const { account, caller } = await world.ready();
      await endSoon(account.id);
      for (const days of [2, 9]) {
        await world.service.db.query(
          `insert into schedule_requests (firing_id, account_id, automation_id, content_id, platform_account_id,
             scheduled_for, mode, schedule_id, created_at)
           values ($1, $2, 'automation_1', 'content_1', $3, $4, 'draft', 'schedule_1', $4)`,
          [newId('firing'), caller.accountId, account.id, new Date(Date.now() + aheadMs - days * dayMs)],
        );
      }
      return account.id as string;
    });
    const [asks, asksLater, asked] = await Promise.all(accounts);
    await renewGrants(deps);
    expect(await expiryOf(asks!)).toBeGreaterThan(60 * minuteMs);
    expect(await expiryOf(asksLater!)).toBeLessThan(6 * minuteMs);
    expect(await expiryOf(asked!)).toBeLessThan(6 * minuteMs);
  });

  it('a refresh token that ends within a week is renewed, posts or not', async () => {
    const { account } = await world.ready();
    await set(account.id, `refresh_expires_at = now() + interval '6 days'`);
    await renewGrants(deps);
    const [row] = await world.service.db.query<Json>(
      `select refresh_expires_at > now() + interval '100 days' as renewed from platform_accounts where id = $1`,
      [account.id],
    );
    expect(row.renewed).toBe(true);
  });

  /** The names of the newest lines on the schedule's timeline, with its state. */
  const timelineOf = async ({ caller, scheduleId }: Awaited<ReturnType<typeof waiting>>) => {
    const { body } = await world.call(caller, 'GET', `/v1/schedules/${scheduleId}`);
    return { status: body.data.status, lines: body.data.timeline.slice(1) as Json[] };
  };
  const later = (minutes: number) => ({ ...deps, now: () => new Date(Date.now() + minutes * 60_000) });

  it.each([
    ['access_denied', /\(access_denied\)\. Connect it again before the post is due\.$/, true],
    ['invalid_client', /\(invalid_client\)\. The operator must check the TikTok app/, false],
  ])(
    '%s says why on the waiting schedule, once, and is not asked again for six hours',
    async (kind, detail, goesOn) => {
      await world.service.db.query(`update platform_accounts set kept_at = now() + interval '2 days'`);
      const found = await waiting(3);
      await world.setFaults({ operation: 'oauth_token', kind });
      const before = await refreshes();
      expect(await renewGrants(deps)).toBe(goesOn);
      for (const minutes of [5, 10, 350]) await renewGrants(later(minutes));
      expect((await refreshes()) - before).toBe(1);
      expect(await statusOf(found)).toBe('connected');
      await renewGrants(later(365));
      expect((await refreshes()) - before).toBe(2);
      const { status, lines } = await timelineOf(found);
      expect(status).toBe('pending');
      expect(lines).toMatchObject([{ what: 'account_not_renewed', detail: expect.stringMatching(detail) }]);
      // Once the operator has repaired it the grant is valid.
      await world.setFaults();
      await renewGrants(later(730));
      expect((await refreshes()) - before).toBe(3);
      expect(await statusOf(found)).toBe('connected');
      expect((await getAccessToken(deps, found.account.id)).kind).toBe('token');
      await set(found.account.id, `kept_at = now() + interval '1 day'`);
    },
  );

  it('a post says that TikTok refused to renew the access, and is not given up for it', async () => {
    const { caller, account, content } = await world.ready();
    await set(account.id, `access_expires_at = now() - interval '1 minute', checked_at = null`);
    await world.setFaults({ operation: 'oauth_token', kind: 'invalid_client' });
    const body = { contentId: content.id, tiktokAccountId: account.id, scheduledFor: inHours(1) };
    const direct = await world.schedule(caller, { ...body, mode: 'publish', privacyLevel: 'SELF_ONLY' });
    expect([direct.status, direct.body.error.code]).toEqual([502, 'tiktok_create_failed']);
    expect(direct.body.error.message).toMatch(
      /refused to renew the access to this account \(invalid_client\)/,
    );
    const worker = await world.startAnother();
    const draft = await world.schedule(caller, {
      ...body,
      scheduledFor: new Date(Date.now() + 200).toISOString(),
    });
    const scheduleId = draft.body.data.id as string;
    await eventually(async () => {
      const { body } = await world.call(caller, 'GET', `/v1/schedules/${scheduleId}`);
      expect(body.data.timeline).toContainEqual(
        expect.objectContaining({
          what: 'put_off',
          detail: expect.stringMatching(/\(invalid_client\).* The operator must check/),
        }),
      );
    });
    await world.setFaults();
    expect((await world.over(caller, scheduleId)).status).toBe('sent');
    await worker.stop();
  });

  it('a round makes few calls to a token endpoint that hangs, and later rounds check all accounts', async () => {
    const server = await startSilentTokenServer(1_500);
    const { db } = world.service;
    let aheadMs = 0;
    const now = () => new Date(Date.now() + aheadMs);
    const silent = { ...deps, carriers: server.carriers, now };
    const isRenewed = `select count(*)::int as count from platform_accounts
      where id = any($1) and refresh_expires_at > now() + interval '100 days'`;
    try {
      const ids: string[] = [];
      const soon = new Date(Date.now() + 6 * dayMs);
      for (let count = 0; count < 20; count += 1) ids.push(await addExpiredAccount(db, deps.secretBox, soon));
      // A call takes up to 10 s, and a round of 120 s fails /livez. The next round is at the next poll.
      const mayBeMore = await renewGrants(silent);
      expect([server.asked, mayBeMore]).toEqual([8, false]);
      // The outage lasts two more polls.
      for (const minutes of [5, 10]) {
        aheadMs = minutes * 60_000;
        await renewGrants(silent);
      }
      // Eight calls had no answer: a single probe a second.
      expect(server.asked).toBe(8);
      await wait(1_100);
      server.mend();
      aheadMs = 15 * 60_000;
      while (await renewGrants(silent));
      expect(await db.query(isRenewed, [ids])).toEqual([{ count: 20 }]);
    } finally {
      await server.close();
    }
  });
});

describe('DELETE /v1/accounts/{id}', () => {
  it('DELETE /v1/accounts revokes at the platform also when the access token has expired', async () => {
    const { caller, account, username } = await world.ready();
    await set(account.id, `access_expires_at = now() - interval '1 minute'`);
    expect((await world.call(caller, 'DELETE', `/v1/accounts/${account.id}`)).status).toBe(200);
    const paths: Json[] = await world.control('GET', 'requests?prefix=/tiktok/v2/oauth/&limit=2');
    expect(paths.map(row => [row.path, row.status])).toEqual([
      ['/tiktok/v2/oauth/token/', 200],
      ['/tiktok/v2/oauth/revoke/', 200],
    ]);
    // Consent was withdrawn there: the platform reports it by webhook, and a new connection starts from
    // scratch.
    await eventually(async () => {
      const rows = await world.service.db.query(
        `select 1 from platform_events e join platform_accounts p on p.open_id = e.open_id
         where e.event = 'authorization.removed' and p.id = $1`,
        [account.id],
      );
      expect(rows).toHaveLength(1);
    });
    const again = await world.connect(caller, { username });
    expect(again.id).not.toBe(account.id);
  });

  it('DELETE /v1/accounts succeeds when the platform is away, and leaves no token behind', async () => {
    const { caller, account } = await world.ready();
    await world.setFaults({ operation: 'oauth_revoke', kind: 'connection_dropped' });
    expect((await world.call(caller, 'DELETE', `/v1/accounts/${account.id}`)).status).toBe(200);
    await world.setFaults();
    const [row] = await world.service.db.query<Json>(
      'select access_token_sealed, refresh_token_sealed from platform_accounts where id = $1',
      [account.id],
    );
    expect(row).toEqual({ access_token_sealed: null, refresh_token_sealed: null });
  });

  it('DELETE /v1/accounts deletes an account whose tokens no key opens', async () => {
    const { caller, account } = await world.ready();
    await loseKey(account.id);
    expect((await world.call(caller, 'DELETE', `/v1/accounts/${account.id}`)).status).toBe(200);
  });
});

describe('the deletion of a workspace', () => {
  // Without the event of a consent that ended, tokens that died at the platform stay in the table.
  beforeAll(() => world.control('PUT', 'tiktok/client', { webhookUrl: null }));

  /** A workspace with so many accounts, in the order in which they are revoked. */
  async function workspace(count: number) {
    const caller = testCaller();
    const accounts: Json[] = [];
    while (accounts.length < count) accounts.push(await world.connect(caller));
    return { caller, accounts: accounts.sort((a, b) => (a.id < b.id ? -1 : 1)) };
  }
  const remove = async ({ caller }: { caller: Parameters<World['call']>[0] }): Promise<Json> => {
    const body = { accountId: caller.accountId, standing: 'deleted', revision: 1 };
    return (await world.service.call('POST', '/internal/workspace-standings', { sender: 'gateway', body }))
      .body;
  };
  const tokenOf = async (id: string): Promise<string> => {
    const answer = await getAccessToken(deps, id);
    if (answer.kind !== 'token') throw new Error(answer.kind);
    return answer.token;
  };
  const worksAtPlatform = async (token: string): Promise<boolean> =>
    (await deps.carriers.tiktok.getCreatorInfo(token)).kind === 'ok';

  it('a deletion of a workspace revokes the others when one creator has removed the app', async () => {
    const leaving = await workspace(3);
    const tokens = await Promise.all(leaving.accounts.map(({ id }) => tokenOf(id)));
    await world.control('POST', `tiktok/accounts/${leaving.accounts[0].username}/disconnect`, { reason: 1 });
    expect(await remove(leaving)).toEqual({ isDone: true, note: null });
    expect(await Promise.all(tokens.map(worksAtPlatform))).toEqual([false, false, false]);
  });

  it('a deletion of a workspace goes on past tokens that no key opens, and ends after a day', async () => {
    const leaving = await workspace(2);
    const [lost, other] = leaving.accounts;
    const token = await tokenOf(other.id);
    await loseKey(lost.id);
    expect(await remove(leaving)).toEqual({ isDone: false, note: '1 TikTok accounts are not revoked yet' });
    expect(await worksAtPlatform(token)).toBe(false);
    await world.service.db.query(
      `update workspace_standings set changed_at = now() - interval '25 hours' where account_id = $1`,
      [leaving.caller.accountId],
    );
    const note = '1 TikTok accounts could not be revoked; their tokens were deleted';
    expect(await remove(leaving)).toEqual({ isDone: true, note });
  });

  it('goes on past an account whose renewal is refused, and revokes it after the repair', async () => {
    const leaving = await workspace(2);
    const [refused, other] = leaving.accounts;
    const token = await tokenOf(other.id);
    await set(refused.id, `access_expires_at = now() - interval '1 minute'`);
    await world.setFaults({ operation: 'oauth_token', kind: 'invalid_client' });
    expect(await remove(leaving)).toEqual({ isDone: false, note: '1 TikTok accounts are not revoked yet' });
    expect(await worksAtPlatform(token)).toBe(false);
    await world.setFaults();
    expect(await remove(leaving)).toEqual({ isDone: true, note: null });
  });

  it('a deletion of a workspace waits when the platform has trouble of its own', async () => {
    const leaving = await workspace(2);
    await world.setFaults({ operation: 'oauth_revoke', kind: 'server_error' });
    expect(await remove(leaving)).toEqual({ isDone: false, note: '2 TikTok accounts are not revoked yet' });
    expect((await world.control('GET', 'faults'))[0].hits).toBe(1);
    await world.setFaults();
    expect(await remove(leaving)).toEqual({ isDone: true, note: null });
  });

  it('a deletion of a workspace does not revoke a creator whom another one has connected', async () => {
    const { caller, accounts } = await workspace(1);
    const other = await world.connect(testCaller(), { username: accounts[0].username });
    expect(await remove({ caller })).toEqual({ isDone: true, note: null });
    expect(await worksAtPlatform(await tokenOf(other.id))).toBe(true);
  });

  it('a deletion of a workspace ends where one creator was connected more often than a batch has rows', async () => {
    const { caller, accounts } = await workspace(1);
    await world.service.db.query(
      `insert into platform_accounts select r.* from platform_accounts p, generate_series(1, 1000) n,
         lateral jsonb_populate_record(p, jsonb_build_object('id', p.id || n, 'deleted_at', now(),
           'access_token_sealed', null, 'refresh_token_sealed', null)) r
       where p.id = $1`,
      [accounts[0].id],
    );
    expect(await remove({ caller })).toEqual({ isDone: true, note: null });
    const left = `select from creators c where not exists (select from platform_accounts p where p.open_id = c.open_id)`;
    expect(await world.service.db.query(left)).toEqual([]);
  });
});
