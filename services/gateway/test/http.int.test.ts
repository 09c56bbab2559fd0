import { watchWork } from '@hookline/shared/kernel';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type Answer, randomIp, sendRaw, silent, startOwner, startTestGateway } from './world.ts';

const content = perSuite(() => startOwner('content'));
const gateway = perSuite(() => startTestGateway({ content: content.url }));
let key: string;

beforeAll(async () => {
  key = (await gateway.mint((await gateway.signUp()).token)).key;
});

function expectError(answer: Answer, status: number, code: string): void {
  expect([answer.status, answer.body?.error?.code]).toEqual([status, code]);
  expect(answer.body.error.requestId).toMatch(/^req_/);
  expect(answer.headers.get('x-request-id')).toBe(answer.body.error.requestId);
  expect(answer.headers.get('content-type')).toContain('application/json');
}

describe('paths and methods', () => {
  it.each([
    ['GET', '/api/v1'],
    ['GET', '/api/v1/'],
    ['GET', '/api/v1/nothing'],
    ['GET', '/api/v1/apps/'],
    ['GET', '/api/v1//apps'],
    ['GET', '/v1/apps'],
    ['GET', '/internal/credits'],
    ['DELETE', '/api/v1/apps/a/b'],
    ['POST', '/api/v1/content//approve'],
  ])('404 not_found for %s %s, without a key', async (method, path) => {
    expectError(await gateway.call(method, path), 404, 'not_found');
  });

  it.each([
    ['PUT', '/api/v1/apps', 'POST, GET, HEAD'],
    ['DELETE', '/api/v1/content', 'POST, GET, HEAD'],
    ['GET', '/api/v1/content/x/approve', 'POST'],
    ['HEAD', '/api/v1/content/x/approve', 'POST'],
    ['OPTIONS', '/api/v1/keys', 'POST, GET, HEAD'],
    ['POST', '/livez', 'GET, HEAD'],
    ['PATCH', '/media/images/x', 'GET, HEAD'],
    ['GET', '/platform/tiktok/events', 'POST'],
  ])('405 with Allow for %s %s, without a key', async (method, path, allow) => {
    const answer = await gateway.call(method, path);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
    if (method !== 'HEAD') expectError(answer, 405, 'invalid_request');
  });

  it('HEAD answers what GET answers, without the body', async () => {
    for (const [path, token] of [
      ['/api/v1/apps', key],
      ['/api/v1/apps', undefined],
      ['/livez', undefined],
      ['/docs', undefined],
      ['/api/v1/openapi.json', undefined],
      ['/api/v1/nothing', undefined],
    ] as const) {
      const options = token === undefined ? {} : { token };
      const get = await gateway.call('GET', path, options);
      const head = await gateway.call('HEAD', path, options);
      expect([path, head.status, head.text]).toEqual([path, get.status, '']);
      for (const name of ['content-type', 'content-length']) {
        expect([path, name, head.headers.get(name)]).toEqual([path, name, get.headers.get(name)]);
      }
    }
  });

  it('a body without a content type is read as JSON, one of another type is 415', async () => {
    const signUp = (type: string | null, path = '/api/v1/auth/sign-up', token = '') =>
      sendRaw(
        gateway.url,
        `POST ${path} HTTP/1.1\r\nHost: x\r\n${type === null ? '' : `Content-Type: ${type}\r\n`}` +
          `${token && `Authorization: Bearer ${token}\r\n`}` +
          `X-Forwarded-For: ${randomIp()}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
      );
    const read = await signUp(null);
    expect([read.status, read.body.error.message]).toEqual([
      400,
      expect.stringContaining('email is required'),
    ]);
    expect((await signUp('text/plain')).status).toBe(415);
    expect((await signUp(null, '/api/v1/apps', key)).status).toBe(201);
    expect(content.seen.at(-1)).toMatchObject({ body: {}, headers: { 'content-type': 'application/json' } });
  });

  it.each([
    ['POST', '/api/v1/auth/sign-up', 400],
    ['POST', '/api/v1/apps', 201],
    ['PATCH', '/api/v1/apps/product_1', 200],
    ['POST', '/api/v1/content/x/approve', 200],
    ['POST', '/api/v1/apps/x/pictures', 201],
    ['POST', '/mcp', 415],
    ['POST', '/oauth/token', 400],
  ])('%s %s without a body is answered where it names a content type', async (method, path, status) => {
    for (const more of [
      'Content-Type: application/json\r\n',
      'Content-Type: text/plain\r\nContent-Length: 0\r\n',
    ]) {
      const answer = await sendRaw(
        gateway.url,
        `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${more}` +
          `Authorization: Bearer ${key}\r\nX-Forwarded-For: ${randomIp()}\r\nConnection: close\r\n\r\n`,
      );
      expect([more, answer.status]).toEqual([more, status]);
    }
  });

  it('400 invalid_request for a path that cannot be decoded', async () => {
    expectError(await gateway.call('GET', '/api/v1/apps/%zz', { token: key }), 400, 'invalid_request');
  });

  it("an id of any length is the key's and the owner's to judge", async () => {
    const path = `/api/v1/apps/${'x'.repeat(8_000)}`;
    expectError(await gateway.call('GET', path), 401, 'unauthorized');
    expect((await gateway.call('GET', path, { token: key })).status).toBe(200);
  });

  it('a path cannot leave its route', async () => {
    const { status, body } = await sendRaw(
      gateway.url,
      `GET /api/v1/apps/..%2F..%2Finternal HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`,
    );
    expect([status, body.data.route]).toEqual([200, 'getApp']);
    expect(content.seen.at(-1)?.url).toBe('/v1/apps/..%2F..%2Finternal');
  });
});

describe('bodies', () => {
  const post = (rawBody: string | Buffer, type = 'application/json') =>
    gateway.call('POST', '/api/v1/apps', { token: key, rawBody, headers: { 'content-type': type } });

  it('413 invalid_request over 256 KB, with a length and without', async () => {
    const text = JSON.stringify({ name: 'x'.repeat(256 * 1024) });
    expectError(await post(text), 413, 'invalid_request');
    const response = await fetch(`${gateway.url}/api/v1/apps`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: new Blob([text]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect([response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([
      413,
      'invalid_request',
    ]);
  });

  it.each([
    ['malformed', '{', 'application/json'],
    ['of another type', 'hello', 'text/plain'],
    ['of 300 KB', `"${'x'.repeat(300_000)}"`, 'application/json'],
  ])('a body that is %s is not read where the route has none', async (_, rawBody, type) => {
    const headers = { 'content-type': type };
    const path = '/api/v1/content/x/remix';
    const forwarded = await gateway.call('POST', path, { token: key, rawBody, headers });
    expect([forwarded.status, forwarded.body.data.route]).toEqual([200, 'remixContent']);
    expect(content.seen.at(-1)).toMatchObject({ url: '/v1/content/x/remix', body: undefined });
    const own = { token: (await gateway.signUp()).token, rawBody, headers };
    expectError(await gateway.call('DELETE', '/api/v1/keys/key_none', own), 404, 'not_found');
  });

  it('400 naming the field where a POST takes no body; {} and no body pass', async () => {
    const { token } = await gateway.signUp();
    const send = (path: string, as: string, rawBody?: string) =>
      gateway.call('POST', `/api/v1${path}`, {
        token: as,
        ...(rawBody === undefined
          ? {}
          : { rawBody, headers: { 'content-type': 'application/json', 'idempotency-key': 'a' } }),
      });
    const asked = await gateway.call('POST', '/api/v1/workspace/exports?dryRun=true', { token });
    expect([asked.status, asked.body.error.message]).toEqual([
      400,
      'dryRun must be left out: POST /workspace/exports takes no query',
    ]);
    const read = await gateway.call('GET', '/api/v1/usage?limit=5', { token: key });
    expect([read.status, read.body.error?.param]).toEqual([400, 'limit']);
    const message = 'hook must be left out: POST /workspace/exports takes no body';
    const refused = await send('/workspace/exports', token, '{"hook":"New"}');
    expectError(refused, 400, 'invalid_request');
    expect(refused.body.error).toMatchObject({ message, param: 'hook' });
    expectError(await send('/workspace/exports', token, '[1, 2]'), 400, 'invalid_request');
    const chunked = await sendRaw(
      gateway.url,
      `POST /api/v1/workspace/exports HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n` +
        'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\ne\r\n{"hook":"New"}\r\n0\r\n\r\n',
    );
    expect([chunked.status, chunked.body.error.param]).toEqual([400, 'hook']);
    expect((await send('/auth/sign-out', token, '{ }')).status).toBe(200);
    // The service that owns a route refuses it.
    await send('/content/x/duplicate', key, '{"hook":"New"}');
    expect(content.seen.at(-1)).toMatchObject({ url: '/v1/content/x/duplicate', body: { hook: 'New' } });
  });

  it('a body of exactly 256 KB passes', async () => {
    const text = JSON.stringify({ name: 'x'.repeat(256 * 1024 - 11) });
    expect(Buffer.byteLength(text)).toBe(256 * 1024);
    expect((await post(text)).status).toBe(201);
  });

  it('400, 413 and 415 on the routes of the gateway', async () => {
    const malformed = await gateway.call('POST', '/api/v1/auth/sign-in', { rawBody: '{' });
    expectError(malformed, 400, 'invalid_request');
    const large = await gateway.call('POST', '/api/v1/auth/sign-in', { rawBody: 'x'.repeat(300_000) });
    expectError(large, 413, 'invalid_request');
    const typed = await gateway.call('POST', '/api/v1/auth/sign-in', {
      rawBody: 'x',
      headers: { 'content-type': 'text/plain' },
    });
    expectError(typed, 415, 'invalid_request');
  });
});

describe('what HTTP itself refuses', () => {
  const line = 'GET /api/v1/apps HTTP/1.1\r\n';
  it.each([
    ['a header over 16 KB', 431, `${line}Host: x\r\nX-Big: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['a malformed header', 400, `${line}Host: x\r\nBad Header\r\n\r\n`],
    ['a malformed request line', 400, 'NONSENSE\r\n\r\n'],
    ['no Host', 400, `${line}\r\n`],
    ['an unknown expectation', 417, `${line}Host: x\r\nExpect: miracles\r\n\r\n`],
    ['a tunnel', 405, 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('%s: %i in the envelope, with X-Request-Id', async (_name, status, text) => {
    const answer = await sendRaw(gateway.url, text);
    expect([answer.status, answer.body?.error?.code]).toEqual([status, 'invalid_request']);
    expect(answer.headers).toContain(`x-request-id: ${answer.body.error.requestId}`);
    expect(answer.headers).toContain('content-type: application/json');
  });
});

describe('health and documents', () => {
  it('/livez fails while a piece of work does not end', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      // Again while a worker's round has the watchdog on the real clock.
      await eventually(async () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        const endless = watchWork('endless', silent, () => promise);
        vi.advanceTimersByTime(120_000);
        const { status } = await gateway.call('GET', '/livez').finally(resolve);
        await endless;
        expect(status).toBe(503);
      });
    } finally {
      vi.useRealTimers();
    }
    expect((await gateway.call('GET', '/livez')).status).toBe(200);
  });
});
