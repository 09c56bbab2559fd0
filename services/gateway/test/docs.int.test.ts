/** The reference at `/docs` needs no other host. */
import { readdirSync, readlinkSync } from 'node:fs';
import { eventually } from '@hookline/testing/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from './world.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway({});
});
afterAll(() => gateway?.stop());

describe('GET /docs', () => {
  it('200 with a page that loads nothing but our own bundle and document', async () => {
    const { status, text, headers } = await gateway.call('GET', '/docs');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const loaded = [...text.matchAll(/(?:src|spec-url)="([^"]+)"/g)].map(match => match[1]);
    expect(loaded).toEqual(['/api/v1/openapi.json', '/docs/redoc.js']);
    for (const path of loaded) expect((await gateway.call('GET', path ?? '')).status).toBe(200);
    expect(text).toContain('disable-telemetry="true"');
  });

  it('lets the browser run only scripts of this host, without eval, and ask no other host', async () => {
    const { headers, text } = await gateway.call('GET', '/docs');
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
