/** Who is let into the mailbox and the controls: nobody without the token that the start prints. */
import { perSuite } from '@hookline/testing/per-suite';
import { describe, expect, it } from 'vitest';
import { buildApp } from '../src/app.ts';
import { type Simulators, startSimulators } from '../src/simulators.ts';
import type { Puller } from '../src/tiktok/pull.ts';
import { openWorld } from '../src/world.ts';
import { send, startSim } from './helpers.ts';

const sim = perSuite(() => startSim({ controlToken: 'a-token-of-this-test' }));

const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  (await send(method, sim.url + path, undefined, headers)).status;
const closed = ['/mail', '/_control/mails', '/_control/posts', '/_control/tiktok/client'];

describe('without the token', () => {
  it.each(closed)('403 for %s on loopback, also as it comes through a proxy', async path => {
    expect(await ask(path)).toBe(403);
    expect(await ask(path, { 'x-forwarded-for': '127.0.0.1', host: 'localhost' })).toBe(403);
    expect(await ask(path, { authorization: 'Bearer another-token-than-it' })).toBe(403);
    expect(await ask(path, { cookie: 'simulators_control=another' })).toBe(403);
  });

  it('403 for every route that there is below /_control', async () => {
    const app = buildApp(openWorld({ port: 0, dataDir: `${sim.dataDir}/routes` }), {} as Puller);
    const routes: { method: string; url: string }[] = [];
    app.addHook('onRoute', ({ method, url }) => {
      if (url.startsWith('/_control')) routes.push({ method: String(method), url: url.replaceAll(':', 'a') });
    });
    await app.ready();
    expect(routes.length).toBeGreaterThan(20);
    for (const { method, url } of routes) {
      const answer = await app.inject({ method: method as 'GET', url, remoteAddress: '127.0.0.1' });
      expect(answer.statusCode, `${method} ${url}`).toBe(403);
    }
    await app.close();
  });

  it('403 for /_enter with another token or none, which sets no cookie', async () => {
    for (const path of ['/_enter', '/_enter?token=', '/_enter?token=a&token=b']) {
      const answer = await send('GET', sim.url + path);
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null]);
    }
  });
});

describe('with the token', () => {
  it('a program sends it as a bearer', async () => {
    for (const path of closed) {
      expect(await ask(path, { authorization: 'Bearer a-token-of-this-test' })).toBe(200);
    }
  });

  it('a browser gets it as a cookie, which only the pages of the simulators use', async () => {
    const entered = await send('GET', `${sim.url}/_enter?token=a-token-of-this-test`);
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/']);
    const [cookie = '', ...attributes] = (entered.headers.get('set-cookie') ?? '').split('; ');
    expect(attributes).toEqual(['Path=/', 'HttpOnly', 'SameSite=Strict']);
    const from = (site: string) => ask('/_control/reset', { cookie, 'sec-fetch-site': site }, 'POST');
    expect(await ask('/mail', { cookie: `other=1; ${cookie}` })).toBe(200);
    expect(await from('same-origin')).toBe(200);
    expect(await from('same-site')).toBe(403);
    expect(await from('cross-site')).toBe(403);
  });
});

it('each start without a setting has a token of its own, in the link that it returns', async () => {
  const started: Simulators[] = [];
  for (const name of ['one', 'two']) {
    started.push(await startSimulators({ port: 0, controlToken: '', dataDir: `${sim.dataDir}/${name}` }));
  }
  const tokens = started.map(({ enterUrl }) => /\/_enter\?token=([\w-]{32})$/.exec(enterUrl)?.[1]);
  expect(new Set(tokens).size).toBe(2);
  expect(tokens).not.toContain(undefined);
  expect((await send('GET', started[0]?.enterUrl ?? '')).status).toBe(303);
  for (const one of started) await one.close();
});
