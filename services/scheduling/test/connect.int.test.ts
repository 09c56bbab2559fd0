import { createHash } from 'node:crypto';
import { findPlatformAccount } from '@hookline/shared/contracts/internal';
import type { Caller } from '@hookline/shared/http';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { testAddress, testCaller, testPerson } from '@hookline/testing/service-harness';
import { describe, expect, it } from 'vitest';
import { consentAs, type Json, startWorld } from './world.ts';

const world = perSuite(startWorld);

const json = { accept: 'application/json' };

async function begin(caller = testCaller()) {
  const begun = await world.call(caller, 'POST', '/v1/accounts/tiktok/connect');
  expect(begun.status).toBe(201);
  return { caller, ...begun.body.data } as Json;
}

const callback = (query: string, headers: Record<string, string> = json) =>
  world.service.call('GET', `/v1/accounts/tiktok/callback${query}`, { headers });

/** The `state` that the callback answers after a consent. */
async function stateAfter(query: string): Promise<string> {
  const returned = await callback(query);
  expect(returned.body).toMatchObject({ data: { status: 'waiting' } });
  return (returned.body as Json).data.state;
}

const finish = (caller: Caller, state: unknown, headers: Record<string, string> = {}) =>
  world.call(caller, 'POST', '/v1/accounts/tiktok/finish', { state }, headers);

describe('connecting a TikTok account', () => {
  it('a connection on http localhost uses the desktop flow with a hex S256 challenge', async () => {
    const { authorizeUrl, state, expiresAt } = await begin();
    const query = new URL(authorizeUrl).searchParams;
    expect(query.get('redirect_uri')).toBe(`${world.publicUrl}/api/v1/accounts/tiktok/callback`);
    expect(query.get('code_challenge')).toMatch(/^[0-9a-f]{64}$/);
    expect(query.get('code_challenge_method')).toBe('S256');
    expect(query.get('state')).toBe(state);
    expect(new Date(expiresAt).getTime()).toBeGreaterThan(Date.now());
  });

  it('a connected account has its options; its tokens are sealed and never shown', async () => {
    const caller = testCaller();
    const username = await world.newCreator();
    const account = await world.connect(caller, { username });
    expect(account).toMatchObject({
      platform: 'tiktok',
      username,
      appId: null,
      status: 'connected',
      canPublish: true,
      privacyLevels: ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'],
    });
    const rows = await world.service.db.query<Record<string, unknown>>(
      'select * from platform_accounts where id = $1',
      [account.id],
    );
    expect(JSON.stringify(rows)).not.toMatch(/act\.|rft\./);
    const list = await world.call(caller, 'GET', '/v1/accounts');
    expect(list.body).toEqual({ data: [account], nextCursor: null });
    expect((await world.call(testCaller(), 'GET', '/v1/accounts')).body.data).toEqual([]);
  });

  it('without user.info.profile, an account that grants only drafts has its display name', async () => {
    const caller = testCaller();
    const username = await world.newCreator();
    await world.control('PUT', `tiktok/accounts/${username}`, { displayName: 'Quiet creator' });
    const granted = 'user.info.basic,video.upload';
    const named = { username: null, displayName: 'Quiet creator', canPublish: false };
    expect(await world.connect(caller, { username, granted })).toMatchObject(named);
    const refused = await fetch(
      `${(await begin()).authorizeUrl.replace('user.info.basic', '$&,user.info.profile')}&as=${username}`,
      { redirect: 'manual' },
    );
    expect(refused.status).toBe(400);
    // Connected again with more scopes, and then with fewer: the handle stays known.
    expect((await world.connect(caller, { username })).username).toBe(username);
    expect((await world.connect(caller, { username, granted })).username).toBe(username);
  });

  it('a profile that cannot be read leaves the known name', async () => {
    const caller = testCaller();
    const username = await world.newCreator();
    await world.control('PUT', `tiktok/accounts/${username}`, { displayName: 'Pebblo' });
    const { id } = await world.connect(caller, { username });
    const operations = ['user_info', 'creator_info'];
    await world.setFaults(...operations.map(operation => ({ operation, kind: 'internal_error' })));
    const again = await world.connect(caller, { username });
    await world.setFaults();
    expect(again).toMatchObject({ id, username, displayName: 'Pebblo' });
  });

  it("the handle comes with the account's options, if they could not be read at first", async () => {
    const caller = testCaller();
    const username = await world.newCreator();
    const fault = { platform: 'tiktok', operation: 'creator_info', kind: 'internal_error', share: 1 };
    await world.control('PUT', 'faults', [fault]);
    const { id, username: known } = await world.connect(caller, { username });
    await world.control('PUT', 'faults', []);
    expect(known).toBeNull();
    const content = world.content.addDeck(caller.accountId);
    const scheduledFor = new Date(Date.now() + 60_000).toISOString();
    const publish = { scheduledFor, mode: 'publish', privacyLevel: 'SELF_ONLY' };
    const made = await world.schedule(caller, { contentId: content.id, tiktokAccountId: id, ...publish });
    expect(made.status).toBe(201);
    const list = await world.call(caller, 'GET', '/v1/accounts');
    expect(list.body.data).toMatchObject([{ username }]);
  });

  it('GET /v1/accounts filters by state and by app', async () => {
    const caller = testCaller();
    world.content.apps.set('product_listed', caller.accountId);
    const [free, owned] = [
      await world.connect(caller),
      await world.connect(caller, { appId: 'product_listed' }),
    ];
    await world.service.db.query(`update platform_accounts set status = 'needs_reauth' where id = $1`, [
      free.id,
    ]);
    const ids = async (query: string) => {
      const { body } = await world.call(caller, 'GET', `/v1/accounts?${query}`);
      return body.data.map((account: Json) => account.id);
    };
    expect(await ids('status=connected')).toEqual([owned.id]);
    expect(await ids('status=needs_reauth')).toEqual([free.id]);
    expect(await ids('appId=product_listed')).toEqual([owned.id]);
    expect(await ids('appId=product_other')).toEqual([]);
    const wrong = await world.call(caller, 'GET', '/v1/accounts?status=on');
    expect(wrong.body.error.message).toContain('status must be one of connected');
  });

  it('a repeat under one Idempotency-Key answers the same state, which is stored sealed', async () => {
    const begin = () =>
      world.call(caller, 'POST', '/v1/accounts/tiktok/connect', {}, { 'idempotency-key': 'begin' });
    const caller = testCaller();
    const [first, again] = [await begin(), await begin()];
    expect([again.headers.get('idempotent-replayed'), again.text]).toEqual(['true', first.text]);
    const records = await world.service.db.query<{ body: string }>(
      'select response_body as body from idempotency_keys where account_id = $1',
      [caller.accountId],
    );
    expect(records).toHaveLength(1);
    expect(records[0]?.body).not.toContain(first.body.data.state);
  });

  it('HEAD of the callback consumes no state', async () => {
    const caller = testCaller();
    const begun = await world.call(caller, 'POST', '/v1/accounts/tiktok/connect', {});
    const { search } = await consentAs(begun.body.data.authorizeUrl, await world.newCreator());
    const path = `/v1/accounts/tiktok/callback${search}`;
    expect((await world.service.call('HEAD', path)).status).toBe(200);
    expect((await finish(caller, await stateAfter(search))).status).toBe(200);
  });

  it("a creator who connects again keeps the account's id", async () => {
    const caller = testCaller();
    const username = await world.newCreator();
    const first = await world.connect(caller, { username, granted: 'user.info.basic,video.upload' });
    expect(first.canPublish).toBe(false);
    const second = await world.connect(caller, { username });
    expect(second.id).toBe(first.id);
    expect(second).toMatchObject({ canPublish: true, createdAt: first.createdAt });
  });

  it('account.connected and account.disconnected name who did it, and from where', async () => {
    const caller = testCaller();
    const username = await world.newCreator();
    const { id } = await world.connect(caller, { username });
    await world.call(caller, 'DELETE', `/v1/accounts/${id}`);
    const seen = () => world.service.published.filter(message => message.key === id);
    await eventually(() => expect(seen()).toHaveLength(2));
    expect(seen().map(({ headers }) => headers.ce_type)).toEqual([
      'account.connected',
      'account.disconnected',
    ]);
    for (const { headers, value } of seen()) {
      expect(headers).toMatchObject({ ce_accountid: caller.accountId, ce_clientaddress: testAddress });
      expect(JSON.parse(String(value))).toMatchObject({
        account: { id, username },
        by: { name: caller.actor?.name },
      });
    }
  });

  it('connecting answers 404 for an app that is not the caller’s', async () => {
    const answer = await world.call(testCaller(), 'POST', '/v1/accounts/tiktok/connect', {
      appId: 'product_x',
    });
    expect(answer.body.error).toMatchObject({ code: 'not_found' });
  });

  it('the callback page alone connects nothing, and a reload shows it again', async () => {
    const { caller, authorizeUrl } = await begin();
    const back = await consentAs(authorizeUrl, await world.newCreator());
    const page = await callback(back.search, { accept: 'text/html,*/*' });
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.text).toContain('Nothing is connected yet.');
    const [, script = ''] = /<script>(.*)<\/script>/s.exec(page.text) ?? [];
    const hash = createHash('sha256').update(script).digest('base64');
    expect(page.headers.get('content-security-policy')).toContain(`script-src 'sha256-${hash}'`);
    expect((await callback(back.search, { accept: 'text/html' })).text).toBe(page.text);
    expect((await world.call(caller, 'GET', '/v1/accounts')).body.data).toEqual([]);
    expect((await finish(caller, /data-state="([^"]+)"/.exec(page.text)?.[1])).status).toBe(200);
    expect((await world.call(caller, 'GET', '/v1/accounts')).body.data).toHaveLength(1);
  });

  it('the callback page leads back to the requested page of the console, also after a refusal', async () => {
    const begin = async (returnTo: string) => {
      const caller = testCaller();
      return await world.call(caller, 'POST', '/v1/accounts/tiktok/connect', { returnTo });
    };
    const returnTo = '/console/accounts?connected=1&app=product_1';
    const { authorizeUrl } = (await begin(returnTo)).body.data;
    const back = await consentAs(authorizeUrl, await world.newCreator());
    const page = await callback(back.search, { accept: 'text/html' });
    const escaped = returnTo.replaceAll('&', '&#38;');
    expect(page.text).toContain(`data-return-to="${escaped}"`);
    expect(page.text).toContain(`<a href="${escaped}">Back to Hookline</a>`);
    const { state } = (await begin(returnTo)).body.data;
    const declined = await callback(`?error=access_denied&state=${state}`, { accept: 'text/html' });
    expect(declined.status).toBe(409);
    expect(declined.text).toContain(`<a href="${escaped}">Back to Hookline</a>`);
    const late = await callback(`?code=c&state=${state}`, { accept: 'text/html' });
    expect(late.status).toBe(400);
    expect(late.text).toContain('Begin it again in Hookline, under Accounts.');
    expect(late.text).toContain('<a href="/console/">Back to Hookline</a>');
    for (const wrong of [
      'https://evil.example.com/console',
      '//evil.example.com/console',
      '/consoles',
      '/console/../api/v1/apps',
      '/console/%2e%2e/x',
      '/console\\evil',
      'javascript:alert(1)',
    ]) {
      const { status, body } = await begin(wrong);
      expect([wrong, status, body.error?.message]).toEqual([
        wrong,
        400,
        'returnTo must be a path of the console, such as /console/accounts',
      ]);
    }
  });

  it('a state is taken once, also when it is finished twice at the same moment', async () => {
    const { caller, authorizeUrl, state } = await begin();
    const back = await consentAs(authorizeUrl, await world.newCreator());
    expect((await finish(caller, state)).body.error.message).toMatch(
      /^state must be from a connection that you/,
    );
    const returned = await stateAfter(back.search);
    const answers = await Promise.all([finish(caller, returned), finish(caller, returned)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await callback(back.search)).status).toBe(400);
  });

  it('a repeat of a finish under one Idempotency-Key answers the same account', async () => {
    const { caller, authorizeUrl } = await begin();
    const state = await stateAfter((await consentAs(authorizeUrl, await world.newCreator())).search);
    const answers = await Promise.all(
      [1, 2, 3].map(() => finish(caller, state, { 'idempotency-key': 'end' })),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.body.data.status).toBe('connected');
  });

  it('a connection is finished by the person who began it and nobody else', async () => {
    const attacker = testPerson(testCaller(), 'Attacker');
    const { authorizeUrl } = await begin(attacker);
    const victimsReturn = (await consentAs(authorizeUrl, await world.newCreator())).search;
    const state = await stateAfter(victimsReturn);
    const colleague = testPerson(attacker, 'Colleague');
    for (const other of [testPerson(testCaller(), 'Victim'), colleague]) {
      const refused = await finish(other, state);
      expect([refused.status, refused.body.error.code]).toEqual([400, 'invalid_request']);
    }
    expect((await world.call(attacker, 'GET', '/v1/accounts')).body.data).toEqual([]);
    expect((await finish(attacker, state)).status).toBe(200);
  });

  it('finish answers 400 for an expired and for an unknown state', async () => {
    const { authorizeUrl, state } = await begin();
    await world.service.db.query(`update connect_states set expires_at = now() - interval '1 second'`);
    const back = await consentAs(authorizeUrl, await world.newCreator());
    expect(back.searchParams.get('state')).toBe(state);
    expect((await callback(back.search)).status).toBe(400);
    expect((await callback('?code=x&state=unknown')).status).toBe(400);
  });

  it('a person who declined is told so politely', async () => {
    const { authorizeUrl } = await begin();
    const url = new URL(authorizeUrl);
    url.searchParams.set('deny', '1');
    const answer = await fetch(url, { redirect: 'manual' });
    const { search } = new URL(answer.headers.get('location') ?? '');
    const told = await callback(search);
    expect(told.status).toBe(409);
    expect((told.body as Json).error).toMatchObject({
      code: 'tiktok_create_failed',
      message: 'You said no at TikTok, so nothing was connected. You can begin again at any time.',
    });
  });

  it.each([200, 400])('a flat OAuth error at status %d is read', async status => {
    await world.control('PUT', 'tiktok/client', { oauthErrorStatus: status });
    const { caller, state } = await begin();
    const told = await finish(caller, await stateAfter(`?code=wrong&state=${state}`));
    expect(told.status).toBe(409);
    expect(told.body.error.code).toBe('tiktok_create_failed');
    await world.control('PUT', 'tiktok/client', { oauthErrorStatus: 400 });
  });

  it('automation learns of the caller’s accounts alone', async () => {
    const caller = testCaller();
    const account = await world.connect(caller);
    const ask = (asked: typeof caller) =>
      world.service.call('POST', findPlatformAccount.path.replace('{id}', account.id), {
        caller: asked,
        sender: 'automation',
        body: {},
      });
    expect((await ask(caller)).body).toMatchObject({ account: { id: account.id, status: 'connected' } });
    expect((await ask(testCaller())).body).toEqual({ account: null });
  });
});

describe('DELETE /v1/accounts/{id}', () => {
  it('DELETE /v1/accounts revokes, ends waiting schedules, and removes the account', async () => {
    const { caller, content, account } = await world.ready();
    const body = {
      contentId: content.id,
      tiktokAccountId: account.id,
      scheduledFor: new Date(Date.now() + 3_600_000).toISOString(),
    };
    const created = await world.schedule(caller, body);
    const deleted = await world.call(caller, 'DELETE', `/v1/accounts/${account.id}`);
    expect(deleted.body).toEqual({ data: { id: account.id, deleted: true } });
    const done = await world.over(caller, created.body.data.id);
    expect(done.failure.code).toBe('account_not_connected');
    expect((await world.schedule(caller, body)).body.error.code).toBe('account_not_found');
    const again = await world.call(caller, 'DELETE', `/v1/accounts/${account.id}`);
    expect(again.body.error.code).toBe('account_not_found');
    expect((await world.call(caller, 'GET', '/v1/accounts')).body.data).toEqual([]);
  });
});

describe('DELETE /v1/accounts/{id} and POST /v1/schedules at once', () => {
  /** The first of them waits inside its transaction, for `table`, until the second waits too or is done. */
  async function atOnce(table: string, ...calls: (() => Promise<Json>)[]): Promise<Json[]> {
    const begun: Promise<Json>[] = [];
    await world.service.db.transaction(async tx => {
      await tx.query(`lock table ${table} in share mode`);
      for (const [before, call] of calls.entries()) {
        const answer = call();
        begun.push(answer);
        const waits = eventually(async () => {
          const rows = await world.service.db.query(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
               and query ~ '^(insert into|with given|select [a-z0-9, ]+ from platform_accounts)'`,
          );
          expect(rows.length).toBeGreaterThan(before);
        });
        await Promise.race([answer, waits]);
      }
    });
    return await Promise.all(begun);
  }
  async function both() {
    const { caller, content, account } = await world.ready();
    const scheduledFor = new Date(Date.now() + 3_600_000).toISOString();
    const body = { contentId: content.id, tiktokAccountId: account.id, scheduledFor };
    const create = () => world.schedule(caller, body);
    return { caller, create, remove: () => world.call(caller, 'DELETE', `/v1/accounts/${account.id}`) };
  }

  it('a schedule that comes first ends with its account', async () => {
    const { caller, create, remove } = await both();
    const [created, deleted] = await atOnce('schedules', create, remove);
    expect([created.status, deleted.status]).toEqual([201, 200]);
    const { failure } = await world.over(caller, created.body.data.id);
    expect(failure.code).toBe('account_not_connected');
    await world.service.db.query(
      `update schedules set failure = failure || '{"retryable": true}' where id = $1`,
      [created.body.data.id],
    );
    const retried = await world.call(caller, 'POST', `/v1/schedules/${created.body.data.id}/retry`);
    expect(retried.body.error.code).toBe('account_not_found');
  });
  it('a schedule that comes second is refused', async () => {
    const { caller, create, remove } = await both();
    const [deleted, created] = await atOnce('outbox', remove, create);
    expect([deleted.status, created.status]).toEqual([200, 404]);
    expect(created.body.error.code).toBe('account_not_found');
    expect((await world.call(caller, 'GET', '/v1/schedules')).body.data).toEqual([]);
  });
});

describe('a creator in two workspaces', () => {
  const revocations = async (): Promise<number> =>
    (await world.control('GET', 'requests?prefix=/tiktok/v2/oauth/revoke')).length;
  const remove = async ({ caller, account }: { caller: Caller; account: Json }) =>
    (await world.call(caller, 'DELETE', `/v1/accounts/${account.id}`)).status;

  async function shared() {
    const first = await world.ready();
    const caller = testCaller();
    const account = await world.connect(caller, { username: first.username });
    return { first, second: { caller, account, content: world.content.addDeck(caller.accountId) } };
  }
  async function expectSent({ caller, account, content }: Json): Promise<void> {
    const { body } = await world.schedule(caller, { contentId: content.id, tiktokAccountId: account.id });
    expect(body.error).toBeUndefined();
    expect((await world.over(caller, body.data.id)).status).toBe('sent');
  }

  it('a creator in two workspaces is revoked by the last one: the other still posts', async () => {
    const { first, second } = await shared();
    const before = await revocations();
    expect(await remove(first)).toBe(200);
    expect((await world.call(first.caller, 'GET', '/v1/accounts')).body.data).toEqual([]);
    await expectSent(second);
    expect(await revocations()).toBe(before);
    expect(await remove(second)).toBe(200);
    expect(await revocations()).toBe(before + 1);
  });

  it('a creator in two workspaces is revoked once when both disconnect at the same moment', async () => {
    const before = await revocations();
    for (let round = 1; round <= 5; round += 1) {
      const { first, second } = await shared();
      expect(await Promise.all([remove(first), remove(second)])).toEqual([200, 200]);
      expect(await revocations()).toBe(before + round);
    }
  });

  it("a consent without the right to post leaves the other workspace's connection alone", async () => {
    const first = await world.ready();
    const connecting = world.connect(testCaller(), { username: first.username, granted: 'user.info.basic' });
    await expect(connecting).rejects.toThrow('Posting was not allowed');
    await expectSent(first);
  });
});

describe('access tokens', () => {
  const expire = (id: string) =>
    world.service.db.query('update platform_accounts set access_expires_at = now() where id = $1', [id]);

  it('a refused refresh makes the account needs_reauth, and posts end as account_needs_reauth', async () => {
    const { caller, content, account } = await world.ready();
    await expire(account.id);
    await world.setFaults({ operation: 'oauth_token', kind: 'invalid_grant', times: 1 });
    const created = await world.schedule(caller, { contentId: content.id, tiktokAccountId: account.id });
    expect(created.status).toBe(409);
    expect(created.body.error.code).toBe('account_needs_reauth');
    const [row] = (await world.call(caller, 'GET', '/v1/accounts')).body.data;
    expect(row.status).toBe('needs_reauth');
    const again = await world.schedule(caller, { contentId: content.id, tiktokAccountId: account.id });
    expect(again.body.error.code).toBe('account_needs_reauth');
    const told = () =>
      world.service.published.filter(({ headers }) => headers.ce_type === 'account.needs_reauth');
    await eventually(() => expect(told().filter(({ key }) => key === account.id)).toHaveLength(1));
    expect(JSON.parse(String(told().at(-1)?.value))).toEqual({ account: row });
  });

  it('an outage of the platform leaves an account connected', async () => {
    const { caller, content, account, username } = await world.ready();
    await expire(account.id);
    await world.setFaults({ operation: 'oauth_token', kind: 'server_error', times: 1 });
    const created = await world.schedule(caller, { contentId: content.id, tiktokAccountId: account.id });
    expect(created.status).toBe(201);
    await world.over(caller, created.body.data.id);
    expect(await world.posts(username)).toHaveLength(1);
  });
});

describe('the web flow', () => {
  it('a connection on https uses the web flow without PKCE', async () => {
    const https = await startWorld({ publicUrl: 'https://hookline.test' });
    try {
      const caller = testCaller();
      const begun = await https.call(caller, 'POST', '/v1/accounts/tiktok/connect');
      const query = new URL(begun.body.data.authorizeUrl).searchParams;
      expect(query.has('code_challenge')).toBe(false);
      expect(query.get('redirect_uri')).toBe('https://hookline.test/api/v1/accounts/tiktok/callback');
      expect((await https.connect(caller)).status).toBe('connected');
      // Here a stranger may come back with the address that somebody sent: who began cannot
      // finish without the browser.
      const { body } = await https.call(caller, 'POST', '/v1/accounts/tiktok/connect');
      const { search } = await consentAs(body.data.authorizeUrl, await https.newCreator());
      await https.service.call('GET', `/v1/accounts/tiktok/callback${search}`);
      const { state } = body.data;
      for (const given of [state, `${state}.${'x'.repeat(43)}`]) {
        const refused = await https.call(caller, 'POST', '/v1/accounts/tiktok/finish', { state: given });
        expect(refused.status).toBe(400);
      }
    } finally {
      await https.stop();
    }
  });
});

describe('withdrawn consent', () => {
  it('withdrawn consent disconnects the account; a later connection survives a late event', async () => {
    const { caller, account, username } = await world.ready();
    await world.control('POST', `tiktok/accounts/${username}/disconnect`, { reason: 1 });
    await eventually(async () => {
      const [row] = (await world.call(caller, 'GET', '/v1/accounts')).body.data;
      expect(row.status).toBe('disconnected');
    });
    const again = await world.connect(caller, { username });
    expect(again).toMatchObject({ id: account.id, status: 'connected' });
  });
});
