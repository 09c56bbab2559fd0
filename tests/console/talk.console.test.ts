/** People talk about a deck: where it is decided on and on its own page. */
import { perSuite } from '@hookline/testing/per-suite';
import { expect, it } from 'vitest';
import { type Device, launch, visit } from './src/browser.ts';
import { newCreator, writeDeck } from './src/person.ts';

const browser = perSuite(launch);
const devices: readonly Device[] = ['phone', 'desktop'];

it.each(devices)('a comment on a slide made on Approve is on the page of the deck on a %s', async device => {
  const creator = await newCreator('studio.nord');
  const { api, key } = creator;
  const deck = await writeDeck(creator, { hook: 'Talk about me' });
  await api('POST', `/content/${deck.id}/comments`, { token: key, body: { text: 'From an agent.' } });
  const { page, open, check, end } = await visit(browser, device, { as: creator, dark: device === 'phone' });
  await open('/approve', 'Approve');
  await page.getByText('From an agent.').waitFor();
  await page.getByLabel('About', { exact: true }).selectOption('2');
  await page.getByLabel('Comment', { exact: true }).fill('Show the app here.');
  await page.getByRole('button', { name: 'Add comment' }).click();
  await page.getByRole('listitem').filter({ hasText: 'Slide 2' }).getByText('Show the app here.').waitFor();
  expect(await page.getByLabel('Comment', { exact: true }).inputValue()).toBe('');
  await check('Approve with comments');
  await open(`/posts/${deck.id}`, 'Post');
  const said = page.getByRole('listitem').filter({ hasText: /From an agent|Show the app/ });
  await expect
    .poll(() => said.allInnerTexts())
    .toEqual([expect.stringContaining('Show the app here.'), expect.stringContaining('From an agent.')]);
  await check('Post with comments');
  await end();
});
