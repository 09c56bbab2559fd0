/** The spec's statements about every answer, sign-in and key records, sentence by sentence. */
import { createLogger } from '@hookline/shared/kernel';
import { perSuite } from '@hookline/testing/per-suite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, randomIp, startOwner, startTestGateway, type TestGateway } from './world.ts';

const lines: string[] = [];
const content = perSuite(() => startOwner('content'));
let gateway: TestGateway;
let session: string;

beforeAll(async () => {
  const log = createLogger({ service: 'test', destination: { write: line => lines.push(line) } });
  gateway = await startTestGateway({ content: content.url }, { log });
  session = (await gateway.signUp()).token;
});
afterAll(async () => {
  await gateway?.stop();
});

describe('every answer', () => {
  const kinds: [string, () => Promise<Answer>][] = [
    ['a success', () => gateway.call('GET', '/api/v1/auth/session', { token: session })],
    [
      'a forwarded success',
      async () => gateway.call('GET', '/api/v1/apps', { token: (await gateway.mint(session)).key }),
    ],
    ['a 401', () => gateway.call('GET', '/api/v1/apps')],
    ['a 404', () => gateway.call('GET', '/api/v1/nothing')],
    ['a 405', () => gateway.call('PUT', '/api/v1/apps')],
    ['a 400', () => gateway.call('POST', '/api/v1/auth/sign-in', { body: {} })],
    ['a page', () => gateway.call('GET', '/docs')],
    ['a health route', () => gateway.call('GET', '/livez')],
  ];

  it.each(kinds)('%s has its own request id and reveals no limits', async (_name, send) => {
    const [first, second] = [await send(), await send()];
    const ids = [first, second].map(({ headers }) => headers.get('x-request-id'));
    for (const id of ids) expect(id).toMatch(/^req_[0-9a-z]{1,32}$/);
    expect(ids[0]).not.toBe(ids[1]);
    expect([...first.headers.keys()].filter(name => /ratelimit/i.test(name))).toEqual([]);
    if (first.status >= 400) {
      expect(Object.keys(first.body)).toEqual(['error']);
      const { param: _, ...error } = first.body.error;
      expect(Object.keys(error).toSorted()).toEqual(['code', 'message', 'requestId']);
    }
  });

  it('a 401 names the scheme to sign in with; no cache keeps a token or what one opens', async () => {
    const refused = await gateway.call('GET', '/api/v1/apps');
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    const { email, password } = await gateway.signUp();
    const signedIn = await gateway.call('POST', '/api/v1/auth/sign-in', { body: { email, password } });
    const own = await gateway.call('GET', '/api/v1/auth/session', {
      token: signedIn.body.data.session.token,
    });
    for (const answer of [refused, signedIn, own]) {
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
  });

  it('a request id that the caller sends is never adopted, and is logged as clientRequestId', async () => {
    const headers = { 'x-request-id': 'mine-1' };
    const answer = await gateway.call('GET', '/api/v1/nothing', { headers });
    expect(answer.headers.get('x-request-id')).toBe(answer.body.error.requestId);
    expect(answer.text).not.toContain('mine-1');
    const line = lines
      .map(text => JSON.parse(text))
      .find(({ clientRequestId }) => clientRequestId === 'mine-1');
    expect(line.requestId).toBe(answer.body.error.requestId);
  });
});

describe('the windows of an address', () => {
  it('are left alone by sessions of the console, each of which has twice as much', async () => {
    const narrow = await startTestGateway({}, { env: { LIMIT_PER_IP: '3' } });
    try {
      const ip = randomIp();
      const cookies: string[] = [];
      for (let nth = 0; nth < 2; nth += 1) {
        const { email } = await narrow.signUp();
        const signedIn = await narrow.call('POST', '/console/api/v1/auth/sign-in', {
          body: { email, password: 'correct horse battery' },
          headers: { 'sec-fetch-site': 'same-origin' },
        });
        cookies.push(signedIn.headers.get('set-cookie')?.split(';')[0] ?? '');
      }
      const statuses = async (cookie: string, count: number): Promise<number[]> => {
        const headers = { cookie, 'sec-fetch-site': 'same-origin' };
        const ask = () => narrow.call('GET', '/console/api/v1/workspace', { ip, headers });
        return (await Promise.all(Array.from({ length: count }, ask))).map(({ status }) => status).sort();
      };
      for (const cookie of cookies)
        expect(await statuses(cookie, 7)).toEqual([200, 200, 200, 200, 200, 200, 429]);
      expect(await statuses('', 4)).toEqual([401, 401, 401, 429]);
    } finally {
      await narrow.stop();
    }
  });

  it('outside the API there is another, ten times as wide; each fills separately', async () => {
    const narrow = await startTestGateway({}, { env: { LIMIT_PER_IP: '3' } });
    try {
      const ip = randomIp();
      const statuses = async (path: string, count: number): Promise<number[]> => {
        const found: number[] = [];
        for (let sent = 0; sent < count; sent += 1)
          found.push((await narrow.call('GET', path, { ip })).status);
        return found;
      };
      expect(await statuses('/api/v1/apps', 4)).toEqual([401, 401, 401, 429]);
      const others = [...(await statuses('/livez', 15)), ...(await statuses('/docs', 15))];
      expect(new Set(others)).toEqual(new Set([200]));
      const refused = await narrow.call('GET', '/media/images/x', { ip });
      expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited']);
      expect(refused.body.error.message).toBe(
        `Too many requests. Retry after ${refused.headers.get('retry-after')}s.`,
      );
    } finally {
      await narrow.stop();
    }
  });
});

describe('key records', () => {
  it('POST answers the record of the list and the key; the row of a revoked one stays', async () => {
    const { token } = await gateway.signUp();
    const body = { name: 'Posting', scopes: ['apps:read'], expiresAt: '2040-01-01T02:00:00+02:00' };
    const { key, ...record } = (await gateway.call('POST', '/api/v1/keys', { token, body })).body.data;
    expect(record).toMatchObject({ prefix: key.slice(0, 17), expiresAt: '2040-01-01T00:00:00.000Z' });
    const list = async () => (await gateway.call('GET', '/api/v1/keys', { token })).body;
    expect(await list()).toEqual({ data: [record], nextCursor: null });
    const revoked = (await gateway.call('DELETE', `/api/v1/keys/${record.id}`, { token })).body.data;
    expect(revoked.revokedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(await list()).toEqual({ data: [revoked], nextCursor: null });
  });

  it('the list has no cursor unless one was asked for', async () => {
    const { token } = await gateway.signUp();
    const ids: string[] = [];
    for (let minted = 0; minted < 3; minted += 1) ids.unshift((await gateway.mint(token)).id);
    const read = async (query: string) => {
      const { body } = await gateway.call('GET', `/api/v1/keys${query}`, { token });
      return { ids: body.data.map(({ id }: { id: string }) => id), nextCursor: body.nextCursor };
    };
    expect(await read('')).toEqual({ ids, nextCursor: null });
    const first = await read('?limit=2');
    expect(first).toEqual({ ids: ids.slice(0, 2), nextCursor: expect.any(String) });
    expect(await read(`?limit=2&cursor=${first.nextCursor}`)).toEqual({
      ids: ids.slice(2),
      nextCursor: null,
    });
  });
});
