import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepCookies, type Person, startTestProvider } from './oidc-provider.ts';
import { type Answer, startTestGateway, type TestGateway } from './world.ts';

const publicUrl = 'https://hookline.example.com';
const provider = perSuite(() => startTestProvider(`${publicUrl}/console/oidc/callback`));
/** Anybody may sign up here. */
let open: TestGateway;
/** Nobody may, and the issuer alone gives out the addresses of corp.example. The same database and keys. */
let closed: TestGateway;
let admin: pg.Client;
let people = 0;

beforeAll(async () => {
  const env = {
    PUBLIC_URL: publicUrl,
    OIDC_ISSUER: provider.url,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
    OIDC_NAME: 'Corp',
  };
  open = await startTestGateway({}, { env });
  closed = await startTestGateway(
    {},
    { env: { ...env, SIGN_UP: 'closed', OIDC_EMAIL_DOMAINS: 'corp.example' }, database: open.database },
  );
  admin = new pg.Client({ connectionString: open.database.url });
  await admin.connect();
});
afterAll(async () => {
  await admin?.end();
  await closed?.stop();
  await open?.stop();
});

type Browser = {
  jar: Map<string, string>;
  get(path: string, on?: TestGateway): Promise<Answer>;
};

function newBrowser(gateway: TestGateway): Browser {
  const jar = new Map<string, string>();
  return {
    jar,
    async get(path, on = gateway) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await on.call('GET', path, { headers: { cookie } });
      keepCookies(jar, answer.headers);
      return answer;
    },
  };
}

function newPerson(more: Partial<Person> = {}): Person {
  people += 1;
  const sub = `sub-${people}`;
  return { sub, email: `${sub}@example.org`, email_verified: true, name: `Person ${people}`, ...more };
}

const locationOf = ({ headers }: Answer) => headers.get('location') ?? '';

/** From the button to the address that the issuer sends the browser back to, on the gateway. */
async function goThere(browser: Browser, person: Person | null, start = '', changed = (url: string) => url) {
  provider.person = person;
  const begun = await browser.get(`/console/oidc/start${start}`);
  expect(begun.status, begun.text).toBe(303);
  const back = await provider.visit(changed(locationOf(begun)));
  expect(back.origin).toBe(publicUrl);
  return back.pathname + back.search;
}

async function signIn(gateway: TestGateway, person: Person, start = '') {
  const browser = newBrowser(gateway);
  const answer = await browser.get(await goThere(browser, person, start));
  return { browser, answer };
}

const whoIs = async (browser: Browser) => (await browser.get('/console/api/v1/auth/session')).body.data;

async function auditOf(userId: string) {
  const { rows } = await admin.query(
    'select action, detail from gateway.audit_events where subject_id = $1 order by position',
    [userId],
  );
  return rows;
}

function expectPage(answer: Answer, status: number, words: string): void {
  expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
  expect(answer.text).toContain(words);
  expect(answer.headers.getSetCookie().join()).not.toContain('hookline_session=s');
}

describe('the journey', () => {
  it('leads from the button through the issuer to the page that was asked for, with a session as a cookie', async () => {
    const person = newPerson();
    const browser = newBrowser(open);
    const options = await browser.get('/console/api/v1/sign-in-options');
    expect(options.body).toEqual({
      data: {
        ...{ signUp: 'open', oidc: { name: 'Corp', url: '/console/oidc/start' } },
        ...{ appName: 'Hookline', privacyUrl: null, termsUrl: null },
      },
    });
    const back = await goThere(browser, person, '?returnTo=/console/posts?tab=x');
    const sealed = browser.jar.get('hookline_oidc') ?? '';
    const answer = await browser.get(back);
    expect([answer.status, locationOf(answer)]).toEqual([303, '/console/posts?tab=x']);
    const [session = ''] = answer.headers
      .getSetCookie()
      .filter(line => line.startsWith('__Host-hookline_session='));
    expect(session).toMatch(
      /^__Host-hookline_session=sess_[\w-]{43}; Expires=[^;]+; HttpOnly; SameSite=Strict; Path=\/; Secure$/,
    );
    expect([...browser.jar.keys()]).toEqual(['__Host-hookline_session']);
    const { user, workspaceId } = await whoIs(browser);
    expect(user).toMatchObject({ email: person.email, name: person.name });
    expect(workspaceId).toMatch(/^workspace_/);
    expect(await auditOf(user.id)).toEqual([
      { action: 'auth.sign_up', detail: { method: 'oidc' } },
      { action: 'auth.sign_in', detail: { method: 'oidc' } },
    ]);
    const sessions = await browser.get('/console/api/v1/auth/sessions');
    expect(sessions.body.data).toMatchObject([{ current: true }]);

    // A copy of the cookie brings the same code and state again.
    browser.jar.set('hookline_oidc', sealed);
    expectPage(await browser.get(back), 400, 'used already');

    // Known from now on, also where nobody signs up, and by whichever gateway finishes.
    const again = newBrowser(open);
    const answered = await again.get(await goThere(again, { ...person, name: 'New name' }), closed);
    expect([answered.status, locationOf(answered)]).toEqual([303, '/console']);
    expect((await whoIs(again)).user).toMatchObject({ id: user.id, name: 'New name' });

    const headers = {
      cookie: `__Host-hookline_session=${again.jar.get('__Host-hookline_session')}`,
      origin: publicUrl,
    };
    expect((await open.call('POST', '/console/api/v1/auth/sign-out', { headers })).status).toBe(200);
    expect((await again.get('/console/api/v1/auth/session')).status).toBe(401);
    expect((await whoIs(browser)).user.id).toBe(user.id);
  });

  it('has a sign-in of the last 10 minutes confirm what others confirm by their password', async () => {
    const person = newPerson();
    const { browser } = await signIn(open, person);
    const { user } = await whoIs(browser);
    const confirm = (by: Browser, method: string, path: string) =>
      open.call(method, `/console/api/v1/workspace${path}`, {
        headers: {
          cookie: `__Host-hookline_session=${by.jar.get('__Host-hookline_session')}`,
          origin: publicUrl,
        },
        body: {},
      });
    const asked = await confirm(browser, 'DELETE', '');
    expect([asked.status, asked.body.data?.deletion]).toEqual([200, expect.anything()]);
    await admin.query(
      `update gateway.sessions set created_at = now() - interval '11 minutes' where user_id = $1`,
      [user.id],
    );
    const late = await confirm(browser, 'POST', '/restore');
    expect([late.status, late.body.error.message]).toEqual([403, expect.stringContaining('Sign in again')]);
    const again = await signIn(open, person);
    const restored = await confirm(again.browser, 'POST', '/restore');
    expect([restored.status, restored.body.data?.deletion]).toEqual([200, null]);
  });

  it('a person who cancels is told so', async () => {
    const browser = newBrowser(open);
    expectPage(await browser.get(await goThere(browser, null)), 403, 'or you cancelled');
  });

  it('HEAD uses up nothing', async () => {
    const browser = newBrowser(open);
    const back = await goThere(browser, newPerson());
    const cookie = `hookline_oidc=${browser.jar.get('hookline_oidc')}`;
    const looked = await open.call('HEAD', back, { headers: { cookie } });
    expect([looked.status, looked.headers.getSetCookie()]).toEqual([200, []]);
    expect((await browser.get(back)).status).toBe(303);
  });
});

describe('what comes back is refused', () => {
  it.each<[string, () => Promise<Answer>]>([
    [
      'with another state',
      async () => {
        const browser = newBrowser(open);
        const back = await goThere(browser, newPerson());
        return await browser.get(back.replace(/state=[^&]+/, 'state=another'));
      },
    ],
    [
      'without the cookie: the sign-in began in another browser',
      async () => await newBrowser(open).get(await goThere(newBrowser(open), newPerson())),
    ],
    [
      'with a cookie that was changed',
      async () => {
        const browser = newBrowser(open);
        const back = await goThere(browser, newPerson());
        const sealed = browser.jar.get('hookline_oidc') ?? '';
        browser.jar.set(
          'hookline_oidc',
          sealed.slice(0, -8) + (sealed.endsWith('A') ? 'BBBBBBBB' : 'AAAAAAAA'),
        );
        return await browser.get(back);
      },
    ],
    [
      'with the code of another sign-in',
      async () => {
        const foreign = new URL(await goThere(newBrowser(open), newPerson()), publicUrl).searchParams;
        const browser = newBrowser(open);
        const back = await goThere(browser, newPerson());
        return await browser.get(back.replace(/code=[^&]+/, `code=${foreign.get('code')}`));
      },
    ],
    [
      'with a foreign nonce in the ID token',
      async () => {
        const browser = newBrowser(open);
        const change = (url: string) => url.replace(/nonce=[^&]+/, 'nonce=another');
        return await browser.get(await goThere(browser, newPerson(), '', change));
      },
    ],
    [
      'from another issuer',
      async () => {
        const browser = newBrowser(open);
        const back = await goThere(browser, newPerson());
        return await browser.get(back.replace(/iss=[^&]+/, 'iss=https%3A%2F%2Fissuer.example'));
      },
    ],
    [
      'without a code',
      async () => {
        const browser = newBrowser(open);
        const back = await goThere(browser, newPerson());
        return await browser.get(back.replace(/code=[^&]+&?/, ''));
      },
    ],
  ])('%s', async (_name, come) => {
    expectPage(await come(), 400, 'begin again');
  });

  it('without a verified address; a known person sees it in the audit log', async () => {
    expectPage((await signIn(open, newPerson({ email_verified: false }))).answer, 403, 'has not verified');
    expectPage((await signIn(open, { sub: 'sub-without' })).answer, 403, 'has not verified');
    const person = newPerson();
    const { user } = await whoIs((await signIn(open, person)).browser);
    expectPage((await signIn(open, { ...person, email_verified: false })).answer, 403, 'has not verified');
    expect((await auditOf(user.id)).at(-1)).toEqual({
      action: 'auth.sign_in_failed',
      detail: { method: 'oidc', reason: 'email_not_verified' },
    });
  });
});

describe('who may come in', () => {
  it('a new person where nobody signs up needs an invitation, whose link joins on the way', async () => {
    const person = newPerson({ name: '<b>Eve</b>' });
    expectPage((await signIn(closed, person)).answer, 403, 'Ask an owner of a workspace for an invitation');
    const { rows } = await admin.query('select 1 from gateway.oidc_users where subject = $1', [person.sub]);
    expect(rows).toEqual([]);

    const owner = await open.signUp();
    const invited = await open.call('POST', '/api/v1/workspace/invitations', {
      token: owner.token,
      body: { email: person.email, role: 'editor' },
    });
    const start = `?invitation=${invited.body.data.url.split('=')[1]}`;
    const { answer, browser } = await signIn(closed, person, start);
    expect([answer.status, locationOf(answer)]).toEqual([303, '/console']);
    const { workspaceId, user } = await whoIs(browser);
    const owners = await open.call('GET', '/api/v1/auth/session', { token: owner.token });
    expect(workspaceId).toBe(owners.body.data.workspaceId);
    const own = await browser.get('/console/api/v1/auth/workspaces');
    expect(own.body.data).toMatchObject([{ id: workspaceId, role: 'editor', current: true }]);
    expect((await auditOf(user.id)).map(({ action }) => action)).toEqual([
      'member.joined',
      'auth.sign_up',
      'auth.sign_in',
    ]);
    // The link is used up.
    expectPage((await signIn(closed, newPerson(), start)).answer, 400, 'ask for another invitation');

    // Removed from the only workspace: the person is known and has nowhere to go.
    const removed = await open.call('DELETE', `/api/v1/workspace/members/${user.id}`, { token: owner.token });
    expect(removed.status).toBe(200);
    expect((await browser.get('/console/api/v1/auth/session')).status).toBe(401);
    expectPage((await signIn(closed, person)).answer, 403, 'not a member of any workspace');
  });

  it("is the user who proved the same address, only in a domain that is the issuer's alone", async () => {
    const join = async (address: string) => {
      const answer = await open.call('POST', '/api/v1/auth/sign-up', {
        body: { email: address, password: 'correct horse battery' },
      });
      return answer.body.data.user.id as string;
    };
    const prove = (id: string) =>
      admin.query('update gateway.users set email_verified_at = now() where id = $1', [id]);
    const email = 'Maya@corp.example';
    const maya = newPerson({ email });
    const id = await join('maya@corp.example');
    // Anybody may have signed up with the address.
    expectPage((await signIn(closed, maya)).answer, 403, 'Ask an owner');
    await prove(id);
    // Whoever signed up may be somebody else: nothing of theirs opens the account any more.
    const before = await open.call('POST', '/api/v1/auth/sign-in', {
      body: { email, password: 'correct horse battery' },
    });
    const { token } = before.body.data.session;
    const { key } = await open.mint(token, ['credits:read']);
    await admin.query(
      `insert into gateway.passkeys (id, user_id, credential_id, public_key, sign_count, name, created_at)
       values ('passkey_1', $1, '1', '1', 0, 'x', now())`,
      [id],
    );
    const { browser } = await signIn(closed, maya);
    expect((await admin.query('select 1 from gateway.passkeys where user_id = $1', [id])).rows).toEqual([]);
    const { user, workspaceId } = await whoIs(browser);
    const again = await open.call('POST', '/api/v1/auth/sign-in', {
      body: { email, password: 'correct horse battery' },
    });
    expect(again.status).toBe(401);
    expect((await open.call('GET', '/api/v1/auth/session', { token })).status).toBe(401);
    await eventually(async () =>
      expect((await open.call('GET', '/api/v1/credits', { token: key })).body.error.code).toBe('key_revoked'),
    );
    expect(await auditOf(id)).toContainEqual({
      ...{ action: 'auth.identity_linked', detail: { endedSessions: 2, revokedKeys: 1 } },
    });
    // Nor does a new password, which would be a way past the issuer and its second factor.
    const link = `link_${'a'.repeat(43)}`;
    await admin.query(
      `insert into gateway.one_time_links (token_hash, kind, subject_id, mailed, expires_at, created_at)
       values (sha256($1), 'password_reset', $2, true, now() + interval '1 h', now())`,
      [link, id],
    );
    const reset = await closed.call('POST', '/api/v1/auth/password-reset/confirm', {
      body: { token: link, password: 'another horse battery' },
    });
    expect([reset.status, reset.body.error?.message]).toEqual([
      400,
      'password cannot be set: this person signs in at Corp',
    ]);
    // Nor has an invitation a password to ask for: the sign-in comes first.
    const { token: inviter } = await open.signUp();
    const body = { email, role: 'viewer' };
    const invited = await open.call('POST', '/api/v1/workspace/invitations', { token: inviter, body });
    const accepted = await open.call('POST', '/api/v1/auth/invitations/accept', {
      body: { token: invited.body.data.url.split('=')[1], password: 'correct horse battery' },
    });
    expect([accepted.status, accepted.body.error?.message]).toEqual([
      400,
      'token is for somebody who signs in at Corp: sign in there first, then open the link again',
    ]);
    // They have no password to confirm anything with: the sign-in of a moment ago counts.
    const session = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const asked = await closed.call('DELETE', '/console/api/v1/workspace', {
      body: {},
      headers: { cookie: session, origin: publicUrl },
    });
    expect(asked.status, asked.text).toBe(200);
    await admin.query('delete from gateway.workspace_deletions');
    expect(user).toMatchObject({ id, email: 'maya@corp.example' });
    // Issuer and subject count from now on, whatever the address is.
    const renamed = await signIn(closed, { ...maya, email: 'maya@elsewhere.example' });
    expect((await whoIs(renamed.browser)).user).toEqual(user);
    expect(workspaceId).toBe((await whoIs(renamed.browser)).workspaceId);
    // The issuer gives the address to somebody else.
    expectPage((await signIn(closed, newPerson({ email }))).answer, 403, 'Ask an owner');

    // A domain whose addresses others give out: the issuer may assert any of them.
    const other = newPerson({ email: 'zoe@elsewhere.example' });
    await prove(await join('zoe@elsewhere.example'));
    expectPage((await signIn(closed, other)).answer, 403, 'Ask an owner');
  });

  it('the sessions of a person end with the person', async () => {
    const { browser } = await signIn(open, newPerson());
    const { user } = await whoIs(browser);
    await admin.query('delete from gateway.oidc_users where id = $1', [user.id]);
    const { rows } = await admin.query('select 1 from gateway.sessions where user_id = $1', [user.id]);
    expect(rows).toEqual([]);
  });
});

describe('GET /console/oidc/start', () => {
  it.each([
    ['returnTo=https://evil.example/console', 'returnTo'],
    ['returnTo=//evil.example', 'returnTo'],
    ['returnTo=/docs', 'returnTo'],
    ['returnTo=/console&returnTo=/console', 'returnTo'],
    ['invitation=link_short', 'invitation'],
  ])('400 naming the field for %s', async (query, field) => {
    const answer = await open.call('GET', `/console/oidc/start?${query}`);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
    expect(answer.body.error.message).toMatch(new RegExp(`^${field} must be`));
  });

  it('with an invitation, only from a page of the console', async () => {
    const path = `/console/oidc/start?invitation=link_${'a'.repeat(43)}`;
    for (const site of ['cross-site', 'same-site', 'none']) {
      const answer = await open.call('GET', path, { headers: { 'sec-fetch-site': site } });
      expectPage(answer, 403, 'open the link of the invitation');
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    const own = await open.call('GET', path, { headers: { 'sec-fetch-site': 'same-origin' } });
    expect(own.status).toBe(303);
  });

  it('counts requests per address', async () => {
    const ip = '203.0.113.77';
    const answers = await Promise.all(
      Array.from({ length: 125 }, () => open.call('GET', '/console/oidc/callback', { ip })),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(5);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('the issuer is away', () => {
  it('a page with 503 at either end, and sign-ins work soon after it is back', async () => {
    const browser = newBrowser(open);
    const back = await goThere(browser, newPerson());
    await provider.stop();
    try {
      const answer = await browser.get(back);
      expectPage(answer, 503, 'cannot be reached');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      const fresh = await startTestGateway(
        {},
        {
          database: open.database,
          env: {
            OIDC_ISSUER: provider.url,
            OIDC_CLIENT_ID: provider.clientId,
            OIDC_CLIENT_SECRET: 'wrong',
            PUBLIC_URL: publicUrl,
          },
        },
      );
      try {
        expectPage(await newBrowser(fresh).get('/console/oidc/start'), 503, 'cannot be reached');
        await provider.start();
        // Another process with a wrong secret: the operator's fault, and nothing about it is shown.
        const other = newBrowser(fresh);
        const returned = await eventually(() => goThere(other, newPerson()), 20_000);
        expectPage(await other.get(returned), 503, 'not set up correctly');
      } finally {
        await fresh.stop();
      }
    } finally {
      await provider.start().catch(() => {});
    }
    const { answer } = await eventually(async () => {
      const result = await signIn(open, newPerson());
      expect(result.answer.status).toBe(303);
      return result;
    }, 20_000);
    expect(locationOf(answer)).toBe('/console');
  });
});

describe('without a client of the issuer', () => {
  it('nobody signs in by redirect, and the page of the sign-in knows', async () => {
    const none = await startTestGateway({}, { database: open.database });
    const options = await none.call('GET', '/console/api/v1/sign-in-options');
    expect(options.body.data).toMatchObject({ signUp: 'open', oidc: null });
    for (const path of ['/console/oidc/start', '/console/oidc/callback?code=x&state=y']) {
      const { status, body } = await none.call('GET', path);
      expect([status, body.error.code]).toEqual([404, 'not_found']);
    }
    await none.stop();
  });
});

describe('the settings', () => {
  const client = { OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'y' };
  it.each([
    [{ OIDC_ISSUER: 'https://issuer.example' }, 'OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set too'],
    [{ OIDC_ISSUER: 'https://issuer.example', OIDC_CLIENT_ID: 'x' }, 'OIDC_CLIENT_SECRET must be set too'],
    [client, 'OIDC_ISSUER must be set too'],
    [{ OIDC_EMAIL_DOMAINS: '@corp.example' }, 'OIDC_EMAIL_DOMAINS must be domains'],
    [{ OIDC_ISSUER: 'http://issuer.example', ...client }, 'OIDC_ISSUER must be an https URL'],
  ])('%o stops the start with one sentence', async (env, sentence) => {
    await expect(startTestGateway({}, { env, database: open.database })).rejects.toThrow(sentence);
  });
});
