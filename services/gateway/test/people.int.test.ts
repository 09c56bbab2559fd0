import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { dayMs } from '@hookline/shared/kernel/durations';
import { lockWaits } from '@hookline/testing/database';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createInbox } from './inbox.ts';
import { randomIp, startTestGateway, type TestGateway } from './world.ts';

const inbox = createInbox();
const { mails } = inbox;

let gateway: TestGateway;
let admin: pg.Client;
let clock: Date | null = null;
const env: Record<string, string> = { MAIL_FROM: 'Hookline <hookline@example.com>' };

beforeAll(async () => {
  env.SMTP_URL = await inbox.listen();
  gateway = await startTestGateway({}, { env, now: () => clock ?? new Date() });
  admin = new pg.Client({ connectionString: gateway.database.url });
  await admin.connect();
});
afterAll(async () => {
  await admin?.end();
  await gateway?.stop();
  await inbox.close();
});

const password = 'correct horse battery';
const newEmail = () => `person${randomInt(1e9)}@example.com`;
const send = (method: string, path: string, token?: string, body?: unknown, headers = {}) =>
  gateway.call(method, `/api/v1${path}`, {
    headers,
    ...(token === undefined ? {} : { token }),
    ...(body === undefined ? {} : { body }),
  });
const tokenOf = (text: string) => /\?token=(link_[\w-]{43})/.exec(text)?.[1] ?? '';
const mailTo = (to: string, nth = 1) =>
  eventually(async () => {
    const found = mails.filter(mail => mail.to === to)[nth - 1];
    if (!found) throw new Error(`no mail ${nth} to ${to}`);
    return found.text;
  }, 8_000);

async function invite(owner: string, email: string, role = 'approver') {
  const answer = await send('POST', '/workspace/invitations', owner, { email, role });
  expect(answer.status).toBe(201);
  return answer.body.data as { id: string; url: string };
}

describe('an invitation', () => {
  it('makes a new person a member of that workspace alone, by the mailed link or the one shown once', async () => {
    const owner = await gateway.signUp();
    const email = newEmail();
    const key = { 'idempotency-key': 'once' };
    const body = { email, role: 'approver' };
    const first = await send('POST', '/workspace/invitations', owner.token, body, key);
    const { id, url } = first.body.data;
    expect(first.body.data).toMatchObject({ email, role: 'approver', expiresAt: expect.any(String) });
    expect(tokenOf(url)).not.toBe('');
    const again = await send('POST', '/workspace/invitations', owner.token, body, key);
    expect(again.body.data).toEqual({ ...first.body.data, url: undefined });
    expect((await send('GET', '/workspace/invitations', owner.token)).body.data).toMatchObject([
      { id, email },
    ]);

    const mailed = tokenOf(await mailTo(email));
    expect(mailed).not.toBe(tokenOf(url));
    const short = await send('POST', '/auth/invitations/accept', undefined, {
      token: mailed,
      password: 'short',
    });
    expect([short.status, short.body.error.code]).toEqual([400, 'invalid_request']);
    expect(short.body.error.message).toContain('password');
    const accepted = await send('POST', '/auth/invitations/accept', undefined, {
      token: mailed,
      name: 'Ben',
      password,
    });
    expect([accepted.status, accepted.body.data]).toMatchObject([201, { user: { email, name: 'Ben' } }]);
    const { token } = accepted.body.data.session;
    expect((await send('GET', '/auth/workspaces', token)).body.data).toMatchObject([
      { role: 'approver', current: true },
    ]);
    expect((await send('GET', '/workspace/members', owner.token)).body.data[0]).toMatchObject({
      email,
      role: 'approver',
    });
    // Both links are used up, and the list is empty.
    for (const used of [mailed, tokenOf(url)]) {
      const answer = await send('POST', '/auth/invitations/accept', undefined, { token: used, password });
      expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
      expect(answer.body.error.message).toContain('token');
    }
    expect((await send('GET', '/workspace/invitations', owner.token)).body.data).toEqual([]);
    expect((await send('POST', '/auth/sign-in', undefined, { email, password })).status).toBe(200);
  });

  it('is accepted by somebody who has signed up, with a session or the password', async () => {
    const [owner, signedIn, signedOut] = [
      await gateway.signUp(),
      await gateway.signUp(),
      await gateway.signUp(),
    ];
    const one = tokenOf((await invite(owner.token, signedIn.email)).url);
    const accept = (token: string, more: object, session?: string) =>
      send('POST', '/auth/invitations/accept', session, { token, ...more });
    expect((await accept(one, {}, `sess_${'a'.repeat(43)}`)).status).toBe(401);
    expect((await accept(one, { password }, signedIn.token)).status).toBe(400);
    const joined = await accept(one, {}, signedIn.token);
    expect([joined.status, joined.body.data.session.token]).toEqual([200, undefined]);
    const spaces = (await send('GET', '/auth/workspaces', signedIn.token)).body.data;
    expect(spaces).toMatchObject([{ role: 'owner' }, { role: 'approver', current: true }]);

    const other = tokenOf((await invite(owner.token, signedOut.email, 'viewer')).url);
    expect((await accept(other, {})).status).toBe(400);
    expect((await accept(other, { password: 'wrong password' })).status).toBe(401);
    const entered = await accept(other, { password });
    expect(entered.status).toBe(201);
    const { token } = entered.body.data.session;
    expect((await send('GET', '/auth/workspaces', token)).body.data[1]).toMatchObject({
      role: 'viewer',
      current: true,
    });
  });

  it('moves the session of somebody who is in a hundred workspaces, of whom each sees a failed sign-in', async () => {
    const [owner, guest] = [await gateway.signUp(), await gateway.signUp()];
    await admin.query(
      `with made as (
         insert into gateway.workspaces (account_id, name, created_at, updated_at)
         select 'acct_many' || n, 'Many', now() - interval '1 h', now() from generate_series(1, 100) n
         returning account_id)
       insert into gateway.members (account_id, user_id, role, created_at, updated_at)
         select made.account_id, users.id, 'viewer', now() - interval '1 h', now()
         from made, gateway.users where email = $1`,
      [guest.email],
    );
    const token = tokenOf((await invite(owner.token, guest.email)).url);
    expect((await send('POST', '/auth/invitations/accept', guest.token, { token })).status).toBe(200);
    const { user, workspaceId } = (await send('GET', '/auth/session', guest.token)).body.data;
    expect(workspaceId).toBe((await send('GET', '/auth/session', owner.token)).body.data.workspaceId);
    // Each of them sees the failed sign-in: these, the invited and the own one.
    await send('POST', '/auth/sign-in', undefined, { email: guest.email, password: 'wrong' });
    await eventually(async () => {
      const { rows } = await admin.query(
        `select distinct account_id from gateway.audit_events where action = 'auth.sign_in_failed' and subject_id = $1`,
        [user.id],
      );
      expect(rows).toHaveLength(102);
    });
  });

  it('is one of at most a hundred open ones; withdrawing one, or the end of one, makes room', async () => {
    const owner = await gateway.signUp();
    const first = await invite(owner.token, 'first@example.com');
    await admin.query(
      `insert into gateway.invitations (id, account_id, email, role, invited_by, expires_at, created_at, updated_at)
       select id || n, account_id, n || email, role, invited_by, expires_at, created_at, updated_at
       from gateway.invitations, generate_series(1, 99) n where id = $1`,
      [first.id],
    );
    const ask = (email: string) =>
      send('POST', '/workspace/invitations', owner.token, { email, role: 'viewer' });
    const refused = await ask('more@example.com');
    expect([refused.status, refused.body.error.code]).toEqual([400, 'invalid_request']);
    expect(refused.body.error.message).toMatch(/^email .* at most 100 open invitations/);
    await send('DELETE', `/workspace/invitations/${first.id}`, owner.token);
    expect((await ask('more@example.com')).status).toBe(201);
    await admin.query(`update gateway.invitations set expires_at = now() where email = '7first@example.com'`);
    expect((await ask('last@example.com')).status).toBe(201);
  });

  it('works once, of two who accept at once; not when it was withdrawn or is old; one for each address', async () => {
    const owner = await gateway.signUp();
    const { url } = await invite(owner.token, newEmail());
    const accept = (token: string) =>
      send('POST', '/auth/invitations/accept', undefined, { token, password });
    const answers = await Promise.all([accept(tokenOf(url)), accept(tokenOf(url))]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);

    const email = newEmail();
    const withdrawn = await invite(owner.token, email);
    const twice = await send('POST', '/workspace/invitations', owner.token, {
      email: email.toUpperCase(),
      role: 'viewer',
    });
    expect([twice.status, twice.body.error.message]).toEqual([400, expect.stringContaining('email')]);
    expect((await send('DELETE', `/workspace/invitations/${withdrawn.id}`, owner.token)).status).toBe(200);
    expect((await send('DELETE', `/workspace/invitations/${withdrawn.id}`, owner.token)).status).toBe(404);
    expect((await accept(tokenOf(withdrawn.url))).status).toBe(400);

    const old = await invite(owner.token, email);
    try {
      clock = new Date(Date.now() + 7 * dayMs + 1_000);
      expect((await accept(tokenOf(old.url))).status).toBe(400);
    } finally {
      clock = null;
    }
    const member = await send('POST', '/workspace/invitations', owner.token, {
      email: owner.email,
      role: 'viewer',
    });
    expect([member.status, member.body.error.message]).toEqual([400, expect.stringContaining('email')]);
  });
});

describe('an invitation of somebody who is an owner no more', () => {
  const accept = (token: string) => send('POST', '/auth/invitations/accept', undefined, { token, password });

  it.each([
    ['removed', (id: string, first: string) => send('DELETE', `/workspace/members/${id}`, first)],
    [
      'made an editor',
      (id: string, first: string) => send('PATCH', `/workspace/members/${id}`, first, { role: 'editor' }),
    ],
    [
      'made an editor elsewhere',
      (id: string) => admin.query(`update gateway.members set role = 'editor' where user_id = $1`, [id]),
    ],
  ])('%s: opens nothing', async (name, fall) => {
    const first = await gateway.signUp();
    const own = (await accept(tokenOf((await invite(first.token, newEmail(), 'owner')).url))).body.data;
    const { url } = await invite(own.session.token, newEmail(), 'owner');
    const other = await invite(first.token, newEmail());
    await fall(own.user.id, first.token);
    if (name !== 'made an editor elsewhere') {
      const left = (await send('GET', '/workspace/invitations', first.token)).body.data;
      expect(left.map(({ id }: { id: string }) => id)).toEqual([other.id]);
    }
    expect((await accept(tokenOf(url))).status).toBe(400);
    expect((await accept(tokenOf(other.url))).status).toBe(201);
  });
});

it('one who was removed from the last workspace gets one of their own at the next sign-in', async () => {
  const owner = await gateway.signUp();
  const email = newEmail();
  const { url } = await invite(owner.token, email, 'editor');
  const joined = (
    await send('POST', '/auth/invitations/accept', undefined, { token: tokenOf(url), password })
  ).body.data;
  await send('DELETE', `/workspace/members/${joined.user.id}`, owner.token);
  for (let time = 0; time < 2; time += 1) {
    const { status, body } = await send('POST', '/auth/sign-in', undefined, { email, password });
    expect(status).toBe(200);
    const workspaces = (await send('GET', '/auth/workspaces', body.data.session.token)).body.data;
    expect(workspaces).toMatchObject([{ name: email.replace(/@.*$/, ''), role: 'owner', current: true }]);
  }
});

describe('mails with invitations', () => {
  type Made = { id: string; url?: string; mailed: boolean };
  async function inviteAgain(token: string, email: string): Promise<boolean> {
    const answer = await send('POST', '/workspace/invitations', token, { email, role: 'viewer' });
    expect(answer.status).toBe(201);
    const { id, url, mailed } = answer.body.data as Made;
    expect(url).toContain('/console/invitation?token=');
    await send('DELETE', `/workspace/invitations/${id}`, token);
    return mailed;
  }
  const proven = async () => {
    const owner = await gateway.signUp();
    await admin.query('update gateway.users set email_verified_at = now() where email = $1', [owner.email]);
    return owner;
  };

  it('three a day to an address, from all workspaces together, also when withdrawn in between', async () => {
    const [one, two] = [await proven(), await proven()];
    const email = newEmail();
    expect([await inviteAgain(one.token, email), await inviteAgain(two.token, email)]).toEqual([true, true]);
    expect([await inviteAgain(one.token, email.toUpperCase()), await inviteAgain(two.token, email)]).toEqual([
      true,
      false,
    ]);
    clock = new Date(Date.now() + dayMs + 1_000);
    expect(await inviteAgain(two.token, email)).toBe(true);
    clock = null;
  });

  it('20 a day from a workspace, and 5 while the address of the inviter is not proven', async () => {
    for (const [owner, max] of [
      [await proven(), 20],
      [await gateway.signUp(), 5],
    ] as const) {
      const mailed: boolean[] = [];
      for (let nth = 0; nth <= max; nth += 1) mailed.push(await inviteAgain(owner.token, newEmail()));
      expect(mailed).toEqual([...Array(max).fill(true), false]);
    }
  });

  it('name an inviter who signs in at an OIDC issuer', async () => {
    const token = `sess_${'o'.repeat(43)}`;
    await admin.query(
      `insert into gateway.oidc_users (id, account_id, issuer, subject, name, created_at, updated_at)
       values ('user_oidc', 'acct_oidc', 'https://issuer.example', 'olga', 'Olga', now(), now())`,
    );
    await admin.query(
      `insert into gateway.sessions (id, user_id, token_hash, expires_at, created_at)
       values ('session_oidc', 'user_oidc', sha256($1), now() + interval '1 h', now())`,
      [token],
    );
    const email = newEmail();
    await invite(token, email);
    expect(await mailTo(email)).toContain("'Olga' invites you");
  });

  it('names in them are no links, are short, and stand in quotes', async () => {
    const owner = await gateway.signUp();
    const name = `URGENT: pay at https://evil.example/pay ${'x'.repeat(80)}`;
    await send('PATCH', '/workspace', owner.token, { name });
    const email = newEmail();
    await invite(owner.token, email);
    const text = Buffer.from(await mailTo(email), 'utf8').toString();
    expect(text).not.toMatch(/evil\.example|https:\/\/evil/);
    expect(text).not.toContain('x'.repeat(40));
  });
});

describe('a new password by mail', () => {
  it('revokes keys where asked, and leaves them otherwise', async () => {
    const { token, email } = await gateway.signUp();
    const { key } = await gateway.mint(token, ['credits:read']);
    // No service owns /credits in this test: a request that passes the key check gets 503.
    const use = async () => (await send('GET', '/credits', key)).status;
    const reset = async (nth: number, more: object) => {
      await send('POST', '/auth/password-reset', undefined, { email });
      const body = { token: tokenOf(await mailTo(email, nth)), password: 'a new correct horse', ...more };
      expect((await send('POST', '/auth/password-reset/confirm', undefined, body)).status).toBe(200);
    };
    await reset(1, {});
    expect(await use()).toBe(503);
    await reset(2, { revokeKeys: true });
    expect(await use()).toBe(401);
  });
});

describe('the link of an invitation', () => {
  it.each(['mailed', 'shown'])('%s: only the mailed one proves the address', async kind => {
    const other = await startTestGateway(
      {},
      { env: { ...env, EMAIL_VERIFICATION: 'required', SIGN_UPS_PER_HOUR: '1' }, database: gateway.database },
    );
    try {
      const owner = await gateway.signUp();
      const email = newEmail();
      const { url } = await invite(owner.token, email);
      const mailed = await mailTo(email);
      const ip = randomIp();
      const accept = (link: string) =>
        other.call('POST', '/api/v1/auth/invitations/accept', {
          body: { token: tokenOf(link), password },
          ip,
        });
      const accepted = await accept(kind === 'mailed' ? mailed : url);
      expect(accepted.status).toBe(201);
      const { token } = accepted.body.data.session;
      const opened = await other.call('GET', '/api/v1/keys', { token });
      expect(opened.status).toBe(kind === 'mailed' ? 200 : 403);
      if (kind === 'mailed') return;
      const body = { token: tokenOf(await mailTo(email, 2)), password };
      expect((await other.call('POST', '/api/v1/auth/verify-email', { body })).status).toBe(200);
      expect((await other.call('GET', '/api/v1/keys', { token })).status).toBe(200);
      // It was a sign-up of that network address.
      expect((await accept((await invite(owner.token, newEmail())).url)).status).toBe(429);
    } finally {
      await other.stop();
    }
  });
});

describe('sessions', () => {
  it('are listed with client and last use, and ended one by one or all others', async () => {
    const { token, email } = await gateway.signUp();
    const signIn = async (client: string) =>
      (await send('POST', '/auth/sign-in', undefined, { email, password }, { 'user-agent': client })).body
        .data.session;
    const [phone, tablet] = [await signIn('Phone/1'), await signIn('Tablet/2')];
    const { data } = (await send('GET', '/auth/sessions', token)).body;
    expect(data).toMatchObject([
      { id: tablet.id, client: 'Tablet/2', current: false },
      { id: phone.id, client: 'Phone/1', current: false },
      { current: true },
    ]);
    await eventually(async () => {
      const { body } = await send('GET', '/auth/sessions', token);
      expect(body.data[2].lastUsedAt).toEqual(expect.any(String));
    }, 8_000);
    const stranger = await gateway.signUp();
    expect((await send('DELETE', `/auth/sessions/${phone.id}`, stranger.token)).status).toBe(404);
    expect((await send('DELETE', `/auth/sessions/${phone.id}`, token)).body.data).toEqual({
      id: phone.id,
      deleted: true,
    });
    expect((await send('GET', '/auth/session', phone.token)).status).toBe(401);
    const others = await send('DELETE', '/auth/sessions', token);
    expect(others.body.data).toEqual({ sessionIds: [tablet.id], deleted: true });
    expect((await send('GET', '/auth/session', tablet.token)).status).toBe(401);
    expect((await send('GET', '/auth/session', token)).status).toBe(200);
  });

  it('of a person are 50: the next one ends the oldest', async () => {
    const { token, email } = await gateway.signUp();
    const stranger = await gateway.signUp();
    const { rows } = await admin.query(
      `insert into gateway.sessions (id, user_id, token_hash, expires_at, created_at)
       select u.id || n, u.id, convert_to(u.id || n, 'utf8'), s.expires_at, s.created_at + n * interval '1 ms'
       from gateway.users u join gateway.sessions s on s.user_id = u.id, generate_series(1, 50) n
       where u.email = $1 returning user_id as id`,
      [email],
    );
    const signedIn = await send('POST', '/auth/sign-in', undefined, { email, password });
    expect(signedIn.status).toBe(200);
    expect((await send('GET', '/auth/session', token)).status).toBe(401);
    for (const own of [signedIn.body.data.session.token, stranger.token]) {
      expect((await send('GET', '/auth/session', own)).status).toBe(200);
    }
    const kept = await admin.query('select id from gateway.sessions where user_id = $1', [rows[0].id]);
    expect(kept.rows).toHaveLength(50);
  });

  it('end with a new password, except the one that changes it', async () => {
    const { token, email } = await gateway.signUp();
    const other = (await send('POST', '/auth/sign-in', undefined, { email, password })).body.data.session;
    const changed = 'a new correct horse';
    const wrong = await send('POST', '/auth/password', token, { current: 'wrong', password: changed });
    expect([wrong.status, wrong.body.error.message]).toEqual([400, expect.stringContaining('current')]);
    const right = await send('POST', '/auth/password', token, { current: password, password: changed });
    expect([right.status, right.body.data.email]).toEqual([200, email]);
    expect((await send('GET', '/auth/session', other.token)).status).toBe(401);
    expect((await send('GET', '/auth/session', token)).status).toBe(200);
    expect((await send('POST', '/auth/sign-in', undefined, { email, password })).status).toBe(401);
    expect((await send('POST', '/auth/sign-in', undefined, { email, password: changed })).status).toBe(200);
  });
});

describe('a password that is replaced while it is checked', () => {
  it.each<
    [string, (person: { email: string; token: string }) => Promise<() => ReturnType<typeof send>>, number]
  >([
    [
      'signs nobody in',
      async ({ email }) =>
        () =>
          send('POST', '/auth/sign-in', undefined, { email, password }),
      401,
    ],
    [
      'accepts no invitation',
      async ({ email }) => {
        const token = tokenOf((await invite((await gateway.signUp()).token, email)).url);
        return () => send('POST', '/auth/invitations/accept', undefined, { token, password });
      },
      401,
    ],
    [
      'sets no other',
      async ({ token }) =>
        () =>
          send('POST', '/auth/password', token, { current: password, password: 'a new correct horse' }),
      400,
    ],
    [
      'deletes no workspace',
      async ({ token }) =>
        () =>
          send('DELETE', '/workspace', token, { password }),
      400,
    ],
    [
      'restores no workspace',
      async ({ token }) => {
        expect((await send('DELETE', '/workspace', token, { password })).status).toBe(200);
        return () => send('POST', '/workspace/restore', token, { password });
      },
      400,
    ],
  ])('%s', async (_name, prepare, status) => {
    const person = await gateway.signUp();
    const ask = await prepare(person);
    const { rows } = await admin.query('select password_hash as hash from gateway.users where email = $1', [
      (await gateway.signUp()).email,
    ]);
    // The password is checked when its attempt no longer counts as failed: the request waits there.
    await admin.query(`create function gateway.wait_for_lock() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(4711); return old; end $$`);
    await admin.query(`create trigger held before delete on gateway.sign_in_failures
      for each row execute function gateway.wait_for_lock()`);
    const other = new pg.Client({ connectionString: gateway.database.url });
    await other.connect();
    try {
      await other.query('select pg_advisory_lock(4711)');
      const asking = ask();
      await eventually(async () => {
        const waiting = await admin.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`,
        );
        expect(waiting.rowCount).toBe(1);
      }, 20_000);
      const change = 'update gateway.users set password_hash = $2 where email = $1';
      await admin.query(change, [person.email, rows[0].hash]);
      await other.query('select pg_advisory_unlock(4711)');
      expect((await asking).status).toBe(status);
    } finally {
      await other.end();
      await admin.query('drop function gateway.wait_for_lock() cascade');
    }
    const { rowCount } = await admin.query(
      'select 1 from gateway.users where email = $1 and password_hash = $2',
      [person.email, rows[0].hash],
    );
    expect(rowCount).toBe(1);
  });
});

describe('a new password by mail', () => {
  it('is asked for with one answer for every address, set once, and ends every session', async () => {
    const { token, email } = await gateway.signUp();
    const ask = (address: string) => send('POST', '/auth/password-reset', undefined, { email: address });
    const known = await ask(email);
    expect([known.status, known.body]).toEqual([202, { data: { accepted: true } }]);
    const stranger = newEmail();
    expect((await ask(stranger)).body).toEqual(known.body);
    const link = tokenOf(await mailTo(email));
    const set = () =>
      send('POST', '/auth/password-reset/confirm', undefined, {
        token: link,
        password: 'a new correct horse',
      });
    expect((await set()).status).toBe(200);
    const again = await set();
    expect([again.status, again.body.error.code]).toEqual([400, 'invalid_request']);
    expect((await send('GET', '/auth/session', token)).status).toBe(401);
    expect(mails.filter(({ to }) => to === stranger)).toEqual([]);
  });

  it('survives a server that refuses, and is mailed at most three times an hour', async () => {
    const { email } = await gateway.signUp();
    const ask = () => send('POST', '/auth/password-reset', undefined, { email });
    const waiting = async () =>
      (await admin.query('select attempts from gateway.mails where recipient = $1', [email])).rows;
    inbox.isRefusing = true;
    try {
      await ask();
      await eventually(async () => expect(await waiting()).toEqual([{ attempts: 1 }]), 5_000);
      await eventually(async () => {
        const { rows } = await admin.query(
          `select due_at > now() + interval '30 s' and due_at < now() + interval '70 s' as postponed
             from gateway.mails where recipient = $1`,
          [email],
        );
        expect(rows).toEqual([{ postponed: true }]);
      }, 5_000);
    } finally {
      inbox.isRefusing = false;
    }
    // Late in an outage the next attempt is hours away and the last one, and whoever asks again waits for it.
    await admin.query(
      `update gateway.mails set due_at = now() + interval '2 h', attempts = 9 where recipient = $1`,
      [email],
    );
    await ask();
    const soon = await admin.query(
      `select due_at < now() + interval '130 s' as soon, attempts from gateway.mails where recipient = $1`,
      [email],
    );
    expect(soon.rows).toEqual([{ soon: true, attempts: 5 }]);
    await admin.query(`update gateway.mails set due_at = now() where recipient = $1`, [email]);
    for (let nth = 0; nth < 4; nth += 1) {
      await ask();
      await eventually(async () => expect(await waiting()).toEqual([]), 5_000);
    }
    // The link of the refused attempt counts too.
    expect(mails.filter(({ to }) => to === email)).toHaveLength(2);
  });
});

describe('sign-up', () => {
  const other = perSuite(() =>
    startTestGateway({}, { env: { ...env, EMAIL_VERIFICATION: 'required' }, database: gateway.database }),
  );

  it.each([
    [
      'closed by OIDC',
      {
        ...{ SIGN_UP: '', OIDC_ISSUER: 'https://id.example.com' },
        ...{ OIDC_CLIENT_ID: 'hookline', OIDC_CLIENT_SECRET: 'secret' },
      },
      'closed',
    ],
    ['invite by default', { SIGN_UP: '' }, 'invitation'],
  ])('%s: refused with the reason, while an invitation works', async (_name, change, reason) => {
    const owner = await gateway.signUp();
    const { url } = await invite(owner.token, newEmail());
    const closed = await startTestGateway({}, { env: change, database: gateway.database });
    try {
      const refused = await closed.call('POST', '/api/v1/auth/sign-up', {
        body: { email: newEmail(), password },
      });
      expect([refused.status, refused.body.error.code]).toEqual([403, 'missing_scope']);
      expect(refused.body.error.message).toContain(reason);
      const accepted = await closed.call('POST', '/api/v1/auth/invitations/accept', {
        body: { token: tokenOf(url), password },
      });
      expect(accepted.status).toBe(201);
    } finally {
      await closed.stop();
    }
  });

  it('EMAIL_VERIFICATION=required: nothing but /auth opens before the address is proven', async () => {
    const { token, email } = await other.signUp();
    const mint = () =>
      other.call('POST', '/api/v1/keys', { token, body: { name: 'x', scopes: ['apps:read'] } });
    const refused = await mint();
    expect([refused.status, refused.body.error.code]).toEqual([403, 'missing_scope']);
    expect((await other.call('GET', '/api/v1/auth/session', { token })).status).toBe(200);
    const body = { token: tokenOf(await mailTo(email)) };
    expect((await other.call('POST', '/api/v1/auth/verify-email', { body, token })).status).toBe(200);
    expect((await other.call('POST', '/api/v1/auth/verify-email', { body, token })).status).toBe(400);
    expect((await mint()).status).toBe(201);
  });

  it('the link that proves an address works for the person of the account alone: a session or the password', async () => {
    const { email } = await other.signUp();
    const stranger = await other.signUp();
    const mail = await mailTo(email);
    expect(mail).toContain('do nothing');
    const confirm = (more: object, token?: string) =>
      other.call('POST', '/api/v1/auth/verify-email', {
        body: { token: tokenOf(mail), ...more },
        ...(token === undefined ? {} : { token }),
      });
    const refused = [
      await confirm({}),
      await confirm({}, stranger.token),
      await confirm({ password: 'not the password' }),
    ];
    for (const { status, body } of refused) {
      expect([status, body.error.message]).toEqual([400, expect.stringMatching(/^password /)]);
    }
    expect((await confirm({ password }, stranger.token)).status).toBe(200);
  });

  it('EMAIL_VERIFICATION=required: the link outlives an outage of mail; a sign-in sends another, three an hour', async () => {
    try {
      const attempts = async (email: string) =>
        (await admin.query('select attempts from gateway.mails where recipient = $1', [email])).rows;
      inbox.isRefusing = true;
      const { email } = await other.signUp();
      const hurry = async () => {
        await admin.query('update gateway.mails set due_at = now() where recipient = $1', [email]);
        await admin.query('notify gateway_mails');
      };
      await eventually(async () => {
        await hurry();
        expect((await attempts(email))[0].attempts).toBeGreaterThanOrEqual(5);
      }, 8_000);
      inbox.isRefusing = false;
      await eventually(async () => {
        await hurry();
        expect(await attempts(email)).toEqual([]);
      }, 8_000);
      expect(tokenOf(await mailTo(email))).not.toBe('');

      const second = await other.signUp();
      const signIn = () =>
        other.call('POST', '/api/v1/auth/sign-in', { body: { email: second.email, password } });
      for (let nth = 1; nth <= 4; nth += 1) {
        await eventually(async () => expect(await attempts(second.email)).toEqual([]), 5_000);
        expect((await signIn()).status).toBe(200);
      }
      await eventually(async () => expect(await attempts(second.email)).toEqual([]), 5_000);
      expect(mails.filter(({ to }) => to === second.email)).toHaveLength(3);
      // Another kind has its own three.
      await send('POST', '/auth/password-reset', undefined, { email: second.email });
      expect(await mailTo(second.email, 4)).toContain('reset-password');
    } finally {
      inbox.isRefusing = false;
    }
  });

  it('does not start with half of the mail settings, or with verification and no mail', async () => {
    for (const change of [
      { SMTP_URL: env.SMTP_URL ?? '' },
      { MAIL_FROM: 'a@example.com' },
      { EMAIL_VERIFICATION: 'required' },
    ]) {
      await expect(startTestGateway({}, { env: change, database: gateway.database })).rejects.toThrow(
        /SMTP_URL|MAIL_FROM/,
      );
    }
  });
});

describe('the audit log', () => {
  it('has a row for each action, in order, for owners alone, without secrets', async () => {
    // So that the rows' positions have 5 digits and 6.
    await admin.query('alter table gateway.audit_events alter column position restart with 99995');
    const owner = await gateway.signUp();
    const ip = randomIp();
    await gateway.call('POST', '/api/v1/auth/sign-in', {
      body: { email: owner.email, password: 'wrong' },
      ip,
    });
    // The row is written after the answer.
    await eventually(async () => {
      expect((await send('GET', '/audit', owner.token)).body.data).toHaveLength(3);
    });
    const minted = await gateway.mint(owner.token, ['apps:read']);
    await send('DELETE', `/keys/${minted.id}`, owner.token);
    const withdrawn = await invite(owner.token, newEmail(), 'viewer');
    await send('DELETE', `/workspace/invitations/${withdrawn.id}`, owner.token);
    const email = newEmail();
    const { url } = await invite(owner.token, email, 'editor');
    const joined = (
      await send('POST', '/auth/invitations/accept', undefined, { token: tokenOf(url), password })
    ).body.data;
    await send('PATCH', `/workspace/members/${joined.user.id}`, owner.token, { role: 'viewer' });
    await send('DELETE', `/workspace/members/${joined.user.id}`, owner.token);
    await send('PATCH', '/workspace', owner.token, { approvalPolicy: { requireVersion: true } });
    await send('POST', '/auth/password', owner.token, { current: password, password: 'a new correct horse' });
    const all = (await send('GET', '/audit', owner.token)).body;
    expect(all.data.map((row: { action: string }) => row.action)).toEqual([
      'auth.sign_up',
      'auth.sign_in',
      'auth.sign_in_failed',
      'key.created',
      'key.revoked',
      'member.invited',
      'member.invitation_withdrawn',
      'member.invited',
      'member.joined',
      'auth.sign_up',
      'auth.sign_in',
      'member.role_changed',
      'member.removed',
      'policy.changed',
      'auth.password_changed',
    ]);
    expect(all.data[2]).toMatchObject({ actor: { kind: 'anonymous', id: null }, address: ip });
    expect(all.data[6]).toMatchObject({ subject: { id: withdrawn.id }, detail: { role: 'viewer' } });
    expect(all.data[11]).toMatchObject({
      id: expect.stringMatching(/^audit_/),
      actor: { kind: 'person', name: owner.email },
      subject: { kind: 'user', id: joined.user.id },
      requestId: expect.stringMatching(/^req_/),
      detail: { from: 'editor', to: 'viewer' },
    });
    for (const secret of [minted.key, tokenOf(url), password, owner.token]) {
      expect(JSON.stringify(all)).not.toContain(secret);
    }
    const page = (await send('GET', '/audit?limit=4', owner.token)).body;
    const rest = (await send('GET', `/audit?after=${page.nextCursor}`, owner.token)).body;
    expect([...page.data, ...rest.data]).toEqual(all.data);
    expect((await send('GET', `/audit?after=${rest.nextCursor}`, owner.token)).body).toEqual({
      data: [],
      nextCursor: rest.nextCursor,
    });
    const newest = (await send('GET', '/audit?order=newest&limit=4', owner.token)).body;
    const older = (await send('GET', `/audit?order=newest&before=${newest.previousCursor}`, owner.token))
      .body;
    expect([...newest.data, ...older.data]).toEqual(all.data.toReversed());
    expect([newest.nextCursor, older.previousCursor]).toEqual([rest.nextCursor, null]);
    const only = async (query: string) => {
      const { data } = (await send('GET', `/audit?${query}`, owner.token)).body;
      return data.map((row: { action: string }) => row.action);
    };
    expect(await only('action=key')).toEqual(['key.created', 'key.revoked']);
    expect(await only('action=k')).toEqual([]);
    expect(await only('order=newest&limit=1&action=member.invited')).toEqual(['member.invited']);
    expect(await only(`action=auth&actorId=${joined.user.id}`)).toEqual(['auth.sign_up', 'auth.sign_in']);
    const wrong = await send('GET', '/audit?after=x', owner.token);
    expect([wrong.status, wrong.body.error.message]).toEqual([400, expect.stringContaining('after')]);
    await expect(admin.query('update gateway.audit_events set action = $1', ['x'])).rejects.toThrow(
      'append-only',
    );
    await expect(admin.query('delete from gateway.audit_events')).rejects.toThrow('append-only');
  });
});

it('failed sign-ins of two people in the same workspaces wait for each other at most once', async () => {
  const [one, two] = [await gateway.signUp(), await gateway.signUp()];
  const links = [await invite(two.token, one.email), await invite(one.token, two.email)];
  for (const [nth, { token }] of [one, two].entries()) {
    const body = { token: tokenOf(links[nth]?.url ?? '') };
    expect((await send('POST', '/auth/invitations/accept', token, body)).status).toBe(200);
  }
  // Each holds its first workspace until the other has its first.
  await admin.query(`create function gateway.wait_a_little() returns trigger language plpgsql as
    $$ begin perform pg_sleep(0.2); return new; end $$`);
  await admin.query(`create trigger slow before insert on gateway.audit_events
    for each row execute function gateway.wait_a_little()`);
  try {
    const answers = await Promise.all(
      [one, two].map(({ email }) => send('POST', '/auth/sign-in', undefined, { email, password: 'wrong' })),
    );
    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
    // Written after the answers: a row of each person in each of the two workspaces.
    await eventually(async () => {
      const { rows } = await admin.query(
        `select from gateway.audit_events join gateway.users on users.id = subject_id
         where action = 'auth.sign_in_failed' and email = any($1)`,
        [[one.email, two.email]],
      );
      expect(rows).toHaveLength(4);
    });
  } finally {
    await admin.query('drop trigger slow on gateway.audit_events');
  }
});

it.each([
  ['lost', `update gateway.members set role = 'viewer' where user_id = $1`],
  ['left', 'delete from gateway.members where user_id = $1'],
])('no key is minted with a role that was %s during the request', async (_name, change) => {
  const { token } = await gateway.signUp();
  const { user } = (await send('GET', '/auth/session', token)).body.data;
  const other = new pg.Client({ connectionString: gateway.database.url });
  await other.connect();
  await other.query('begin');
  await other.query(change, [user.id]);
  const minting = send('POST', '/keys', token, { name: 'x', scopes: ['apps:write'] });
  await lockWaits(admin);
  await other.query('commit');
  await other.end();
  const { status, body } = await minting;
  expect([status, body.error?.code]).toEqual([403, 'missing_scope']);
});

describe('a request and a transaction that locks more behind it do not wait for each other', () => {
  type Person = { email: string; token: string; accountId: string; userId: string };
  const workspace = ({ accountId }: Person) =>
    `select 1 from gateway.workspaces where account_id = '${accountId}' for update`;
  const member = ({ userId }: Person) => `update gateway.members set role = role where user_id = '${userId}'`;
  const sessions = ({ userId }: Person) =>
    `select 1 from gateway.sessions where user_id = '${userId}' for update`;
  const audit = ({ accountId }: Person) =>
    `select pg_advisory_xact_lock(hashtext('audit of an account'), hashtext('${accountId}'))`;

  it.each<[string, typeof audit, typeof audit, (person: Person) => Promise<() => ReturnType<typeof send>>]>([
    [
      'an invitation is accepted',
      workspace,
      audit,
      async ({ token: owner }) => {
        const token = tokenOf((await invite(owner, newEmail())).url);
        return () => send('POST', '/auth/invitations/accept', undefined, { token, password });
      },
    ],
    [
      'a sign-in ends a session that expired',
      sessions,
      audit,
      async ({ email, userId }) => {
        await admin.query('update gateway.sessions set expires_at = now() where user_id = $1', [userId]);
        return () => send('POST', '/auth/sign-in', undefined, { email, password });
      },
    ],
    [
      'a key is made',
      member,
      sessions,
      async ({ token }) =>
        () =>
          send('POST', '/keys', token, { name: 'x', scopes: ['apps:read'] }),
    ],
    [
      'a password is reset',
      ({ userId }) => `select 1 from gateway.users where id = '${userId}' for update`,
      ({ userId }) => `select 1 from gateway.one_time_links where subject_id = '${userId}' for update`,
      async ({ email }) => {
        await send('POST', '/auth/password-reset', undefined, { email });
        const body = { token: tokenOf(await mailTo(email)), password: 'another correct horse' };
        return () => send('POST', '/auth/password-reset/confirm', undefined, body);
      },
    ],
    [
      'notifications are chosen',
      workspace,
      member,
      async ({ token }) =>
        () =>
          send('PATCH', '/workspace/notifications', token, {
            decksWaiting: 'daily',
            pushKinds: ['post_due'],
          }),
    ],
  ])('%s', async (_name, first, then, prepare) => {
    const { token, email } = await gateway.signUp();
    const { user, workspaceId } = (await send('GET', '/auth/session', token)).body.data;
    const accountId = workspaceId.replace('workspace_', 'acct_');
    const person = { email, token, accountId, userId: user.id };
    const ask = await prepare(person);
    const other = new pg.Client({ connectionString: gateway.database.url });
    await other.connect();
    try {
      await other.query('begin');
      await other.query(first(person));
      const asking = ask();
      const waits = eventually(async () => {
        // Not the worker that writes when sessions were last used.
        const { rows } = await admin.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
             and query not like '%last_used_at%'`,
        );
        expect(rows).toHaveLength(1);
      });
      await Promise.race([asking, waits]);
      await other.query(then(person));
      await other.query('commit');
      expect((await asking).status).toBeLessThan(300);
    } finally {
      await other.end();
    }
  });
});

it('mails about slowed sign-ins come once a day', async () => {
  const { email } = await gateway.signUp();
  const told = () => mails.filter(({ to }) => to === email).length;
  const slow = async () => {
    await admin.query(
      `insert into gateway.mails (id, kind, recipient, subject_id, due_at, created_at)
       values ('mail_' || gen_random_uuid(), 'sign_in_slowed', $1, '', now(), now())`,
      [email],
    );
    await admin.query('notify gateway_mails');
    await eventually(async () => {
      const { rows } = await admin.query('select 1 from gateway.mails where recipient = $1', [email]);
      expect(rows).toEqual([]);
    }, 5_000);
  };
  await slow();
  await slow();
  expect(told()).toBe(1);
  await admin.query(`update gateway.users set slowed_mail_at = now() - interval '25 h' where email = $1`, [
    email,
  ]);
  await slow();
  expect(told()).toBe(2);
});

it('a mail that is due later is not asked for without a pause where the clock of the machine is ahead', async () => {
  const commits = async (): Promise<number> => {
    const { rows } = await admin.query(
      'select xact_commit::int as count from pg_stat_database where datname = current_database()',
    );
    return rows[0].count;
  };
  clock = new Date(Date.now() - 60_000);
  await admin.query(
    `insert into gateway.mails (id, kind, recipient, subject_id, due_at, created_at)
     values ('mail_later', 'sign_in_slowed', 'later@example.com', '', $1::timestamptz + interval '30 s', $1)`,
    [clock],
  );
  await admin.query('notify gateway_mails');
  // Postgres counts transactions, here those of earlier tests, up to a second late.
  await delay(1_200);
  const before = await commits();
  await delay(800);
  // A loop without a pause made over 900, the other workers about 50.
  expect((await commits()) - before).toBeLessThan(250);
  clock = null;
  await admin.query(`delete from gateway.mails where id = 'mail_later'`);
  await admin.query('notify gateway_mails');
});

it('no token of a link and no key is in the database', async () => {
  const owner = await gateway.signUp();
  const body = { name: 'mine', scopes: ['apps:read'] };
  const { key } = (await send('POST', '/keys', owner.token, body, { 'idempotency-key': 'mine' })).body.data;
  const email = newEmail();
  const { url } = await invite(owner.token, email);
  const mailed = tokenOf(await mailTo(email));
  for (const table of [
    'one_time_links',
    'mails',
    'invitations',
    'idempotency_keys',
    'audit_events',
    'api_keys',
  ]) {
    const { rows } = await admin.query(`select t::text as text from gateway.${table} t`);
    const text = rows.map(row => row.text).join('\n');
    // A mail is deleted once it is sent.
    if (table !== 'mails') expect(text).not.toBe('');
    for (const secret of [tokenOf(url), mailed, key]) expect(text).not.toContain(secret);
  }
});

it('a change of notifications is made whole or not at all', async () => {
  const { token } = await gateway.signUp();
  await admin.query('alter table gateway.members add constraint told check (cardinality(push_kinds) > 0)');
  const refused = await send('PATCH', '/workspace/notifications', token, { weekly: false, pushKinds: [] });
  await admin.query('alter table gateway.members drop constraint told');
  expect([refused.status, refused.body.error.code]).toEqual([502, 'db_error']);
  expect((await send('GET', '/workspace/notifications', token)).body.data.weekly).toBe(true);
});

it('an invitation that is older than 7 days is not listed as open', async () => {
  const { token } = await gateway.signUp();
  const { id } = await invite(token, newEmail());
  const list = async () => (await send('GET', '/workspace/invitations', token)).body.data;
  expect(await list()).toMatchObject([{ id }]);
  await admin.query('update gateway.invitations set expires_at = now() where id = $1', [id]);
  expect(await list()).toEqual([]);
});

it('a key that is made while a reset ends all keys ends too', async () => {
  const { token, email } = await gateway.signUp();
  await send('POST', '/auth/password-reset', undefined, { email });
  const link = tokenOf(await mailTo(email));
  await admin.query('begin');
  await admin.query(
    'select 1 from gateway.members m join gateway.users u on u.id = m.user_id where email = $1 for update of m',
    [email],
  );
  const minting = send('POST', '/keys', token, { name: 'late', scopes: ['apps:read'] });
  await lockWaits(admin);
  const fresh = 'another correct horse';
  const body = { token: link, password: fresh, revokeKeys: true };
  const resetting = send('POST', '/auth/password-reset/confirm', undefined, body);
  await Promise.race([resetting, delay(1_000)]);
  await admin.query('commit');
  await minting;
  expect((await resetting).status).toBe(200);
  const signedIn = await send('POST', '/auth/sign-in', undefined, { email, password: fresh });
  const { data } = (await send('GET', '/keys', signedIn.body.data.session.token)).body;
  expect(data.filter((key: { revokedAt: string | null }) => key.revokedAt === null)).toEqual([]);
});
