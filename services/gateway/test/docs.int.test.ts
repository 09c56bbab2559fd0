/** The guides at `/docs`, what models read, and the reference, which needs no other host. */
import { readdirSync, readlinkSync } from 'node:fs';
import { allRoutes } from '@hookline/shared/contracts/all-routes';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { describe, expect, it } from 'vitest';
import { guides } from '../src/site/docs/guides.ts';
import { startTestGateway } from './world.ts';

const gateway = perSuite(() => startTestGateway({}));

describe('GET /docs/api', () => {
  it('200 with a page that loads nothing but our own bundle and document', async () => {
    const { status, text, headers } = await gateway.call('GET', '/docs/api');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const loaded = [...text.matchAll(/(?:src|spec-url)="([^"]+)"/g)].map(match => match[1]);
    expect(loaded).toEqual(['/api/v1/openapi.json', '/docs/redoc.js']);
    for (const path of loaded) expect((await gateway.call('GET', path ?? '')).status).toBe(200);
    expect(text).toContain('disable-telemetry="true"');
  });

  it('lets the browser run only scripts of this host, without eval, and ask no other host', async () => {
    const { headers, text } = await gateway.call('GET', '/docs/api');
    const rules = new Map(
      (headers.get('content-security-policy') ?? '').split('; ').map(rule => {
        const [name = '', ...values] = rule.split(' ');
        return [name, values];
      }),
    );
    expect(rules.get('default-src')).toEqual(["'none'"]);
    expect(rules.get('script-src')).toEqual(["'self'"]);
    expect(rules.get('connect-src')).toEqual(["'self'"]);
    expect(rules.get('frame-ancestors')).toEqual(["'none'"]);
    for (const values of rules.values()) {
      for (const value of values) expect(value).toMatch(/^('none'|'self'|'unsafe-inline'|data:)$/);
    }
    // No inline script that the policy would have to allow.
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)/);
  });
});

describe('the pages', () => {
  const text = async (path: string, accept?: string) =>
    await gateway.call('GET', path, accept === undefined ? {} : { headers: { accept } });

  it('answer every link of every page, with its Markdown beside it', async () => {
    const seen = new Set<string>();
    const waiting = ['/docs', '/llms.txt', '/docs/api.md', ...guides.map(({ name }) => `/docs/${name}`)];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      const page = await text(path);
      expect([path, page.status]).toEqual([path, 200]);
      const isJson = page.headers.get('content-type')?.includes('json');
      if (!isJson) waiting.push(...linksOf(page.text, path));
    }
    expect(seen.size).toBeGreaterThan(guides.length * 2 + allRoutes.length);
  });

  it('are HTML without scripts, or Markdown for whoever asks for it', async () => {
    const page = await text('/docs/approve', 'text/html,*/*');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; style-src 'self'");
    expect(page.text).toContain('<link rel="alternate" type="text/markdown" href="/docs/approve.md">');
    expect(page.text).not.toMatch(/<script|<style|\son\w+=|style=/);
    const markdown = await text('/docs/approve', 'text/markdown');
    expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(markdown.text).toBe((await text('/docs/approve.md')).text);
    expect(markdown.text.split('\n')[0]).toBe('Index of all pages: /llms.txt');
    const etag = page.headers.get('etag') ?? '';
    // The second as a proxy that compresses sends it.
    for (const known of [etag, `"other", W/${etag}`]) {
      const again = await gateway.call('GET', '/docs/approve', { headers: { 'if-none-match': known } });
      expect([again.status, again.text]).toEqual([304, '']);
    }
  });

  it('describe each operation with its error codes', async () => {
    const { text: page } = await text('/docs/api/createContent.md');
    for (const part of ['POST ', '`Idempotency-Key`', '`content:write`', '| 402 | `insufficient_credits` |'])
      expect(page).toContain(part);
    const all = await text('/llms-full.txt');
    for (const { summary } of allRoutes) expect(all.text).toContain(`# ${summary}\n`);
    for (const { title } of guides) expect(all.text).toContain(`# ${title}\n`);
  });

  it.each(['/docs/nothing', '/docs/..%2fsettings', '/docs/api/nothing.md', '/docs/guides.ts'])(
    '%s is 404 with the envelope',
    async path => {
      const { status, body } = await text(path);
      expect([status, body.error.code]).toEqual([404, 'not_found']);
    },
  );
});

/** The links of a page to this installation, as paths. */
function linksOf(page: string, path: string): string[] {
  const found = [...page.matchAll(/(?:href="|\]\()([^")#\s]+)/g)].map(match => match[1] ?? '');
  return found
    .map(link => new URL(link, `http://localhost:1${path}`))
    .filter(({ hostname, pathname }) => hostname === 'localhost' && !pathname.startsWith('/console'))
    .map(({ pathname }) => pathname);
}

describe('GET /docs/redoc.js', () => {
  it('200 whole and cacheable, then 304 for the same', async () => {
    const first = await gateway.call('GET', '/docs/redoc.js');
    expect(first.status).toBe(200);
    expect(first.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(first.headers.get('cache-control')).toBe('public, max-age=86400');
    expect(Buffer.byteLength(first.text)).toBe(Number(first.headers.get('content-length')));
    expect(Buffer.byteLength(first.text)).toBeGreaterThan(500_000);
    const etag = first.headers.get('etag') ?? '';
    const again = await gateway.call('GET', '/docs/redoc.js', { headers: { 'if-none-match': etag } });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('has nothing that the policy would refuse: no logo of another host, no eval for a worker', async () => {
    const { text } = await gateway.call('GET', '/docs/redoc.js');
    expect(text).not.toContain('https://cdn.redoc.ly');
    // In this version of Redoc; another one is to be looked at in a browser.
    expect(text.match(/data:,-{30,}/g)).toHaveLength(2);
    expect(text.match(/typeof Absent>/g)).toHaveLength(1);
  });

  it('leaves no file open behind readers that break off', async () => {
    for (let turn = 0; turn < 30; turn += 1) {
      const stop = new AbortController();
      await fetch(`${gateway.url}/docs/redoc.js`, { signal: stop.signal });
      stop.abort();
    }
    await eventually(() => expect(openBundles()).toBe(0), 5_000);
    expect((await gateway.call('GET', '/docs/redoc.js')).status).toBe(200);
  });
});

/** Number of descriptors of this process, in which the gateway runs, that have the bundle open. */
function openBundles(): number {
  return readdirSync('/proc/self/fd').filter(fd => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).endsWith('redoc.standalone.js');
    } catch {
      return false;
    }
  }).length;
}
