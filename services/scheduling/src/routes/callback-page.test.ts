import { setTimeout as delay } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { finishPage } from './callback-page.ts';

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
const connected = () => json(200, { data: { username: 'pebblo' } });

/** Runs the page's script for a signed-in person who presses the button, with as much of a browser as it uses. */
async function finish(returnTo: string | null, finished: Response) {
  const html = String(finishPage('state_1', returnTo).body);
  const script = /<script>(.*)<\/script>/s.exec(html)?.[1] ?? '';
  const attribute = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(html)?.[1];
  const shown: Record<string, { textContent: string }> = { h1: { textContent: '' }, p: { textContent: '' } };
  const button = { textContent: '', onclick: () => {}, remove() {} };
  const main = {
    dataset: { state: attribute('data-state'), returnTo: attribute('data-return-to') },
    querySelector: (name: string) => shown[name],
    append() {},
  };
  const visited: string[] = [];
  const asked: unknown[] = [];
  runInNewContext(script, {
    document: { querySelector: () => main, createElement: () => button },
    location: { assign: (to: string) => visited.push(to) },
    fetch: async (path: string, options?: { body: string }) => {
      asked.push([path, options?.body]);
      return path.endsWith('/workspace') ? json(200, { data: { name: 'Pebblo' } }) : finished;
    },
  });
  await delay(1);
  button.onclick();
  await delay(1);
  return { title: shown.h1?.textContent, text: shown.p?.textContent, visited, asked };
}

describe('the page that finishes a connection', () => {
  it('says that the account is connected', async () => {
    const { title, text, visited, asked } = await finish(null, connected());
    expect(asked.at(-1)).toEqual(['/console/api/v1/accounts/tiktok/finish', '{"state":"state_1"}']);
    expect([title, text, visited]).toEqual(['@pebblo is connected', 'You can close this page.', []]);
  });

  it('leads back to the console', async () => {
    const { title, visited } = await finish('/console/accounts', connected());
    expect([title, visited]).toEqual(['@pebblo is connected', ['/console/accounts']]);
  });

  it.each([null, '/console/accounts'])('says why nothing is connected, and stays: %s', async returnTo => {
    const refused = json(404, { error: { message: 'No such connection.' } });
    const { title, text, visited } = await finish(returnTo, refused);
    expect([title, text, visited]).toEqual(['Not connected', 'No such connection.', []]);
  });
});
