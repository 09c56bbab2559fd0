/** The ways between screens: the bar of a phone by role, and the jump by words. */
import { perSuite } from '@hookline/testing/per-suite';
import { beforeAll, expect, it } from 'vitest';
import type { Prepared } from '../lab/kit/clients/api.ts';
import { decide, launch, visit } from './src/browser.ts';
import { invite, newCreator, writeDeck } from './src/person.ts';

const browser = perSuite(launch);
let creator: Prepared;

beforeAll(async () => {
  creator = await newCreator('studio.nord');
  await writeDeck(creator, { hook: 'Seven stones before breakfast' });
  await writeDeck(creator, { hook: 'A river at night' });
});

it('the bar of a phone has what the role uses, beside the decision on Approve', async () => {
  const entries = {
    owner: ['Approve', 'Calendar', 'Posts', 'New deck', 'More'],
    editor: ['Calendar', 'Posts', 'New deck', 'More'],
    viewer: ['Calendar', 'Posts', 'More'],
  };
  const people = {
    owner: creator,
    editor: await invite(creator, 'editor'),
    viewer: await invite(creator, 'viewer'),
  };
  for (const role of ['owner', 'editor', 'viewer'] as const) {
    const { page, open, check } = await visit(browser, 'phone', { as: people[role] });
    await open('/approve', 'Approve');
    const bar = page.getByRole('navigation', { name: 'Main screens' });
    const names = () =>
      bar.locator('a, button').evaluateAll(all => all.map(one => one.lastChild?.textContent));
    await expect.poll(names).toEqual(entries[role]);
    await decide(page, 'Edit').waitFor();
    expect(await page.getByRole('button', { name: 'Keyboard' }).isVisible()).toBe(false);
    const box = async (one: typeof bar) => (await one.boundingBox()) ?? { y: 0, height: 0 };
    const [decision, screens] = [await box(page.getByRole('group', { name: 'Decision' })), await box(bar)];
    expect(decision.y + decision.height).toBe(screens.y);
    expect(screens.y + screens.height).toBe(844);
    if (role === 'owner') await check('Bar');
  }
});

it('Ctrl-K leads to a screen, an app or a deck by words, with the keyboard alone', async () => {
  const { page, open, check } = await visit(browser, 'desktop', { as: creator });
  await open('/posts', 'Posts');
  const dialog = page.getByRole('dialog', { name: 'Jump to' });
  const jump = async (words: string, option: string) => {
    await page.keyboard.press('Control+k');
    await dialog.getByRole('combobox').fill(words);
    await dialog.getByRole('option', { name: option, selected: true }).waitFor();
  };
  await jump('sch', 'To schedule Screen');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'To schedule' }).waitFor();
  // No screen is named so, and the decks are still to be read.
  await page.keyboard.press('Control+k');
  await dialog.getByRole('combobox').fill('seven');
  await page.keyboard.press('ArrowDown');
  await dialog.getByRole('option', { name: 'Seven stones before breakfast Deck', selected: true }).waitFor();
  await page.keyboard.press('Escape');
  await jump('pebb', 'Pebblo App');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Pebblo' }).waitFor();
  for (const words of ['2fa', 'two-factor', 'passkey']) {
    await jump(words, 'Two-factor (2FA) and passkeys Settings');
    await page.keyboard.press('Enter');
    const card = page.getByRole('heading', { name: 'Two-factor (2FA) and passkeys' });
    await card.waitFor();
    await expect.poll(async () => (await card.boundingBox())?.y).toBeLessThan(300);
    await page.goBack();
  }
  await jump('break stones', 'Seven stones before breakfast Deck');
  await check('Jump');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Post' }).waitFor();
  await page.getByText('Seven stones before breakfast').first().waitFor();
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Pebblo' }).waitFor();
});

it('on a phone the jump is in the menu, and Back closes it', async () => {
  const { page, open, check } = await visit(browser, 'phone', {
    as: creator,
    dark: true,
    inOwnWidth: true,
  });
  await open('/posts', 'Posts');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await check('Menu');
  await page.getByRole('dialog').getByRole('button', { name: 'Jump to' }).click();
  const dialog = page.getByRole('dialog', { name: 'Jump to' });
  await dialog.getByRole('combobox').fill('river');
  await dialog.getByRole('option', { name: 'A river at night' }).waitFor();
  await check('Jump');
  await page.goBack();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Jump to' }).click();
  await dialog.getByRole('combobox').fill('nothing of this kind');
  await dialog.getByText('Nothing has these words.').waitFor();
  await dialog.getByRole('combobox').fill('river');
  await dialog.getByRole('option', { name: 'A river at night' }).click();
  await page.getByRole('heading', { level: 1, name: 'Post' }).waitFor();
});
