import { randomBytes } from 'node:crypto';
import { scopes } from '@hookline/shared/contracts/scopes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApiKey } from '../src/identity/keys/api-key.rules.ts';
import { publicRoutes } from '../src/public-api.ts';
import { startOwner, startTestGateway, type TestGateway, type TestOwner } from './world.ts';

let gateway: TestGateway;
const owners: TestOwner[] = [];
let session: string;
let clock: Date | null = null;

beforeAll(async () => {
  const names = ['content', 'scheduling', 'automation', 'analytics'] as const;
  for (const name of names) owners.push(await startOwner(name));
  const [content, scheduling, automation, analytics] = owners.map(owner => owner.url);
  gateway = await startTestGateway(
    { content: content!, scheduling: scheduling!, automation: automation!, analytics: analytics! },
    // The matrix sends hundreds of requests with each key.
    {
      env: { LIMIT_PER_KEY: '100000', LIMIT_CONTENT_PER_KEY: '100000' },
      now: () => clock ?? new Date(),
    },
  );
  session = (await gateway.signUp()).token;
});

afterAll(async () => {
  await gateway?.stop();
  await Promise.all(owners.map(owner => owner.close()));
});

const keyRoutes = publicRoutes.filter(route => route.auth === 'key');
const sessionRoutes = publicRoutes.filter(route => route.auth === 'session');
const concrete = (path: string): string => path.replaceAll(/\{\w+\}/g, 'x1');

function send(method: string, path: string, token?: string) {
  return gateway.call(method, concrete(path), {
    ...(token === undefined ? {} : { token }),
    ...(method === 'POST' || method === 'PATCH' || method === 'PUT' ? { body: {} } : {}),
    headers: { 'idempotency-key': 'k1' },
  });
}

describe('scopes', () => {
  const sets = [
    { name: 'all', held: [...scopes] },
    ...scopes.map(scope => ({ name: `only ${scope}`, held: [scope] })),
    ...scopes.map(scope => ({ name: `all but ${scope}`, held: scopes.filter(other => other !== scope) })),
  ];

  it('make at least 700 cases with the routes of the table', () => {
    expect(sets.length * keyRoutes.length).toBeGreaterThanOrEqual(700);
  });

  it.each(sets)('a key with $name opens exactly the routes of the table', async ({ held }) => {
    const { key } = await gateway.mint(session, held);
    for (const route of keyRoutes) {
      const answer = await send(route.method, route.path, key);
      const missing = route.scopes.filter(scope => !(held as string[]).includes(scope));
      if (missing.length < (route.contract?.anyScope ? route.scopes.length : 1)) {
        if (route.path.includes('/review-links')) {
          // The gateway reads the deck first, which the stand-in does not have.
          expect(answer.status).not.toBe(403);
          continue;
        }
        expect([route.path, answer.status]).toEqual([route.path, route.contract?.status]);
        // The stand-ins answer with the name of the route.
        if (route.service !== 'gateway') expect(answer.body.data.route).toBe(route.contract?.id);
      } else {
        expect([route.path, answer.status]).toEqual([route.path, 403]);
        expect(answer.body.error.code).toBe('missing_scope');
        for (const scope of missing) expect(answer.body.error.message).toContain(scope);
      }
    }
  });
});

describe('who may come in', () => {
  it('401 unauthorized on every key and session route without a token', async () => {
    for (const route of [...keyRoutes, ...sessionRoutes]) {
      const answer = await send(route.method, route.path);
      expect([route.path, answer.status, answer.body.error.code]).toEqual([route.path, 401, 'unauthorized']);
    }
  });

  it('401 unauthorized when a session is sent to a key route', async () => {
    for (const route of keyRoutes) {
      const answer = await send(route.method, route.path, session);
      expect([answer.status, answer.body.error.code]).toEqual([401, 'unauthorized']);
      expect(answer.body.error.message).toContain('needs an API key, not the token of a session');
    }
  });

  it('401 unauthorized when a key is sent to a session route', async () => {
    const { key } = await gateway.mint(session);
    for (const route of sessionRoutes) expect((await send(route.method, route.path, key)).status).toBe(401);
  });

  it.each([
    ['a mistyped key', () => makeApiKey(randomBytes(32)).replace(/.$/, last => (last === 'A' ? 'B' : 'A'))],
    ['a well-formed key that nobody minted', () => makeApiKey(randomBytes(32))],
    ['an empty token', () => ' '],
    ['a prefix without a key', () => 'svc_live_x'],
    ['a session token of the right form', () => `sess_${'a'.repeat(43)}`],
  ])('401 unauthorized for %s', async (_name, token) => {
    const answer = await gateway.call('GET', '/api/v1/apps', { token: token() });
    expect([answer.status, answer.body.error.code]).toEqual([401, 'unauthorized']);
  });

  it.each([
    ['another scheme', (key: string) => `Basic ${key}`],
    ['no scheme', (key: string) => key],
    ['a scheme without a token', () => 'Bearer'],
    ['two tokens', (key: string) => `Bearer ${key} ${key}`],
    ['quotes', (key: string) => `Bearer "${key}"`],
    ['a list', (key: string) => `Bearer ${key}, Bearer ${key}`],
  ])('401 unauthorized for an Authorization header with %s', async (_name, write) => {
    const { key } = await gateway.mint(session, ['apps:read']);
    const send = (authorization: string) =>
      gateway.call('GET', '/api/v1/apps', { headers: { authorization } });
    const answer = await send(write(key));
    expect([answer.status, answer.body.error.code]).toEqual([401, 'unauthorized']);
    // Schemes are written in any case (RFC 9110).
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      expect((await send(`${scheme} ${key}`)).status).toBe(200);
  });

  it('401 unauthorized for a key anywhere but in the Authorization header', async () => {
    const { key } = await gateway.mint(session, ['apps:read']);
    const headers = { 'x-api-key': key, cookie: `session=${session}` };
    expect((await gateway.call('GET', `/api/v1/apps?key=${key}`, { headers })).status).toBe(401);
  });

  it('401 key_expired once the time is over', async () => {
    const expiresAt = new Date(Date.now() + 60_000);
    const { key } = await gateway.mint(session, ['apps:read'], expiresAt.toISOString());
    try {
      clock = new Date(expiresAt.getTime() - 1);
      expect((await gateway.call('GET', '/api/v1/apps', { token: key })).status).toBe(200);
      clock = expiresAt;
      const answer = await gateway.call('GET', '/api/v1/apps', { token: key });
      expect([answer.status, answer.body.error.code]).toEqual([401, 'key_expired']);
    } finally {
      clock = null;
    }
  });

  it('401 key_revoked for the first request after the answer of DELETE /v1/keys/{id}', async () => {
    const { id, key } = await gateway.mint(session, ['apps:read']);
    expect((await gateway.call('GET', '/api/v1/apps', { token: key })).status).toBe(200);
    const revoked = await gateway.call('DELETE', `/api/v1/keys/${id}`, { token: session });
    expect([revoked.status, typeof revoked.body.data.revokedAt]).toEqual([200, 'string']);
    const answer = await gateway.call('GET', '/api/v1/apps', { token: key });
    expect([answer.status, answer.body.error.code]).toEqual([401, 'key_revoked']);
  });

  it('400 missing_idempotency_key after the scope, before the body is looked at', async () => {
    const { key } = await gateway.mint(session, ['content:write']);
    const answer = await gateway.call('POST', '/api/v1/content', { token: key, rawBody: '{' });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'missing_idempotency_key']);
  });
});
