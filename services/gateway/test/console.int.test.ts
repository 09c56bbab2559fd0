import { type Role, roles, type ServiceName } from '@hookline/shared/contracts/scopes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scopesOfRole } from '../src/identity/standing/roles.rules.ts';
import { publicRoutes } from '../src/public-api.ts';
import { randomIp, startOwner, startTestGateway, type TestGateway, type TestOwner } from './world.ts';

const publicUrl = 'https://hookline.example.com';
let gateway: TestGateway;
const owners = {} as Record<'content' | 'scheduling' | 'automation' | 'analytics', TestOwner>;

beforeAll(async () => {
  for (const name of ['content', 'scheduling', 'automation', 'analytics'] as const) {
    owners[name] = await startOwner(name);
  }
  const urls = Object.fromEntries(Object.entries(owners).map(([name, { url }]) => [name, url]));
  gateway = await startTestGateway(urls as Partial<Record<ServiceName, string>>, {
    env: { PUBLIC_URL: publicUrl, LIMIT_PER_KEY: '150' },
  });
});
afterAll(async () => {
  await gateway?.stop();
  await Promise.all(Object.values(owners).map(owner => owner.close()));
});

const own = { 'sec-fetch-site': 'same-origin' };
const password = 'correct horse battery';

async function browser(): Promise<{ cookie: string; email: string; token: string }> {
  const { email, token } = await gateway.signUp();
  const answer = await gateway.call('POST', '/console/api/v1/auth/sign-in', {
    body: { email, password },
    headers: own,
  });
  expect([answer.status, answer.body.data.session.token]).toEqual([200, undefined]);
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';');
  return { cookie, email, token };
}

const ask = (
  method: string,
  path: string,
  cookie: string,
  headers: Record<string, string> = own,
  body?: unknown,
) =>
  gateway.call(method, `/console/api/v1${path}`, {
    headers: { cookie, ...headers },
    ...(body === undefined ? {} : { body }),
  });

describe('the session of a browser', () => {
  it('is a cookie that no script reads; the body has no token; sign-out ends it', async () => {
    const { email } = await gateway.signUp();
    const signedIn = await gateway.call('POST', '/console/api/v1/auth/sign-in', {
      body: { email, password },
      headers: own,
    });
    const header = signedIn.headers.get('set-cookie') ?? '';
    expect(header).toMatch(
      /^__Host-hookline_session=sess_[\w-]{43}; Expires=[^;]+ GMT; HttpOnly; SameSite=Strict; Path=\/; Secure$/,
    );
    expect(signedIn.text).not.toContain('sess_');
    const [cookie = ''] = header.split(';');
    expect((await ask('GET', '/auth/session', cookie)).body.data.user.email).toBe(email);
    // A page of a sibling host may have set the other one.
    const other = (await browser()).cookie;
    expect((await ask('GET', '/auth/session', `${cookie}; ${other}`)).status).toBe(401);
    expect((await ask('GET', '/auth/session', `${other}; ${cookie}`)).status).toBe(401);
    const out = await ask('POST', '/auth/sign-out', cookie);
    expect([out.status, out.headers.get('set-cookie')]).toEqual([
      200,
      '__Host-hookline_session=; Max-Age=0; HttpOnly; SameSite=Strict; Path=/; Secure',
    ]);
    expect((await ask('GET', '/auth/session', cookie)).status).toBe(401);
  });

  it('is set by sign-up too, without Secure on http', async () => {
    const local = await startTestGateway({}, { database: gateway.database, env: { PORT: '0' } });
    try {
      const body = { email: 'cookie@example.com', password };
      const answer = await local.call('POST', '/console/api/v1/auth/sign-up', { body, headers: own });
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([
        201,
        expect.stringMatching(/^hookline_session=sess_[^;]+;.*SameSite=Strict; Path=\/console$/),
      ]);
    } finally {
      await local.stop();
    }
  });

  it('is dropped once it is gone, and keeps nobody from signing in or accepting an invitation', async () => {
    const { cookie, email, token } = await browser();
    const dropped = '__Host-hookline_session=; Max-Age=0; HttpOnly; SameSite=Strict; Path=/; Secure';
    await gateway.call('DELETE', '/api/v1/auth/sessions', { token });
    for (const [method, path] of [
      ['POST', '/auth/sign-out'],
      ['GET', '/workspace'],
    ] as const) {
      const answer = await ask(method, path, cookie);
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([401, dropped]);
    }
    const invited = await gateway.call('POST', '/api/v1/workspace/invitations', {
      token,
      body: { email: `new.${email}`, role: 'viewer' },
    });
    const body = { token: invited.body.data.url.split('=')[1], password };
    for (const answer of [
      await ask('POST', '/auth/invitations/accept', cookie, own, body),
      await ask('POST', '/auth/sign-in', cookie, own, { email, password }),
    ]) {
      expect([answer.status < 300, answer.headers.get('set-cookie')]).toEqual([
        true,
        expect.stringContaining('=sess_'),
      ]);
    }
  });

  it('means nothing under /api/v1, and a bearer token nothing under /console', async () => {
    const { cookie, token } = await browser();
    for (const path of ['/api/v1/auth/session', '/api/v1/apps']) {
      expect((await gateway.call('GET', path, { headers: { cookie, ...own } })).status).toBe(401);
    }
    const { key } = await gateway.mint(token);
    for (const bearer of [token, key]) {
      expect(
        (await gateway.call('GET', '/console/api/v1/apps', { token: bearer, headers: own })).status,
      ).toBe(401);
    }
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a sibling host', { 'sec-fetch-site': 'same-site' }, 403],
    ['an address bar', { 'sec-fetch-site': 'none' }, 403],
    ['a site that claims our origin too', { 'sec-fetch-site': 'cross-site', origin: publicUrl }, 403],
    ['no header at all', {}, 403],
    ['another Origin', { origin: 'https://evil.example.com' }, 403],
    ['our Origin', { origin: publicUrl }, 200],
    ['our page', own, 200],
  ])('a change from %s: sign-in, sign-out and others alike', async (_name, headers, expected) => {
    const { cookie, email } = await browser();
    const tried = [
      await gateway.call('POST', '/console/api/v1/auth/sign-in', { body: { email, password }, headers }),
      await ask('PATCH', '/workspace', cookie, headers, { name: 'Renamed' }),
      await ask('POST', '/content/x/approve', cookie, headers, {}),
      await ask('POST', '/auth/sign-out', cookie, headers),
    ];
    expect(tried.map(({ status }) => status)).toEqual([expected, expected, expected, expected]);
    if (expected === 403) {
      for (const { body } of tried) expect(body.error.code).toBe('missing_scope');
      // Reading is safe: no other site sees the answer.
      expect((await ask('GET', '/workspace', cookie, headers)).body.data.name).not.toBe('Renamed');
    }
  });
});

describe('the routes of the console', () => {
  const routes = publicRoutes.filter(({ auth, path, contract }) => {
    const endsIt = /\/auth\/(sign-out|sessions|password)|\/members\//.test(path);
    return auth === 'cookie' && contract && !endsIt;
  });

  it.each(roles)('%s: what the scopes and the role open, and nothing else', async role => {
    const { cookie, token } = await browser();
    await setRole(token, role);
    // One browser sends no more than its limit in a minute.
    expect(routes.length).toBeLessThan(150);
    for (const { method, path, scopes, roles: needed, contract } of routes) {
      const body = method === 'POST' || method === 'PATCH' ? { name: 'x', scopes: ['apps:read'] } : undefined;
      const concrete = path.slice('/console/api/v1'.length).replaceAll(/\{\w+\}/g, 'x1');
      const answer = await ask(method, concrete, cookie, { ...own, 'idempotency-key': 'k1' }, body);
      const held = scopes.filter(scope => scopesOfRole(role).includes(scope));
      const isOpen =
        (needed === null || needed.includes(role)) && held.length >= (contract?.anyScope ? 1 : scopes.length);
      expect([contract?.id, answer.status === 403]).toEqual([contract?.id, !isOpen]);
      expect(answer.status).not.toBe(401);
    }
    const seen = owners.content.seen.at(-1);
    expect(seen?.call?.caller).toMatchObject({ keyId: null, scopes: scopesOfRole(role) });
    expect(JSON.stringify(seen?.headers)).not.toContain('sess_');
  });

  it('count a browser like a key', async () => {
    const { cookie } = await browser();
    const create = () =>
      gateway.call('POST', '/console/api/v1/content', {
        body: {},
        headers: { cookie, ...own, 'idempotency-key': 'k1' },
        ip: randomIp(),
      });
    const answers = [];
    for (let nth = 0; nth < 11; nth += 1) answers.push((await create()).status);
    expect(answers).toEqual([...Array.from({ length: 10 }, () => 201), 429]);
  });

  it('say what the windows of the browser leave; those of a key are another matter', async () => {
    const { cookie, token } = await browser();
    await ask('GET', '/apps', cookie);
    const rows = async (answer: Promise<{ body: { data: Record<string, object[]> } }>) => {
      const { windows = [], ceilings = [] } = (await answer).body.data;
      return [...windows, ...ceilings];
    };
    expect(await rows(ask('GET', '/usage', cookie))).toMatchObject([
      { name: 'requests_per_address', limit: 300, used: 0 },
      { name: 'requests', limit: 600, used: 2, resetsAt: expect.stringMatching(/Z$/) },
      { name: 'generations', limit: 10, used: 0, resetsAt: null },
      { name: 'keys', limit: 50, used: 0, resetsAt: null },
    ]);
    const { key } = await gateway.mint(token, ['apps:read']);
    expect(await rows(gateway.call('GET', '/api/v1/usage', { token: key }))).toMatchObject([
      { name: 'requests_per_address', used: 1 },
      { name: 'requests', used: 1 },
      { name: 'generations', used: 0 },
      { name: 'keys', used: 1 },
    ]);
  });

  it('are not in the OpenAPI document', async () => {
    const { text } = await gateway.call('GET', '/api/v1/openapi.json');
    expect(text).not.toContain('/console/api');
  });
});

async function setRole(token: string, role: Role): Promise<void> {
  const { user } = (await gateway.call('GET', '/api/v1/auth/session', { token })).body.data;
  await gateway.admin.query('update gateway.members set role = $2 where user_id = $1', [user.id, role]);
}
