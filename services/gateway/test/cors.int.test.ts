import { loadSettings } from '@hookline/shared/kernel';
import { perSuite } from '@hookline/testing/per-suite';
import { beforeAll, describe, expect, it } from 'vitest';
import { gatewaySettings } from '../src/settings.ts';
import { randomIp, sendRaw, startOwner, startTestGateway, type TestGateway } from './world.ts';

const origin = 'https://console.example.com';
const content = perSuite(() =>
  startOwner('content', app => {
    app.get('/media/images/:id', { config: { open: true } }, async (_request, reply) =>
      reply.headers({ 'content-type': 'image/jpeg' }).send(Buffer.from('ffd8ff', 'hex')),
    );
  }),
);
const closed = perSuite(() => startTestGateway({ content: content.url }));
const open = perSuite(() =>
  startTestGateway(
    { content: content.url },
    {
      env: { CORS_ORIGINS: `${origin}, http://localhost:5173`, PUBLIC_URL: 'https://api.example.com' },
      database: closed.database,
    },
  ),
);
let key: string;

beforeAll(async () => {
  key = (await closed.mint((await closed.signUp()).token)).key;
});

function preflight(gateway: TestGateway, path: string, from: string, ip = randomIp()) {
  return gateway.call('OPTIONS', path, {
    ip,
    headers: {
      origin: from,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,idempotency-key',
    },
  });
}
const corsHeadersOf = (headers: Headers) =>
  [...headers.keys()].filter(name => name.startsWith('access-control-'));

describe('CORS', () => {
  it('is off by default: no header for any origin, a preflight is 405', async () => {
    const answer = await closed.call('GET', '/api/v1/apps', { token: key, headers: { origin } });
    expect([answer.status, corsHeadersOf(answer.headers)]).toEqual([200, []]);
    const refused = await preflight(closed, '/api/v1/content', origin);
    expect([refused.status, refused.headers.get('allow'), corsHeadersOf(refused.headers)]).toEqual([
      405,
      'POST, GET, HEAD',
      [],
    ]);
  });

  it('answers the preflight of a configured origin with the methods of the path, without a key', async () => {
    const answer = await preflight(open, '/api/v1/content?x=1', origin);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ data: { methods: ['POST', 'GET', 'HEAD'] } });
    const header = (name: string) => answer.headers.get(name);
    expect(header('access-control-allow-origin')).toBe(origin);
    expect(header('access-control-allow-methods')).toBe('POST, GET, HEAD');
    for (const name of ['authorization', 'content-type', 'idempotency-key']) {
      expect(header('access-control-allow-headers')).toContain(name);
    }
    expect(header('access-control-max-age')).toBe('7200');
    expect(header('vary')).toContain('origin');
  });

  it.each([
    'https://console.example.com.evil.test',
    'http://console.example.com',
    'https://evil.test',
    'null',
  ])('refuses the preflight of %s, and hides the answer from its pages', async other => {
    const refused = await preflight(open, '/api/v1/content', other);
    expect([refused.status, corsHeadersOf(refused.headers)]).toEqual([405, []]);
    const answer = await open.call('GET', '/api/v1/apps', { token: key, headers: { origin: other } });
    expect([answer.status, corsHeadersOf(answer.headers)]).toEqual([200, []]);
    expect(answer.headers.get('vary')).toBe('origin');
    expect((await open.call('GET', '/docs')).headers.get('vary')).toBe('origin, accept');
  });

  it('lets the page read answers, errors and the headers it needs; never with credentials, never for all', async () => {
    const asked: [string, string, number][] = [
      ['GET', '/api/v1/apps', 200],
      ['GET', '/api/v1/nowhere', 404],
      ['GET', '/api/v1/apps/%zz', 400],
      ['GET', '/media/images/x', 200],
    ];
    for (const [method, path, status] of asked) {
      const answer = await open.call(method, path, { token: key, headers: { origin } });
      expect([path, answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([
        path,
        status,
        origin,
      ]);
      expect(answer.headers.get('access-control-expose-headers')).toMatch(/retry-after.*www-authenticate/);
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  it('counts preflights in the window of the address', async () => {
    const ip = randomIp();
    const answers = await Promise.all(
      Array.from({ length: 310 }, () => preflight(open, '/api/v1/content', origin, ip)),
    );
    expect(answers.filter(answer => answer.status === 200)).toHaveLength(300);
    expect(answers.filter(answer => answer.status === 429)).toHaveLength(10);
  });

  it.each(['*', 'https://a.example.com/', 'https://*.example.com/x', 'a.example.com', 'null'])(
    'CORS_ORIGINS=%s is not an exact origin: the gateway does not start',
    value => {
      expect(() => loadSettings(gatewaySettings, { CORS_ORIGINS: value })).toThrow(
        /^CORS_ORIGINS must be origins/,
      );
    },
  );
});

describe('security headers', () => {
  const expected = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': expect.stringMatching(/^(same|cross)-origin$/),
    'permissions-policy': expect.stringContaining('camera=()'),
  };
  const securityOf = (headers: Headers) =>
    Object.fromEntries(Object.keys(expected).map(name => [name, headers.get(name)]));

  it.each([
    ['GET', '/api/v1/apps', 200],
    ['GET', '/api/v1/auth/session', 401],
    ['GET', '/api/v1/schedules', 503],
    ['GET', '/api/v1/nowhere', 404],
    ['PUT', '/api/v1/apps', 405],
    ['GET', '/api/v1/apps/%zz', 400],
    ['GET', '/api/v1/openapi.json', 200],
    ['GET', '/media/images/x', 200],
    ['GET', '/docs', 200],
    ['GET', '/docs/redoc.js', 200],
    ['GET', '/livez', 200],
  ])('stand on %s %s (%i); HSTS only where the public address is https', async (method, path, status) => {
    const [plain, secure] = await Promise.all([
      closed.call(method, path, { token: key }),
      open.call(method, path, { token: key }),
    ]);
    for (const answer of [plain, secure]) {
      expect([answer.status, securityOf(answer.headers)]).toEqual([status, expected]);
    }
    expect(plain.headers.get('strict-transport-security')).toBeNull();
    expect(secure.headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
  });

  it.each([
    ['no HTTP', 'NONSENSE\r\n\r\n'],
    ['an unknown expectation', 'GET /livez HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n\r\n'],
    ['a tunnel', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('stand on what HTTP itself refuses: %s', async (_name, text) => {
    const { headers } = await sendRaw(open.url, text);
    for (const line of [
      'x-content-type-options: nosniff',
      'referrer-policy: no-referrer',
      'max-age=31536000',
    ]) {
      expect(headers).toContain(line);
    }
  });
});
