/** The cookie of the console in a real browser. */
import { createHash, randomBytes } from 'node:crypto';
import { perSuite } from '@hookline/testing/per-suite';
import { describe, expect, inject, it } from 'vitest';
import { launch, visit } from './src/browser.ts';
import { join, newCreator, newPerson, writeDeck } from './src/person.ts';

const browser = perSuite(launch);

describe('a page of another origin', () => {
  it('cannot act with the cookie of a person who is signed in', async () => {
    const { url, simulatorsUrl } = inject('product');
    const { email, password } = await newPerson();
    // Without a session: the cookie is the one that the product sets.
    const { page, context } = await visit(browser, 'desktop', { as: { email, password } });
    // Another port is another origin of the same site: the browser sends the cookie.
    await page.goto(`${simulatorsUrl}/`);
    const [answer] = await Promise.all([
      page.waitForResponse(`${url}/console/api/v1/auth/sign-out`),
      page.evaluate(action => {
        const form = Object.assign(document.createElement('form'), { action, method: 'post' });
        form.enctype = 'text/plain';
        document.body.append(form);
        form.submit();
      }, `${url}/console/api/v1/auth/sign-out`),
    ]);
    expect((await answer.request().allHeaders()).cookie).toContain('session');
    expect(answer.status()).toBe(403);
    const session = await context.request.get(`${url}/console/api/v1/auth/session`);
    expect(session.status()).toBe(200);
  });
});

describe('a client that asks to be connected', () => {
  it('is allowed by a person who signs in for it, and is listed under Keys', async () => {
    const { url } = inject('product');
    const { email, password } = await newPerson();
    const returnsTo = 'https://client.example/callback';
    const post = async (path: string, body: string, type: string) => {
      const answer = await fetch(url + path, { method: 'POST', body, headers: { 'content-type': type } });
      return await answer.json();
    };
    const { client_id } = await post(
      '/oauth/register',
      JSON.stringify({ client_name: 'Example client', redirect_uris: [returnsTo] }),
      'application/json',
    );
    const verifier = randomBytes(32).toString('base64url');
    const parameters = new URLSearchParams({
      response_type: 'code',
      client_id,
      redirect_uri: returnsTo,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      scope: 'content:read content:approve schedules:publish',
      // Must come back as it is, though JSON would make another number of it.
      state: '12345678901234567890',
      resource: `${url}/mcp`,
    });
    const { page, context, check, open } = await visit(browser, 'phone');
    await context.route('https://client.example/**', route => route.fulfill({ body: 'connected' }));
    await page.goto(`/console/authorize?${parameters}`);
    await page.getByLabel('Email').fill(email);
    const typed = page.getByLabel('Password', { exact: true });
    await typed.fill(password);
    await page.getByLabel('Show password').check();
    expect(await typed.getAttribute('type')).toBe('text');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Connect a client' }).waitFor();
    await page.getByText('It goes on at client.example.').waitFor();
    await check('authorize');
    await page.getByLabel('Also post approved decks directly to the profile').check();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL('https://client.example/**');
    const back = new URL(page.url()).searchParams;
    expect([back.get('state'), back.get('iss')]).toEqual(['12345678901234567890', url]);
    const tokens = await post(
      '/oauth/token',
      new URLSearchParams({
        grant_type: 'authorization_code',
        code: back.get('code') ?? '',
        client_id,
        redirect_uri: returnsTo,
        code_verifier: verifier,
        resource: `${url}/mcp`,
      }).toString(),
      'application/x-www-form-urlencoded',
    );
    expect(tokens.scope).toBe('content:read schedules:publish');
    await open('/keys', 'Keys');
    await page.getByRole('heading', { name: 'Example client (client.example)' }).waitFor();
  });
});

describe('a person of two workspaces', () => {
  it('is in one of them in every tab, and enters no other with something unsaved', async () => {
    const [own, other] = await Promise.all([newCreator('studio.nord'), newPerson()]);
    const { data: theirs } = await other.api<{ id: string }>('GET', '/workspace', {
      token: other.session,
    });
    await join(other, own, { password: own.password });
    const deck = await writeDeck(own, { hook: 'Of the own workspace' });
    await own.api('PATCH', '/workspace', { token: own.session, body: { name: 'Own' } });
    const { page, context, open } = await visit(browser, 'desktop', { as: own });
    const workspace = page.locator('header select');
    const mine = await context.newPage();
    // The stream says so seconds later, or, where nothing has happened in the other workspace, never.
    await mine.route('**/stream', () => {});
    await mine.goto('/console/settings');
    const name = mine.getByLabel('Workspace name');
    await expect.poll(() => name.inputValue()).toBe('Own');

    await open(`/posts/${deck.id}/edit`, 'Edit');
    await page.getByLabel('Slide 1, hook', { exact: true }).fill('Half of a new hook');
    await workspace.selectOption(theirs.id);
    const asked = page.getByRole('dialog', { name: 'Your changes are not saved' });
    await asked.getByRole('button', { name: 'Cancel' }).click();
    expect((await own.api('GET', '/workspace', { token: own.session })).data).toMatchObject({ name: 'Own' });
    await workspace.selectOption(theirs.id);
    await asked.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { level: 1, name: 'Approve' }).waitFor();
    expect(await workspace.inputValue()).toBe(theirs.id);
    await expect.poll(() => name.inputValue()).not.toBe('Own');
  });
});
