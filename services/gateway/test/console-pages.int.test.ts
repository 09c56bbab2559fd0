/** The console's files, from a folder as a build leaves it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConsoleEntry } from '../src/site/console/entry.ts';
import { startTestGateway, type TestGateway } from './world.ts';

const publicUrl = 'https://hookline.example.com';
const folder = mkdtempSync(join(tmpdir(), 'hookline-console-'));
const script = 'assets/index-BX3kq9Zw.js';
const scriptText = `document.title = ${JSON.stringify('x'.repeat(2_000))};`;
const pageText = `<!doctype html><title>Hookline</title><script type="module" src="/console/${script}"></script>`;
const entry = createConsoleEntry();
let gateway: TestGateway;

function build(): void {
  mkdirSync(join(folder, 'assets'), { recursive: true });
  for (const [name, text] of [
    ['index.html', pageText],
    [script, scriptText],
  ] as const) {
    writeFileSync(join(folder, name), text);
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(text));
  }
  writeFileSync(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
}

beforeAll(async () => {
  build();
  gateway = await startTestGateway(
    {},
    {
      consoleFolder: folder,
      consoleEntry: entry,
      env: { PUBLIC_URL: publicUrl, CORS_ORIGINS: 'https://other.example.com' },
    },
  );
});
afterAll(async () => {
  await gateway?.stop();
  rmSync(folder, { recursive: true });
});

// `fetch` decompresses, and shows the length of the compressed form.
const get = (path: string, headers: Record<string, string> = {}) =>
  gateway.call('GET', path, { headers: { 'accept-encoding': 'identity', ...headers } });

describe('the pages of the console', () => {
  it.each(['/console', '/console/', '/console/posts/slideshow_1?tab=x', '/console/apis'])(
    '%s is the one page, under a policy without inline code or other hosts',
    async path => {
      const { status, text, headers } = await get(path);
      expect([status, text, headers.get('content-type')]).toEqual([
        200,
        pageText,
        'text/html; charset=utf-8',
      ]);
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; " +
          "img-src 'self' data: blob: https://hookline.example.com; connect-src 'self'; font-src 'self'; " +
          "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      );
      expect([headers.get('x-content-type-options'), headers.get('referrer-policy')]).toEqual([
        'nosniff',
        'no-referrer',
      ]);
      expect(headers.get('cache-control')).toBe('no-cache');
    },
  );

  it.each([
    '/console/api',
    '/console/api/v2/apps',
    '/console/api/v1/nothing',
    '/console/assets/index-AAAAAAAA.js',
    '/consoles',
    '/api/v1/nothing',
    '/.well-known/openid-configuration',
    '/register',
  ])('%s is 404 with the envelope', async path => {
    const { status, body } = await get(path);
    expect([status, body?.error.code]).toEqual([404, 'not_found']);
  });

  it('an encoded /console/api is refused, too', async () => {
    const { body } = await get('/console/%61pi/v1/nothing');
    expect(body.error.code).toBe('invalid_request');
  });

  it('405 for other methods', async () => {
    const { status, headers } = await gateway.call('POST', '/console/posts', { body: {} });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it.each(['/console/..%2f..%2fpackage.json', '/console/%2e%2e/index.html', `/console/${script}.br`])(
    '%s reads no other file',
    async path => {
      const { status, text } = await get(path);
      expect(status === 404 || text === pageText).toBe(true);
    },
  );
});

describe('GET /', () => {
  it('leads a browser to the console', async () => {
    const { status, headers } = await get('/', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect([status, headers.get('location'), headers.get('vary')]).toEqual([
      302,
      '/console',
      'origin, accept',
    ]);
  });

  it.each(['*/*', 'application/json'])('lists the entry points for %s, and each answers', async accept => {
    const { status, body } = await get('/', { accept });
    const { name, version, api, ...doors } = body.data;
    expect([status, name, version, api]).toEqual([200, 'Hookline', '1.0.0', `${publicUrl}/api/v1`]);
    expect(doors).toMatchObject({ console: `${publicUrl}/console`, docs: `${publicUrl}/docs` });
    for (const address of Object.values<string>(doors)) {
      expect(address.startsWith(publicUrl)).toBe(true);
      expect((await get(address.slice(publicUrl.length))).status).not.toBe(404);
    }
  });
});

describe('the files of the console', () => {
  it('are kept for ever if their name has a digest, and compressed for those who take it', async () => {
    const plain = await get(`/console/${script}`);
    const small = await get(`/console/${script}`, { 'accept-encoding': 'gzip, deflate, br' });
    expect([plain.text, small.text]).toEqual([scriptText, scriptText]);
    for (const { headers } of [plain, small]) {
      expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('vary')).toBe('origin, accept-encoding');
    }
    expect([plain.headers.get('content-encoding'), small.headers.get('content-encoding')]).toEqual([
      null,
      'br',
    ]);
    expect(Number(small.headers.get('content-length'))).toBeLessThan(scriptText.length / 10);
    const refused = await get(`/console/${script}`, { 'accept-encoding': 'gzip, br;q=0' });
    expect(refused.headers.get('content-encoding')).toBeNull();
    expect((await get('/console/icon.svg')).headers.get('content-type')).toBe('image/svg+xml');
  });

  it('304 for the same content, 200 after another build', async () => {
    const first = await get('/console');
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    expect((await get('/console', { 'if-none-match': `"x", ${etag}` })).status).toBe(304);
    expect((await get('/console', { 'if-none-match': etag, 'accept-encoding': 'br' })).status).toBe(200);
    writeFileSync(join(folder, 'index.html'), `${pageText}<!-- -->`);
    const next = await get('/console', { 'if-none-match': etag });
    expect([next.status, next.text]).toEqual([200, `${pageText}<!-- -->`]);
    build();
  });

  it('HEAD says the length of GET', async () => {
    const { status, headers, text } = await gateway.call('HEAD', `/console/${script}`, {
      headers: { 'accept-encoding': 'identity' },
    });
    expect([status, headers.get('content-length'), text]).toEqual([200, String(scriptText.length), '']);
  });

  it('503 with a page that says so while there is no build', async () => {
    rmSync(folder, { recursive: true });
    const { status, text, headers } = await get('/console');
    build();
    expect([status, headers.get('cache-control')]).toEqual([503, 'no-store']);
    expect(text).toContain('The console is not built');
    expect((await get('/console')).status).toBe(200);
  });
});

describe('the link that npm start prints', () => {
  const own = { 'sec-fetch-site': 'same-origin' };
  // Not `gateway.call`, whose requests come through a proxy.
  const page = (token: string) => fetch(`${gateway.url}/console/enter?token=${token}`);
  const press = (token: string, headers: Record<string, string> = own) =>
    fetch(`${gateway.url}/console/enter`, {
      method: 'POST',
      redirect: 'manual',
      headers,
      body: new URLSearchParams({ token }),
    });

  it('signs in once, by its button; reading the page uses up nothing', async () => {
    const { email } = await gateway.signUp();
    const token = entry.open(email);
    for (let read = 0; read < 2; read += 1) {
      const answer = await page(token);
      const text = await answer.text();
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
      expect(text).toContain(`name="token" value="${token}"><button>Sign in</button>`);
      expect(answer.headers.get('set-cookie')).toBeNull();
    }
    const entered = await press(token);
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/console']);
    const cookie = entered.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(
      /^__Host-hookline_session=sess_[\w-]{43}; Expires=[^;]+ GMT; HttpOnly; SameSite=Strict; Path=\/; Secure$/,
    );
    const session = await gateway.call('GET', '/console/api/v1/auth/session', {
      headers: { cookie: cookie.split(';')[0] ?? '' },
    });
    expect(session.body.data.user.email).toBe(email);
    const again = await press(token);
    expect([again.status, again.headers.get('set-cookie')]).toEqual([401, null]);
    expect(await again.text()).toContain('npm start prints another one');
  });

  it('is refused from elsewhere, from another site, and with another token', async () => {
    const { email } = await gateway.signUp();
    const token = entry.open(email);
    const proxied = { ...own, 'x-forwarded-for': '127.0.0.1' };
    expect((await press(token, proxied)).status).toBe(403);
    expect((await press(token, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await press(token, {})).status).toBe(403);
    expect((await press('x')).status).toBe(401);
    expect((await gateway.call('GET', `/console/enter?token=${token}`)).status).toBe(403);
    expect((await press(token)).status).toBe(303);
  });

  it('writes the token into the page as text', async () => {
    const text = await (await page(encodeURIComponent('"><script>alert(1)</script>'))).text();
    expect(text).not.toContain('<script');
  });
});
