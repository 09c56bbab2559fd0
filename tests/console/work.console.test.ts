/** What people do every day, from the sign-in to the post at the simulated platform. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { perSuite } from '@hookline/testing/per-suite';
import { fileForm, tinyPng } from '@hookline/testing/tiny-png';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { type Prepared, postsAtPlatform } from '../lab/kit/clients/api.ts';
import { decide, deckOf, fillTime, launch, visit } from './src/browser.ts';
import { newCreator, newPerson, read, scheduleDeck, writeDeck } from './src/person.ts';

const browser = perSuite(launch);
let creator: Prepared;

beforeAll(async () => {
  creator = await newCreator('studio.nord');
});

describe('the link that npm start prints', () => {
  it('signs in once, and a prefetch consumes nothing', async () => {
    const { printed, dataDir, url } = inject('product');
    const link = /http:\S+\/console\/enter\?token=\S+/.exec(printed)?.[0] ?? '';
    expect(link).not.toBe('');
    const { page, check } = await visit(browser, 'phone');
    await page.goto(link);
    await page.goto(link);
    await check('Enter');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Approve' }).waitFor();
    const { email } = JSON.parse(readFileSync(join(dataDir, 'first-run.json'), 'utf8')) as { email: string };
    const session = await page.context().request.get(`${url}/console/api/v1/auth/session`);
    expect((await session.json()).data.user.email).toBe(email);
    // The first run leaves one deck to decide on.
    await page.getByRole('img', { name: /^Slide 1 of/ }).waitFor();
  });
});

it('a deck is approved, taken back, approved again, scheduled and posted', async () => {
  const { simulatorsUrl } = inject('product');
  const hook = 'Three stones a day';
  const deck = await writeDeck(creator, { hook });
  const { page, open, check } = await visit(browser, 'phone', { as: creator });
  await open('/approve', 'Approve');
  const count = deck.images.length;
  await deckOf(page, hook).waitFor();
  await deckOf(page, hook)
    .getByRole('img', { name: `Slide 1 of ${count}:` })
    .waitFor();
  await check('Approve');
  await decide(page, 'Approve').click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await deckOf(page, hook).waitFor();
  expect((await read(creator, deck.id)).approvalStatus).toBe('pending');

  await decide(page, 'Approve').click();
  // Going on to the schedule sends the decision at once.
  await page.getByRole('button', { name: 'Schedule' }).click();
  await page.getByRole('heading', { level: 1, name: 'Schedule' }).waitFor();
  expect((await read(creator, deck.id)).approvalStatus).toBe('approved');
  await page.getByLabel('Account').selectOption({ index: 1 });
  await page.getByRole('radio', { name: 'Direct post' }).check();
  await check('Schedule');
  // Nothing is chosen for the person.
  expect(await page.getByLabel('Privacy').inputValue()).toBe('');
  await page.getByLabel('Disclose promotional content').check();
  await page.getByLabel('Your brand').check();
  await page.getByText('Your photo will be labeled as “Promotional content”.').waitFor();
  await page.getByLabel('Branded content', { exact: true }).check();
  await page.getByText('Your photo will be labeled as “Paid partnership”.').waitFor();
  await page.getByText('Branded content visibility cannot be set to private.').waitFor();
  expect(await page.getByRole('option', { name: 'Only me' }).isDisabled()).toBe(true);
  await page.getByLabel('Disclose promotional content').uncheck();
  await page.getByLabel('Privacy').selectOption('SELF_ONLY');
  // What the server would refuse cannot be sent, and a year that is being typed breaks nothing.
  const submit = page.getByRole('button', { name: 'Schedule', exact: true });
  const { y = 0, height = 0 } = (await submit.boundingBox()) ?? {};
  expect(y + height).toBeLessThan(page.viewportSize()?.height ?? 0);
  await fillTime(page, '2020-01-01T09:00');
  await page.getByText('That time is over.').waitFor();
  expect(await submit.isDisabled()).toBe(true);
  await fillTime(page, '0020-01-01T09:00');
  await page.getByText('Choose a day and a time').waitFor();
  await page.getByRole('button', { name: 'Now' }).click();
  const before = (await postsAtPlatform(simulatorsUrl, 'studio.nord')).length;
  await page.getByRole('button', { name: 'Post now', exact: true }).click();
  await expect
    .poll(async () => (await postsAtPlatform(simulatorsUrl, 'studio.nord')).length, { timeout: 30_000 })
    .toBe(before + 1);
  await open(`/posts/${deck.id}`, 'Post');
  await page.getByText('Posted').first().waitFor();
  await check('Post');
});

it('a deck is rejected with a reason, which the writer reads', async () => {
  const deck = await writeDeck(creator, { hook: 'A weak hook' });
  const { page, check } = await visit(browser, 'phone', { as: creator });
  await page.goto(`/console/approve?deck=${deck.id}`);
  await deckOf(page, 'A weak hook').waitFor();
  await decide(page, 'Reject').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('Not what the app does');
  // A selection that ends outside leaves what is typed.
  await dialog.getByLabel('Reason').hover();
  await page.mouse.down();
  await page.mouse.move(5, 5);
  await page.mouse.up();
  expect(await dialog.getByLabel('Reason').inputValue()).toBe('Not what the app does');
  await check('Reject');
  await dialog.getByRole('button', { name: 'Reject' }).click();
  // Leaving sends it at once.
  await page.goto('/console/posts');
  await expect
    .poll(async () => (await read(creator, deck.id)).approval?.reason ?? null)
    .toBe('Not what the app does');
  await page.getByLabel('State', { exact: true }).selectOption('Rejected');
  await page.waitForURL(/\?state=rejected/);
  await page.getByRole('link', { name: 'A weak hook' }).waitFor();
  await check('Posts rejected');
});

it('a deck says what it shares with another, and leads there', async () => {
  const brief = {
    hook: 'Small enough for a tired evening',
    slides: [{ text: 'Lay the shoes out before dinner' }, { text: 'Count the week, not the day' }],
    slideCount: undefined,
  };
  const first = await writeDeck(creator, brief);
  const second = await writeDeck(creator, brief);
  const { page, check } = await visit(browser, 'phone', { as: creator });
  for (const path of [`/console/approve?deck=${second.id}`, `/console/posts/${second.id}`]) {
    await page.goto(path);
    await page.getByText('Shares 100 % of its text with another deck of this app.').waitFor();
    await check('Shared text');
  }
  await page.getByRole('link', { name: 'another deck of this app' }).click();
  await page.waitForURL(`**/posts/${first.id}`);
});

it('a deck is edited with a preview that stores nothing until it is saved', async () => {
  const deck = await writeDeck(creator, { hook: 'Before the edit' });
  const { page, open, check } = await visit(browser, 'desktop', { as: creator });
  await open(`/posts/${deck.id}/edit`, 'Edit');
  await page.getByLabel('Slide 1, hook', { exact: true }).fill('After the edit');
  await page.getByLabel('Slide 2', { exact: true }).fill('A slide that somebody wrote.');
  await check('Edit');
  expect((await read(creator, deck.id)).result.hook).toBe('Before the edit');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(async () => await read(creator, deck.id))
    .toMatchObject({
      version: 2,
      approvalStatus: 'pending',
      result: { hook: 'After the edit' },
    });
});

it('a deck gets pictures, positions, another order and another template, and is duplicated', async () => {
  const ids: (string | undefined)[] = [];
  for (const grey of [40, 200]) {
    const path = `/apps/${creator.appId}/pictures`;
    const added = await creator.api<{ id: string }>('POST', path, {
      token: creator.key,
      body: fileForm(tinyPng(grey)),
    });
    ids.push(added.data.id);
  }
  const deck = await writeDeck(creator, { hook: 'A deck to arrange' });
  const { page, open, check } = await visit(browser, 'phone', { as: creator });
  await open(`/posts/${deck.id}/edit`, 'Edit');
  await page.getByRole('combobox', { name: 'Template' }).selectOption('photo-card');
  await page.getByRole('button', { name: 'Open slide 2' }).click();
  await page.getByLabel('Slide 2: position of the text').selectOption('top');
  await page.getByRole('button', { name: 'Slide 2: Picture: auto' }).click();
  await page.getByRole('button', { name: 'Picture 2', exact: true }).click();
  await check('Edit looks');
  await page
    .getByRole('region', { name: 'Preview' })
    .getByRole('img', { name: /^Slide 2 of/ })
    .click();
  expect(await page.getByLabel('Slide 3', { exact: true }).isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Slide 2: move down' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  const [first, second] = deck.result.bodySlides;
  await expect
    .poll(async () => await read(creator, deck.id))
    .toMatchObject({
      version: 2,
      approvalStatus: 'pending',
      templateId: 'photo-card',
      result: { bodySlides: [second, { ...first, pictureId: ids[0], position: 'top' }] },
    });
  await open(`/posts/${deck.id}`, 'Post');
  await check('Post duplicate');
  await page.getByRole('button', { name: /^More for/ }).click();
  await page.getByRole('menuitem', { name: /^Duplicate/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Edit' }).waitFor();
  const copyId = page.url().split('/').at(-2) ?? '';
  expect(copyId).not.toBe(deck.id);
  expect(await read(creator, copyId)).toMatchObject({ version: 1, result: { hook: 'A deck to arrange' } });
});

it('a scheduled post is in the calendar and is moved by keyboard and to another time', async () => {
  const hook = 'For tomorrow';
  const scheduledFor = new Date(Date.now() + 26 * 3_600_000).toISOString();
  const { contentId, scheduleId } = await scheduleDeck(creator, hook, scheduledFor);
  const { page, open, check } = await visit(browser, 'desktop', { as: creator });
  await open('/calendar', 'Calendar');
  await page.getByRole('button', { name: 'Month' }).click();
  // Tomorrow may be in the next month.
  const entry = page.getByRole('row', { name: new RegExp(hook) });
  if (new Date(scheduledFor).getUTCMonth() !== new Date().getUTCMonth())
    await page.getByRole('button', { name: 'Later' }).click();
  await entry.waitFor();
  await check('Calendar');
  await page.getByRole('button', { name: 'Day', exact: true }).focus();
  // Before it are the tray, the posts of other tests, and a button on each day that is not over.
  for (let tabs = 0; tabs < 15 && !(await focusIn(page)).includes(hook); tabs += 1)
    await page.keyboard.press('Tab');
  await expectFocusOn(page, hook);
  await page.keyboard.press('ArrowRight');
  await startDragFrom(page, scheduledFor);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expectTime(scheduleId, addDays(scheduledFor, 1));
  // The focus goes along, so that the keyboard goes on from there.
  await expectFocusOn(page, hook);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  const moved = new Date(Date.now() + 28 * 3_600_000).toISOString();
  await fillTime(dialog, moved.slice(0, 16));
  await check('Calendar move');
  await dialog.getByRole('button', { name: /Move|Save/ }).click();
  await expectTime(scheduleId, moved);
  await dialog.waitFor({ state: 'hidden' });
  await open(`/posts/${contentId}`, 'Post');
  await page.getByRole('button', { name: 'Move' }).click();
  const again = addDays(moved, 1);
  await fillTime(dialog, again.slice(0, 16));
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectTime(scheduleId, again);
});

it.each(['a Sunday', 'the last day of a month'])(
  'by keyboard a post on %s goes to the day after and back',
  async name => {
    const hook = `On ${name}`;
    const now = new Date();
    const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() + 1];
    // Of the next month: the second Sunday, or the end.
    const firstSunday = 1 + ((7 - new Date(Date.UTC(year, month, 1)).getUTCDay()) % 7);
    const day =
      name === 'a Sunday' ? Date.UTC(year, month, firstSunday + 7, 9) : Date.UTC(year, month + 1, 0, 9);
    const scheduledFor = new Date(day).toISOString();
    const { scheduleId } = await scheduleDeck(creator, hook, scheduledFor);
    const { page, open } = await visit(browser, 'desktop', { as: creator });
    await open('/calendar', 'Calendar');
    await page.getByRole('button', { name: 'Month' }).click();
    // Days of two months keep their place among the targets.
    for (const name of ['Later', 'Later', 'Earlier']) await page.getByRole('button', { name }).click();
    await page.getByRole('row', { name: new RegExp(hook) }).focus();
    const moves = [
      { from: scheduledFor, keys: ['Tab'], to: addDays(scheduledFor, 1) },
      // From the first target back to the post itself, and to the day before it.
      { from: addDays(scheduledFor, 1), keys: ['Shift+Tab', 'Shift+Tab'], to: scheduledFor },
      { from: scheduledFor, keys: [], to: scheduledFor },
    ];
    for (const { from, keys, to } of moves) {
      await page.keyboard.press('ArrowRight');
      await startDragFrom(page, from);
      for (const key of keys) await page.keyboard.press(key);
      await page.keyboard.press('Enter');
      await expectTime(scheduleId, to);
      await expectFocusOn(page, hook);
    }
  },
);

function focusIn(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { ariaLabel, textContent, tagName } = document.activeElement as HTMLElement;
    return tagName === 'BODY' ? '' : (ariaLabel ?? textContent);
  });
}

function expectFocusOn(page: Page, name: string): Promise<void> {
  return expect.poll(() => focusIn(page)).toContain(name);
}

/** With the focus on the handle of a post. The first target is the day of the post. */
async function startDragFrom(page: Page, time: string): Promise<void> {
  await expectFocusOn(page, 'Move');
  await page.keyboard.press('Enter');
  const day = { timeZone: 'UTC', weekday: 'long', day: 'numeric', month: 'long' } as const;
  await expectFocusOn(page, new Intl.DateTimeFormat('en-GB', day).format(new Date(time)));
}

function addDays(time: string, count: number): string {
  return new Date(Date.parse(time) + count * 24 * 3_600_000).toISOString();
}

async function expectTime(scheduleId: string, time: string): Promise<void> {
  const { api, key: token } = creator;
  const stored = async () =>
    (await api<{ scheduledFor: string }>('GET', `/schedules/${scheduleId}`, { token })).data.scheduledFor;
  await expect.poll(stored, { interval: 250 }).toBe(`${time.slice(0, 16)}:00.000Z`);
}

it('an empty workspace is led from a store link to its first deck', async () => {
  const person = await newPerson();
  const { page, open, check } = await visit(browser, 'phone', { as: person });
  await open('/approve', 'Approve');
  await page.getByLabel('Store link').fill('https://apps.apple.com/us/app/pebblo/id9990000011');
  await check('First run');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('img', { name: /^Slide 1 of/ }).waitFor({ timeout: 30_000 });
  await decide(page, 'Approve').click();
  // Before it is sent, too.
  const approved = page.getByRole('listitem').filter({ hasText: 'Approve it' });
  await approved.getByText('done').waitFor();
  expect(await page.getByRole('button', { name: 'Make the deck' }).count()).toBe(0);
});
