import { setTimeout as delay } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { finishPage, tooLate } from './callback-page.ts';

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
const connected = () => json(200, { data: { username: 'pebblo' } });

/**
 * Runs the page's script for a signed-in person who presses the button, with the parts of a browser that the
 * script uses.
 * @param answers of the requests that finish, one for each press; null: none comes
 */
async function finish(returnTo: string | null, ...answers: (Response | null | undefined)[]) {
  const html = String(finishPage('state_1', returnTo).body);
  const script = /<script>(.*)<\/script>/s.exec(html)?.[1] ?? '';
  const attribute = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(html)?.[1];
  const shown: Record<string, { textContent: string }> = { h1: { textContent: '' }, p: { textContent: '' } };
  const button = { textContent: '', onclick: () => {}, remove: () => buttons.pop() };
  const buttons: string[] = [];
  const main = {
    dataset: { state: attribute('data-state'), returnTo: attribute('data-return-to') },
    querySelector: (name: string) => shown[name],
    append: (added: typeof button) => buttons.splice(0, 1, added.textContent),
  };
  const visited: string[] = [];
  const asked: unknown[] = [];
  const keys = new Set<string | undefined>();
  const left = [...answers];
  runInNewContext(script, {
    document: { querySelector: () => main, createElement: () => button },
    location: { assign: (to: string) => visited.push(to) },
    crypto,
    fetch: async (path: string, options?: { body: string; headers: Record<string, string> }) => {
      if (path.endsWith('/workspace')) return json(200, { data: { name: 'Pebblo' } });
      asked.push([path, options?.body]);
      keys.add(options?.headers['idempotency-key']);
      const answer = left.shift();
      if (!answer) throw new TypeError('Failed to fetch');
      return answer;
    },
  });
  await delay(1);
  for (const _ of answers) {
    button.onclick();
    await delay(1);
  }
  return { title: shown.h1?.textContent, text: shown.p?.textContent, visited, asked, buttons, keys };
}

describe('the page that finishes a connection', () => {
  it('the page says that the account is connected', async () => {
    const { title, text, visited, asked } = await finish(null, connected());
    expect(asked.at(-1)).toEqual(['/console/api/v1/accounts/tiktok/finish', '{"state":"state_1"}']);
    expect([title, text, visited]).toEqual(['@pebblo is connected', 'You can close this page.', []]);
  });

  it('the page leads back to the console', async () => {
    const { title, visited } = await finish('/console/accounts', connected());
    expect([title, visited]).toEqual(['@pebblo is connected', ['/console/accounts']]);
  });

  it.each([null, '/console/accounts'])(
    'the page says why nothing is connected, and stays: %s',
    async returnTo => {
      const refused = json(404, { error: { message: 'No such connection.' } });
      const { title, text, visited, buttons } = await finish(returnTo, refused);
      expect([title, text, visited, buttons]).toEqual(['Not connected', 'No such connection.', [], []]);
    },
  );

  it('the page says in plain words that a connection is over', async () => {
    const error = { code: 'invalid_request', message: 'state must be from a connection that you began' };
    const { title, text, buttons } = await finish('/console/accounts', json(400, { error }));
    expect([title, text, buttons]).toEqual(['Not connected', tooLate, []]);
  });

  it.each([
    ['without an answer', null, 'Hookline could not be reached', 'Check the connection and try again.'],
    ['while a service is away', json(503, { error: { message: 'Soon.' } }), 'Not connected yet', 'Soon.'],
    ['behind a bad proxy', new Response('Bad gateway', { status: 502 }), 'Hookline could not be reached'],
  ] as const)('the page says so %s, and offers to try again', async (_, answer, title, text?: string) => {
    const stuck = await finish(null, answer?.clone());
    expect([stuck.title, stuck.buttons]).toEqual([title, ['Try again']]);
    if (text) expect(stuck.text).toBe(text);
    const again = await finish(null, answer, connected());
    expect([again.title, again.buttons]).toEqual(['@pebblo is connected', []]);
    // A repeat of a request that did arrive connects once.
    expect([again.asked.length, again.keys.size]).toEqual([2, 1]);
  });
});
