/** What somebody has done or typed outlives the session, the page and the server. */

import { perSuite } from '@hookline/testing/per-suite';
import { describe, expect, it } from 'vitest';
import type { Prepared } from '../lab/kit/clients/api.ts';
import { decide, deckOf, launch, signIn, visit } from './src/browser.ts';
import { invite, newCreator, read, writeDeck } from './src/person.ts';

const browser = perSuite(launch);

/** As from another browser of the same person. */
function endSession({ api, session }: Prepared): Promise<unknown> {
  return api('POST', '/auth/sign-out', { token: session });
}

describe('a session that ends', () => {
  it('while a deck is edited leads to the sign-in, and what was typed comes back to its writer alone', async () => {
    const one = await newCreator('studio.nord');
    const colleague = await invite(one, 'approver');
    const deck = await writeDeck(one, { hook: 'As it was' });
    const { page, context, open } = await visit(browser, 'phone', { as: one });
    await open(`/posts/${deck.id}/edit`, 'Edit');
    const hook = page.getByLabel('Slide 1, hook', { exact: true });
    const previewed = page.waitForResponse(/dryRun=true/);
    await hook.fill('Half of a new hook');
    await previewed;
    await endSession(one);
    // The preview of these words is what finds out.
    await hook.fill('The whole of a new hook');
    await page.getByText('Your session ended. Sign in again').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);

    await signIn(page, colleague);
    await page.getByRole('heading', { level: 1, name: 'Edit' }).waitFor();
    await expect.poll(() => hook.inputValue()).toBe('As it was');
    await context.clearCookies();
    await page.goto(`/console/sign-in?next=/console/posts/${deck.id}/edit`);
    await signIn(page, one);
    await page.getByRole('heading', { level: 1, name: 'Edit' }).waitFor();
    await expect.poll(() => hook.inputValue()).toBe('The whole of a new hook');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(async () => await read(one, deck.id))
      .toMatchObject({ version: 2, result: { hook: 'The whole of a new hook' } });
    await deckOf(page, 'The whole of a new hook').waitFor();
    await open(`/posts/${deck.id}/edit`, 'Edit');
    await expect.poll(() => hook.inputValue()).toBe('The whole of a new hook');
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  });

  it('while a comment is typed leaves it in its form until it is sent', async () => {
    const one = await newCreator('studio.nord');
    const deck = await writeDeck(one, { hook: 'Talked about' });
    const { page, open, end } = await visit(browser, 'phone', { as: one });
    await open(`/posts/${deck.id}`, 'Post');
    await page.getByRole('button', { name: 'Write a comment' }).click();
    const comment = page.getByLabel('Comment', { exact: true });
    await comment.fill('Said at length');
    await endSession(one);
    await page.reload();
    await signIn(page, one);
    await expect.poll(() => comment.inputValue()).toBe('Said at length');
    await page.getByRole('button', { name: 'Add comment' }).click();
    await page.getByRole('listitem').getByText('Said at length').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Write a comment' }).waitFor();
    await end();
  });

  it('while a reason is typed brings the deck back with its reason, and nothing without one', async () => {
    const one = await newCreator('studio.nord');
    const deck = await writeDeck(one, { hook: 'Rejected over a sign-in' });
    await writeDeck(one, { hook: 'The newest deck' });
    const { page, open } = await visit(browser, 'desktop', { as: one });
    await open('/approve', 'Approve');
    const dialog = page.getByRole('dialog', { name: 'Reject this deck' });
    await decide(page, 'Reject').click();
    await dialog.waitFor();
    await open('/posts', 'Posts');
    await open('/approve', 'Approve');
    await deckOf(page, 'The newest deck').waitFor();
    expect(await dialog.count()).toBe(0);
    await page.getByRole('button', { name: 'Next deck' }).click();
    await deckOf(page, 'Rejected over a sign-in').waitFor();
    await decide(page, 'Reject').click();
    await dialog.getByRole('button', { name: 'Wrong tone' }).click();
    await dialog.getByLabel('Reason').fill('and too long');
    await endSession(one);
    await page.reload();
    await signIn(page, one);
    await dialog.waitFor();
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('and too long');
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await page.goto('/console/posts');
    await expect
      .poll(async () => (await read(one, deck.id)).approval?.reason ?? null)
      .toBe('Wrong tone. and too long');
    await open('/approve', 'Approve');
    await deckOf(page, 'The newest deck').waitFor();
    expect(await dialog.count()).toBe(0);
  });
});

it('a script that comes after the page has read its decks reads none, which would be shown when they are old', async () => {
  const { page, open } = await visit(browser, 'desktop', { as: await newCreator('studio.nord') });
  const read = page.waitForResponse(/approvalStatus=pending/);
  await page.route('**/early.js', async route => {
    await read;
    await route.continue();
  });
  const requests: string[] = [];
  page.on('request', request => requests.push(request.url()));
  await open('/approve', 'Approve');
  await page.waitForLoadState('networkidle');
  expect(requests.filter(url => url.includes('early.js'))).toHaveLength(1);
  expect(requests.filter(url => url.endsWith('/auth/session'))).toHaveLength(1);
});

it('a decision that a page left is sent by the next one, whichever screen it shows', async () => {
  const one = await newCreator('studio.nord');
  const deck = await writeDeck(one, { hook: 'Approved before the crash' });
  const { page, context, open } = await visit(browser, 'desktop', { as: one });
  await open('/approve', 'Approve');
  await decide(page, 'Approve').click();
  await context.setOffline(true);
  await Promise.all([page.waitForEvent('close'), page.close({ runBeforeUnload: true })]);
  await context.setOffline(false);
  expect((await read(one, deck.id)).approvalStatus).toBe('pending');
  const next = await context.newPage();
  await next.goto('/console/calendar');
  await expect.poll(async () => (await read(one, deck.id)).approvalStatus).toBe('approved');
});

it('a decision that a hidden page sent is sent again when no answer comes', async () => {
  const one = await newCreator('studio.nord');
  const deck = await writeDeck(one, { hook: 'Approved on the underground' });
  const { page, open } = await visit(browser, 'phone', { as: one });
  // It is never answered.
  await page.route('**/content/*/approve', () => {}, { times: 1 });
  await open('/approve', 'Approve');
  await decide(page, 'Approve').click();
  for (const state of ['hidden', 'visible'])
    await page.evaluate(value => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    }, state);
  await page.getByText('Your decision is kept').waitFor();
  await expect.poll(async () => (await read(one, deck.id)).approvalStatus).toBe('approved');
});

describe('while the server is away', () => {
  it('screens that were not opened yet open, and say what they could not read', async () => {
    const one = await newCreator('studio.nord');
    const { page, open, go } = await visit(browser, 'phone', { as: one });
    const loaded = page.waitForResponse(/\/assets\/Calendar-/);
    await open('/approve', 'Approve');
    await (await loaded).finished();
    await page.waitForLoadState('networkidle');
    await page.route('**/*', route => route.abort());
    await go('Calendar');
    await page.getByRole('alert').getByText('Hookline cannot be reached').first().waitFor();
    await page.getByRole('button', { name: 'More', exact: true }).waitFor();
  });

  it('a screen whose files are missing keeps the navigation and is tried again', async () => {
    const one = await newCreator('studio.nord');
    const { page, open, check } = await visit(browser, 'desktop', {
      as: one,
      expected: /Hookline cannot be reached/,
    });
    await page.route(/\/assets\/Calendar-/, route => route.abort());
    await open('/approve', 'Approve');
    await page.getByRole('link', { name: 'Calendar' }).click();
    await page.getByRole('heading', { level: 1, name: 'This screen could not be shown' }).waitFor();
    await page.getByRole('alert').getByText('Hookline cannot be reached').waitFor();
    await check('Screen not loaded');
    await page.getByRole('navigation').getByRole('link', { name: 'Calendar' }).waitFor();
    await page.unrouteAll();
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Calendar' }).waitFor();
  });
});
