/** JWTs of an OIDC issuer as sessions, against a real issuer on loopback. */
import { eventually } from '@hookline/testing/eventually';
import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createOidcIssuer } from '../src/adapters/oidc-issuer.ts';
import { startTestIssuer, type TestIssuer } from './oidc-issuer-server.ts';
import { randomIp, silent, startTestGateway, type TestGateway } from './world.ts';

const audience = 'hookline-api';
let issuer: TestIssuer;
let gateway: TestGateway;

beforeAll(async () => {
  issuer = await startTestIssuer();
  gateway = await startTestGateway({}, { env: { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: audience } });
});
afterAll(async () => {
  await gateway?.stop();
  await issuer?.stop();
});

/** A claim given as undefined is left out. */
function claims(more: { [K in keyof JWTPayload]: JWTPayload[K] | undefined } = {}): JWTPayload {
  const nowSeconds = Math.floor(Date.now() / 1000);
  return {
    iss: issuer.url,
    aud: audience,
    sub: 'ann',
    iat: nowSeconds,
    exp: nowSeconds + 600,
    ...more,
  } as JWTPayload;
}

const whoIs = (token: string, on = gateway) => on.call('GET', '/api/v1/auth/session', { token });

describe('GET /v1/auth/session with a JWT of the issuer', () => {
  it('200 with the user and the session that the token is; nothing of it stored', async () => {
    const token = await issuer.sign(claims({ email: 'ann@example.com', email_verified: true, name: 'Ann' }));
    const answer = await whoIs(token);
    expect(answer.status).toBe(200);
    const { user, session } = answer.body.data;
    expect(user).toMatchObject({ email: 'ann@example.com', name: 'Ann' });
    expect(user.id).toMatch(/^user_/);
    expect(session.id).toMatch(/^session_[\w-]{24}$/);
    const { exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    expect(Date.parse(session.expiresAt)).toBe(exp * 1000);
    expect((await whoIs(token)).body).toEqual(answer.body);
  });

  it('the same sub is the same user and account, another sub another; also for 20 first requests at once', async () => {
    const tokens = await Promise.all(
      Array.from({ length: 20 }, (_, n) => issuer.sign(claims({ sub: 'bea', jti: `t${n}` }))),
    );
    const users = await Promise.all(tokens.map(token => whoIs(token)));
    expect(users.map(answer => answer.status)).toEqual(Array(20).fill(200));
    expect(new Set(users.map(answer => answer.body.data.user.id)).size).toBe(1);
    const [first = '', second = ''] = tokens;
    const minted = await gateway.mint(first, ['apps:read']);
    const seen = await gateway.call('GET', '/api/v1/keys', { token: second });
    expect(seen.body.data.map((key: { id: string }) => key.id)).toEqual([minted.id]);
    const other = await issuer.sign(claims({ sub: 'cora' }));
    expect((await gateway.call('GET', '/api/v1/keys', { token: other })).body.data).toEqual([]);
  });

  it('a token of the last 10 minutes confirms what others confirm by their password', async () => {
    const nowSeconds = Math.floor(Date.now() / 1000);
    const ask = async (method: string, path: string, body: object, ageSeconds = 0, more: JWTPayload = {}) => {
      const token = await issuer.sign(claims({ sub: 'finn', iat: nowSeconds - ageSeconds, ...more }));
      return (await gateway.call(method, `/api/v1${path}`, { token, body })).status;
    };
    expect(await ask('DELETE', '/workspace', {})).toBe(200);
    expect(await ask('PATCH', '/workspace', { name: 'x' })).toBe(409);
    expect(await ask('POST', '/workspace/restore', {}, 11 * 60)).toBe(403);
    // Refreshed now, after a sign-in of an hour ago.
    expect(await ask('POST', '/workspace/restore', {}, 0, { auth_time: nowSeconds - 3_600 })).toBe(403);
    expect(await ask('POST', '/workspace/restore', {}, -120)).toBe(403);
    expect(await ask('POST', '/workspace/restore', {})).toBe(200);
    expect(await ask('PATCH', '/workspace', { name: 'x' })).toBe(200);
  });

  it('email is null until the issuer reports a verified one, and follows its changes', async () => {
    const tell = async (more: JWTPayload) =>
      (await whoIs(await issuer.sign(claims({ sub: 'dan', ...more })))).body.data.user.email;
    expect(await tell({})).toBeNull();
    expect(await tell({ email: 'dan@example.com' })).toBeNull();
    expect(await tell({ email: 'dan@example.com', email_verified: false })).toBeNull();
    expect(await tell({ email: 'dan@example.com', email_verified: true })).toBe('dan@example.com');
    expect(await tell({ email: 'dan@example.org', email_verified: 'true' })).toBe('dan@example.org');
    expect(await tell({ email: 'dan@example.net' })).toBe('dan@example.org');
  });

  it('an address that was stored before the issuer was asked whether it is verified counts once it is', async () => {
    const sub = 'hal';
    const first = await issuer.sign(claims({ sub }));
    const { user } = (await whoIs(first)).body.data;
    const admin = new pg.Client({ connectionString: gateway.database.url });
    await admin.connect();
    // As the version before stored it.
    await admin.query('update gateway.oidc_users set email = $2 where id = $1', [user.id, 'hal@example.com']);
    await admin.end();
    const tell = async (more: JWTPayload = {}) => {
      const token = await issuer.sign(claims({ sub, ...more }));
      const { email, emailVerified } = (
        await gateway.call('GET', '/api/v1/workspace/notifications', { token })
      ).body.data;
      return [email, emailVerified];
    };
    expect(await tell()).toEqual([null, false]);
    expect(await tell({ email: 'hal@example.com', email_verified: false })).toEqual([null, false]);
    expect(await tell({ email: 'hal@example.com', email_verified: true })).toEqual(['hal@example.com', true]);
    expect(await tell()).toEqual(['hal@example.com', true]);
    expect(await tell({ email: 'hal@example.org', email_verified: true })).toEqual(['hal@example.org', true]);
  });

  it('the first token of a person leaves one row in the audit log', async () => {
    const token = await issuer.sign(claims({ sub: 'gil' }));
    const { user } = (await whoIs(token)).body.data;
    await whoIs(token);
    expect((await gateway.call('GET', '/api/v1/audit', { token })).body.data).toMatchObject([
      { action: 'auth.sign_in', subject: { kind: 'user', id: user.id }, detail: { method: 'oidc' } },
    ]);
  });

  it('20 new people an hour from one address', async () => {
    const ip = randomIp();
    const open = async (nth: number) => {
      const token = await issuer.sign(claims({ sub: `many${nth}` }));
      return (await gateway.call('GET', '/api/v1/auth/session', { token, ip })).status;
    };
    const statuses = await Promise.all(Array.from({ length: 21 }, (_, nth) => open(nth)));
    expect(statuses.sort()).toEqual([...Array(20).fill(200), 429]);
  });

  it.each(['invite', 'closed'])('SIGN_UP=%s: a new person needs an invitation', async mode => {
    const env = { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: audience, SIGN_UP: mode };
    const shut = await startTestGateway({}, { env, database: gateway.database });
    try {
      const sub = `late-${mode}`;
      const token = await issuer.sign(claims({ sub, email: `${sub}@example.com`, email_verified: true }));
      const refused = await whoIs(token, shut);
      expect([refused.status, refused.body.error.code]).toEqual([403, 'missing_scope']);
      const owner = await issuer.sign(claims({ sub: 'owner' }));
      const { workspaceId } = (await whoIs(owner)).body.data;
      const invited = await gateway.call('POST', '/api/v1/workspace/invitations', {
        token: owner,
        body: { email: `${sub}@example.com`, role: 'viewer' },
      });
      const accept = (link: string) =>
        shut.call('POST', '/api/v1/auth/invitations/accept', { token, body: { token: link } });
      expect((await accept(`link_${'x'.repeat(43)}`)).status).toBe(400);
      expect((await whoIs(token, shut)).status).toBe(403);
      const accepted = await accept(invited.body.data.url.split('=')[1]);
      expect([accepted.status, accepted.body.data.user.email]).toEqual([200, `${sub}@example.com`]);
      expect((await whoIs(token, shut)).body.data.workspaceId).toBe(workspaceId);
      const own = await shut.call('GET', '/api/v1/auth/workspaces', { token });
      expect(own.body.data.map(({ id }: { id: string }) => id)).toEqual([workspaceId]);
    } finally {
      await shut.stop();
    }
  });

  it('accepts an invitation for a person without a workspace', async () => {
    const owner = await gateway.call('GET', '/api/v1/auth/session', {
      token: await issuer.sign(claims({ sub: 'owner' })),
    });
    const eve = { sub: 'eve', email: 'eve@example.com', email_verified: true };
    const token = await issuer.sign(claims(eve));
    const { user } = (await whoIs(token)).body.data;
    const admin = new pg.Client({ connectionString: gateway.database.url });
    await admin.connect();
    await admin.query('delete from gateway.members where user_id = $1', [user.id]);
    await admin.end();
    expect((await whoIs(token)).status).toBe(403);
    const invited = await gateway.call('POST', '/api/v1/workspace/invitations', {
      token: await issuer.sign(claims({ sub: 'owner' })),
      body: { email: 'eve@example.com', role: 'viewer' },
    });
    const accept = await gateway.call('POST', '/api/v1/auth/invitations/accept', {
      token,
      body: { token: invited.body.data.url.split('=')[1] },
    });
    expect([accept.status, accept.body.data.user.id]).toEqual([200, user.id]);
    expect((await whoIs(token)).body.data.workspaceId).toBe(owner.body.data.workspaceId);
    const again = await gateway.call('POST', '/api/v1/workspace/invitations', {
      token: await issuer.sign(claims({ sub: 'owner' })),
      body: { email: 'Eve@example.com', role: 'viewer' },
    });
    expect([again.status, again.body.error.message]).toEqual([400, expect.stringContaining('email')]);
  });

  it('is not joined with the password user of the same address', async () => {
    const { token, email } = await gateway.signUp();
    await gateway.mint(token, ['apps:read']);
    const foreign = await issuer.sign(claims({ sub: 'mallory', email, email_verified: true }));
    expect((await gateway.call('GET', '/api/v1/keys', { token: foreign })).body.data).toEqual([]);
    expect((await whoIs(token)).status).toBe(200);
  });

  it.each<[string, () => Promise<string>]>([
    ['another audience', () => issuer.sign(claims({ aud: 'someone-else' }))],
    ['no audience', () => issuer.sign(claims({ aud: undefined }))],
    ['another issuer', () => issuer.sign(claims({ iss: 'https://issuer.example' }))],
    ['an expiry in the past', () => issuer.sign(claims({ exp: Math.floor(Date.now() / 1000) - 60 }))],
    ['no expiry', () => issuer.sign(claims({ exp: undefined }))],
    ['a start in the future', () => issuer.sign(claims({ nbf: Math.floor(Date.now() / 1000) + 600 }))],
    ['no sub', () => issuer.sign(claims({ sub: undefined }))],
    ['the type of a logout token', () => issuer.sign(claims(), { typ: 'logout+jwt' })],
    ['a key that the set does not hold', () => issuer.sign(claims(), { kid: 'k99' })],
    ['alg none', async () => new UnsecuredJWT(claims()).encode()],
    [
      'HS256 with the public key as secret',
      async () =>
        new SignJWT(claims())
          .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
          .sign(new TextEncoder().encode(await issuer.publicPem())),
    ],
    [
      'a changed payload under the old signature',
      async () => {
        const [header, , signature] = (await issuer.sign(claims())).split('.');
        const payload = Buffer.from(JSON.stringify(claims({ sub: 'root' }))).toString('base64url');
        return `${header}.${payload}.${signature}`;
      },
    ],
    ['three parts of nonsense', async () => 'a.b.c'],
  ])('401 unauthorized for %s', async (_name, makeToken) => {
    const answer = await whoIs(await makeToken());
    expect([answer.status, answer.body.error.code]).toEqual([401, 'unauthorized']);
  });
});

describe('the other routes', () => {
  it('401 unauthorized with a JWT where an API key belongs, and the issuer is not asked', async () => {
    const token = await issuer.sign(claims());
    const before = { ...issuer.asked };
    const answer = await gateway.call('GET', '/api/v1/apps', { token });
    expect([answer.status, answer.body.error.code]).toEqual([401, 'unauthorized']);
    expect(issuer.asked).toEqual(before);
  });

  it('a key minted with a JWT works, and our own sessions keep working', async () => {
    const { key } = await gateway.mint(await issuer.sign(claims()), ['credits:read']);
    // No service owns /credits in this test: a request that passes the key check gets 503.
    expect((await gateway.call('GET', '/api/v1/credits', { token: key })).status).toBe(503);
    const { token } = await gateway.signUp();
    expect((await whoIs(token)).status).toBe(200);
  });

  it('POST /v1/auth/sign-out: 400 saying that only the issuer can end the token, which stays valid', async () => {
    const token = await issuer.sign(claims());
    const answer = await gateway.call('POST', '/api/v1/auth/sign-out', { token });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
    expect(answer.body.error.message).toContain('sign out at the issuer');
    expect((await whoIs(token)).status).toBe(200);
  });
});

describe('without a client of the issuer', () => {
  it('nobody signs in by redirect, and the page of the sign-in knows', async () => {
    const options = await gateway.call('GET', '/console/api/v1/sign-in-options');
    expect(options.body).toEqual({ data: { signUp: 'open', oidc: null } });
    for (const path of ['/console/oidc/start', '/console/oidc/callback?code=x&state=y']) {
      const { status, body } = await gateway.call('GET', path);
      expect([status, body.error.code]).toEqual([404, 'not_found']);
    }
  });
});

describe('the issuer', () => {
  afterEach(() => issuer.failWith(null));

  it('is asked once for its document and once for its keys, whatever many tokens come', async () => {
    const fresh = verifier();
    const token = await issuer.sign(claims());
    const before = { ...issuer.asked };
    await Promise.all(Array.from({ length: 50 }, () => fresh.verify(token)));
    expect(countsSince(before)).toEqual([1, 1]);
  });

  it('a rotated key is accepted and the old one is not, once the set was fetched again', async () => {
    const fresh = verifier(0);
    const old = await issuer.sign(claims());
    expect(await fresh.verify(old)).not.toBeNull();
    await issuer.rotate();
    expect(await fresh.verify(await issuer.sign(claims()))).not.toBeNull();
    expect(await fresh.verify(old)).toBeNull();
  });

  it('unknown keys make it fetch the set at most once per cool-down', async () => {
    const fresh = verifier();
    await fresh.verify(await issuer.sign(claims()));
    const before = { ...issuer.asked };
    for (let n = 0; n < 20; n += 1) {
      expect(await fresh.verify(await issuer.sign(claims(), { kid: `x${n}` }))).toBeNull();
    }
    expect(countsSince(before)).toEqual([0, 0]);
  });

  it.each<[string, () => void]>([
    ['answers 500', () => issuer.failWith(500)],
    [
      'names another issuer in its document',
      () => Object.assign(issuer.discovery, { issuer: 'https://x.example' }),
    ],
    ['leads to no key set', () => Object.assign(issuer.discovery, { jwks_uri: 'file:///etc/passwd' })],
  ])('503 service_unavailable, not 401, while it %s', async (_name, breakIt) => {
    breakIt();
    try {
      const fresh = verifier();
      await expect(fresh.verify(await issuer.sign(claims()))).rejects.toMatchObject({
        status: 503,
        code: 'service_unavailable',
      });
    } finally {
      for (const name of Object.keys(issuer.discovery)) delete issuer.discovery[name];
    }
  });

  it('503 service_unavailable within 5 s while it says nothing', async () => {
    issuer.failWith('silence');
    const began = performance.now();
    await expect(verifier().verify(await issuer.sign(claims()))).rejects.toMatchObject({ status: 503 });
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it('503 with Retry-After on the gateway while it is down, and 200 soon after it is back', async () => {
    const other = await startTestIssuer();
    const waiting = await startTestGateway({}, { env: { OIDC_ISSUER: other.url, OIDC_AUDIENCE: audience } });
    try {
      const token = await other.sign(claims({ iss: other.url }));
      await other.stop();
      const down = await whoIs(token, waiting);
      expect([down.status, down.body.error.code]).toEqual([503, 'service_unavailable']);
      expect(Number(down.headers.get('retry-after'))).toBeGreaterThan(0);
      // Readiness does not depend on the issuer.
      expect((await waiting.call('GET', '/readyz')).status).toBe(200);
      expect((await whoIs((await waiting.signUp()).token, waiting)).status).toBe(200);
      await other.start();
      await eventually(async () => expect((await whoIs(token, waiting)).status).toBe(200), 8_000);
      await other.stop();
      // The keys of the issuer are cached now.
      expect((await whoIs(token, waiting)).status).toBe(200);
    } finally {
      await waiting.stop();
      await other.stop();
    }
  });

  function verifier(keyCooldownMs?: number) {
    return createOidcIssuer({
      issuer: issuer.url,
      audience,
      log: silent,
      now: () => new Date(),
      ...(keyCooldownMs === undefined ? {} : { keyCooldownMs }),
    });
  }

  function countsSince(before: Record<string, number>): number[] {
    return ['/.well-known/openid-configuration', '/keys'].map(
      path => (issuer.asked[path] ?? 0) - (before[path] ?? 0),
    );
  }
});

describe('the settings', () => {
  it.each([
    [{ OIDC_ISSUER: 'https://issuer.example' }, 'OIDC_AUDIENCE must be set too'],
    [{ OIDC_AUDIENCE: 'x' }, 'OIDC_ISSUER must be set too'],
    [{ OIDC_ISSUER: 'https://issuer.example', OIDC_CLIENT_ID: 'x' }, 'OIDC_CLIENT_SECRET must be set too'],
    [{ OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'y' }, 'OIDC_ISSUER must be set too'],
    [{ OIDC_EMAIL_DOMAINS: '@corp.example' }, 'OIDC_EMAIL_DOMAINS must be domains'],
    [{ OIDC_ISSUER: 'http://issuer.example', OIDC_AUDIENCE: 'x' }, 'OIDC_ISSUER must be an https URL'],
  ])('%o stops the start with one sentence', async (env, sentence) => {
    await expect(startTestGateway({}, { env, database: gateway.database })).rejects.toThrow(sentence);
  });
});
