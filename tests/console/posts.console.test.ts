/** Posts are narrowed by state and app, and several that wait are rejected together. */
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import type { Page } from 'playwright-core';
import { expect, inject, it } from 'vitest';
import { connectCreator, putShutCreator } from '../lab/kit/clients/api.ts';
import { launch, visit } from './src/browser.ts';
import { addApp, newCreator, read, scheduleDeck, writeDeck } from './src/person.ts';

const browser = perSuite(launch);
const show = (page: Page, state: string) => page.getByLabel('State', { exact: true }).selectOption(state);
const rows = (page: Page) => page.getByRole('list', { name: 'Posts' }).getByRole('listitem');

it('several waiting decks of an app are rejected with one reason on a phone', async () => {
  const creator = await newCreator('studio.nord');
  const { api, key } = creator;
  const other = await addApp(creator);
  await connectCreator(creator, 'leo.quiet');
  const kept = await writeDeck({ ...creator, appId: other }, { hook: 'Of the other app' });
  const decks = [];
  for (const hook of ['One to reject', 'Another to reject', 'One that stays']) {
    decks.push(await writeDeck(creator, { hook }));
  }
  const { page, open, check } = await visit(browser, 'phone', { as: creator, dark: true });
  await open('/posts', 'Posts');
  await expect.poll(() => rows(page).count()).toBe(4);
  // Beside two lists to choose from there is still room for words.
  await page.getByLabel('Account', { exact: true }).waitFor();
  expect((await page.getByLabel('Search').boundingBox())?.width).toBeGreaterThan(200);
  expect(await rows(page).getByRole('checkbox').count()).toBe(0);
  await page.getByLabel('App', { exact: true }).selectOption('Pebblo');
  await show(page, 'Waits for approval');
  await expect.poll(() => rows(page).count()).toBe(3);
  await page.getByLabel('Search').fill('reject');
  await page.getByLabel('Search').press('Enter');
  await expect.poll(() => rows(page).count()).toBe(2);
  await page.reload();
  await rows(page).getByText('Another to reject').waitFor();
  expect(await rows(page).count()).toBe(2);
  await page.goBack();
  await expect.poll(() => rows(page).count()).toBe(3);
  expect(await page.getByLabel('Search').inputValue()).toBe('');
  await page.getByLabel('Select One to reject').check();
  await page.getByLabel('Select Another to reject').check();
  await check('Posts chosen');
  await page.getByRole('button', { name: 'Reject 2 decks' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reject 2 decks?' });
  await dialog.getByLabel('Reason').fill('Said before');
  await check('Posts reject');
  // Somebody else edits one of them meanwhile: it is named and left alone.
  await api('PATCH', `/content/${decks[1]?.id}`, { token: key, body: { hook: 'Another, edited' } });
  await dialog.getByRole('button', { name: 'Reject', exact: true }).click();
  await dialog.getByText('changed in the meantime').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => rows(page).count()).toBe(2);
  const statuses = [];
  for (const { id } of [...decks, kept]) statuses.push((await read(creator, id)).approvalStatus);
  expect(statuses).toEqual(['rejected', 'pending', 'pending', 'pending']);
  expect((await read(creator, decks[0]?.id as string)).approval.reason).toBe('Said before');
});

it('an account has its posts, by what became of them, on a desktop', async () => {
  const creator = await newCreator('studio.nord');
  const { api, key } = creator;
  const otherId = await connectCreator(creator, 'leo.quiet');
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  for (const [hook, tiktokAccountId] of [
    ['To the one', creator.accountId],
    ['To the other', otherId],
  ]) {
    const { id } = await writeDeck(creator, { hook });
    await api('POST', `/content/${id}/approve`, { token: key });
    const body = { contentId: id, tiktokAccountId, mode: 'draft', scheduledFor: inAnHour };
    const made = await api('POST', '/schedules', { token: key, body });
    expect(made.status).toBe(201);
  }
  const { page, open, check } = await visit(browser, 'desktop', { as: creator });
  await open('/posts', 'Posts');
  await expect.poll(() => rows(page).count()).toBe(2);
  await page.getByLabel('Account', { exact: true }).selectOption('@leo.quiet');
  await rows(page).getByText('To the other').waitFor();
  expect(await rows(page).count()).toBe(1);
  await rows(page).getByText('Scheduled').waitFor();
  await rows(page).getByText('Goes out').waitFor();
  await check('Posts of an account');
  await show(page, 'Not posted');
  await page.getByText('None of these.').waitFor();
  await page.reload();
  await page.getByText('None of these.').waitFor();
  await show(page, 'Every state');
  await rows(page).getByRole('link', { name: 'To the other' }).click();
  await page.getByRole('heading', { level: 1, name: 'Post', exact: true }).waitFor();
  await page.goBack();
  await page.getByLabel('Account', { exact: true }).selectOption('Every account');
  await expect.poll(() => rows(page).count()).toBe(2);
});

it('what was not posted is found without choosing an account, on a phone', async () => {
  const username = 'shut.phone';
  await putShutCreator(inject('product').simulatorsUrl, username);
  const creator = await newCreator(username);
  const { api, key } = creator;
  await writeDeck(creator, { hook: 'It waits' });
  await scheduleDeck(creator, 'It has a time', new Date(Date.now() + 3_600_000).toISOString());
  const refused = await writeDeck(creator, { hook: 'TikTok refuses it' });
  await api('POST', `/content/${refused.id}/approve`, { token: key });
  const body = { contentId: refused.id, tiktokAccountId: creator.accountId, mode: 'draft' };
  await api('POST', '/schedules', { token: key, body });
  const { page, open, check } = await visit(browser, 'phone', { as: creator, dark: true });
  await open('/posts', 'Posts');
  await show(page, 'Scheduled');
  await rows(page).getByText('It has a time').waitFor();
  expect(await rows(page).count()).toBe(1);
  await show(page, 'Not posted');
  await rows(page).getByText('TikTok refuses it').waitFor();
  await rows(page).getByText('Not posted', { exact: true }).waitFor();
  await rows(page).getByText(username).first().waitFor();
  expect(await rows(page).count()).toBe(1);
  await check('Posts not posted');
  await show(page, 'Posted');
  await page.getByText('None of these.').waitFor();
});

it('a post has its link to TikTok, or says why there is none', async () => {
  const creator = await newCreator('studio.nord');
  const { api, key: token, accountId: tiktokAccountId } = creator;
  const post = async (hook: string, how: { mode: string; privacyLevel?: string }) => {
    const { id } = await writeDeck(creator, { hook });
    await api('POST', `/content/${id}/approve`, { token });
    const body = { contentId: id, tiktokAccountId, ...how };
    const made = await api<{ id: string }>('POST', '/schedules', { token, body });
    await eventually(async () => {
      const { data } = await api<{ status: string }>('GET', `/schedules/${made.data.id}`, { token });
      expect(data.status).toBe('sent');
    }, 60_000);
    return id;
  };
  const open = await post('For everyone', { mode: 'publish', privacyLevel: 'PUBLIC_TO_EVERYONE' });
  const own = await post('Only for me', { mode: 'publish', privacyLevel: 'SELF_ONLY' });
  const draft = await post('In the inbox', { mode: 'draft' });
  const { page, open: go, check } = await visit(browser, 'phone', { as: creator });
  await go(`/posts/${open}`, 'Post');
  await page.getByRole('link', { name: 'Open on TikTok' }).waitFor();
  const top = async (name: string) => (await page.getByRole('heading', { name }).boundingBox())?.y ?? 0;
  const slides = await page.getByRole('region', { name: 'For everyone' }).boundingBox();
  expect(slides?.y).toBeLessThan(await top('For everyone'));
  await check('Post with its link');
  await go(`/posts/${own}`, 'Post');
  await page.getByText('TikTok gives one to public posts only').waitFor();
  await go(`/posts/${draft}`, 'Post');
  await page.getByText('it is a draft in TikTok until somebody finishes it there').waitFor();
  await page.getByRole('button', { name: 'Enter the numbers' }).waitFor();
  await go('/posts?state=posted', 'Posts');
  await page.getByRole('link', { name: 'Enter the numbers' }).first().click();
  const field = page.getByLabel('Views');
  await expect.poll(async () => (await field.boundingBox())?.y).toBeLessThan(844);
});

it('a change between the first read of a page and its stream is shown', async () => {
  const creator = await newCreator('studio.nord');
  const deck = await writeDeck(creator, { hook: 'Rejected early' });
  const { page, open } = await visit(browser, 'desktop', { as: creator });
  const held = Promise.withResolvers<void>();
  await page.route('**/stream', async route => {
    await held.promise;
    await route.fallback();
  });
  await open(`/posts/${deck.id}`, 'Post');
  await page
    .getByRole('img', { name: /^Slide 1/ })
    .first()
    .waitFor();
  const body = { reason: 'Too long' };
  await creator.api('POST', `/content/${deck.id}/reject`, { token: creator.key, body });
  held.resolve();
  await page.getByText('Too long').first().waitFor();
});
