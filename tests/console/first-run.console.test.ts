/** What a workspace says that has not posted yet. */

import { perSuite } from '@hookline/testing/per-suite';
import { beforeAll, expect, it } from 'vitest';
import { newAutomation, type Prepared } from '../lab/kit/clients/api.ts';
import { launch, visit } from './src/browser.ts';
import { newCreator, newPerson, writeDeck } from './src/person.ts';

const browser = perSuite(launch);
let one: Prepared;

beforeAll(async () => {
  one = await newCreator('studio.nord');
});

it('a person who signs up has the times of the browser', async () => {
  const { page } = await visit(browser, 'phone', { timezoneId: 'Asia/Tokyo' });
  await page.goto('/console/sign-up');
  await page.getByLabel('Email').fill(`tokyo-${Date.now()}@example.com`);
  await page.getByLabel('Password', { exact: true }).fill('a long enough password');
  await page.locator('button[type=submit]').click();
  await page.getByRole('heading', { level: 1, name: 'Approve' }).waitFor();
  const answer = await page.context().request.get('/console/api/v1/workspace');
  expect((await answer.json()).data.timezone).toBe('Asia/Tokyo');
});

it('the guide ticks what is done, in whatever order, and nothing else', async () => {
  const { page, open, check } = await visit(browser, 'phone', { as: one });
  await open('/approve', 'Approve');
  const done = page.getByRole('listitem').filter({ hasText: 'done' });
  await page.getByRole('button', { name: 'Make the deck' }).waitFor();
  expect(await done.allTextContents()).toEqual([
    expect.stringContaining('Paste your store link'),
    expect.stringContaining('Connect TikTok'),
  ]);
  await check('First run connected');
});

it('the guide says why no deck was made', async () => {
  const person = await newPerson();
  // Nobody has installed a font for it here.
  const description = 'தினசரி செலவுகளை எளிதாகப் பதிவு செய்ய உதவும் செயலி. மாத இறுதியில் அறிக்கை பெறலாம்.';
  await person.api('POST', '/apps', { token: person.key, body: { listing: { name: 'கணக்கு', description } } });
  const { page, open } = await visit(browser, 'phone', { as: person });
  await open('/approve', 'Approve');
  await page.getByRole('button', { name: 'Make the deck' }).click();
  await page.getByRole('alert').getByText('characters that no font here can write').waitFor();
});

it('an automation that is active says when it makes the next deck', async () => {
  const { api, key } = one;
  const id = await newAutomation(one, { brief: { topic: 'Small wins before breakfast' } });
  const { page, open, check } = await visit(browser, 'desktop', { as: one });
  await open('/approve', 'Approve');
  await page.getByText('The next deck is made').waitFor();
  expect(await page.getByText('From a store link to a post').count()).toBe(0);
  await check('Approve next deck');
  await api('POST', `/automations/${id}/pause`, { token: key });
});

it('a workspace of several approved decks is caught up, though nothing was ever scheduled', async () => {
  const { api, key } = one;
  for (const hook of ['Approved first', 'Approved second']) {
    const deck = await writeDeck(one, { hook });
    await api('POST', `/content/${deck.id}/approve`, { token: key, body: {} });
  }
  const { page, open } = await visit(browser, 'phone', { as: one });
  await open('/approve', 'Approve');
  await page.getByText('All caught up').waitFor();
  expect(await page.getByText('From a store link to a post').count()).toBe(0);
});

it('the zone of the browser is offered once: kept it stays away, used it is the zone of the workspace', async () => {
  for (const answer of ['Keep UTC', 'Use Asia/Tokyo']) {
    const { page, open, check } = await visit(browser, 'phone', {
      as: one,
      timezoneId: 'Asia/Tokyo',
      hasZoneOffer: true,
    });
    await open('/calendar', 'Calendar');
    const offer = page.getByText('Your browser is in Asia/Tokyo, the workspace in UTC.');
    await offer.waitFor();
    await check('Zone offer');
    await page.getByRole('button', { name: answer }).click();
    await offer.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText(`Times in ${answer.slice(answer.indexOf(' ') + 1)}`).waitFor();
    expect(await offer.count()).toBe(0);
  }
});
