/** People talk about a deck: where it is decided on and on its own page. */
import { perSuite } from '@hookline/testing/per-suite';
import { expect, it } from 'vitest';
import { decide, launch, visit } from './src/browser.ts';
import { newCreator, read, writeDeck } from './src/person.ts';

const browser = perSuite(launch);

it('a comment on a slide made on Approve is on the page of the deck on a desktop', async () => {
  const creator = await newCreator('studio.nord');
  const { api, key } = creator;
  const deck = await writeDeck(creator, { hook: 'Talk about me' });
  await api('POST', `/content/${deck.id}/comments`, { token: key, body: { text: 'From an agent.' } });
  const { page, open, check } = await visit(browser, 'desktop', { as: creator });
  const arrives = Promise.withResolvers<void>();
  await page.route('**/comments?*', async route => {
    await arrives.promise;
    await route.continue();
  });
  await open('/approve', 'Approve');
  const approve = decide(page, 'Approve');
  await expect.poll(() => approve.isEnabled()).toBe(true);
  const place = await approve.boundingBox();
  arrives.resolve();
  await page.getByText('From an agent.').waitFor();
  expect(await approve.boundingBox()).toEqual(place);
  await page.getByRole('button', { name: 'Write a comment' }).click();
  await page.getByLabel('About', { exact: true }).selectOption('2');
  await page.getByLabel('Comment', { exact: true }).fill('Show the app here.');
  await page.getByRole('button', { name: 'Add comment' }).click();
  await page.getByRole('listitem').filter({ hasText: 'Slide 2' }).getByText('Show the app here.').waitFor();
  await page.getByRole('button', { name: 'Write a comment' }).waitFor();
  await check('Approve with comments');
  await open(`/posts/${deck.id}`, 'Post');
  const said = page.getByRole('listitem').filter({ hasText: /From an agent|Show the app/ });
  await expect
    .poll(() => said.allInnerTexts())
    .toEqual([expect.stringContaining('Show the app here.'), expect.stringContaining('From an agent.')]);
  await check('Post with comments');
});

it('a deck is sent back with a reason and returns with its next version on a phone', async () => {
  const creator = await newCreator('studio.nord');
  const deck = await writeDeck(creator, { hook: 'Change me' });
  const { page, open, check } = await visit(browser, 'phone', { as: creator });
  await open('/approve', 'Approve');
  await page.getByRole('button', { name: 'Reject', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Reject this deck' });
  const back = dialog.getByRole('button', { name: 'Change and bring back' });
  expect(await back.isDisabled()).toBe(true);
  await dialog.getByLabel('Reason').fill('Name the app first.');
  await check('Approve change and bring back');
  await back.click();
  await page.getByText('Sent back for changes').waitFor();
  await expect
    .poll(async () => (await read(creator, deck.id)).changesRequested?.reason, { timeout: 15_000 })
    .toBe('Name the app first.');
  await open(`/posts/${deck.id}`, 'Post');
  await page.getByText('Edit it; the next version waits for approval.').waitFor();
  expect(await page.getByRole('button', { name: 'Review', exact: true }).count()).toBe(0);
  await check('Post to change');
  await open('/posts?state=changes', 'Posts');
  await page.getByRole('list', { name: 'Posts' }).getByText('Change me').waitFor();
  await creator.api('PATCH', `/content/${deck.id}`, { token: creator.key, body: { hook: 'Changed' } });
  await open('/approve', 'Approve');
  await page.getByRole('heading', { name: 'Changed' }).waitFor();
});

it('a comment that was not sent is not offered for the deck that is opened next', async () => {
  const creator = await newCreator('studio.nord');
  const next = await writeDeck(creator, { hook: 'Opened next' });
  const deck = await writeDeck(creator, { hook: 'Half a comment' });
  const { page, open } = await visit(browser, 'desktop', { as: creator });
  const jump = async (hook: string) => {
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog', { name: 'Jump to' });
    await dialog.getByRole('combobox').fill(hook);
    await dialog.getByRole('option', { name: `${hook} Deck` }).click();
    await page.getByRole('heading', { name: hook }).waitFor();
  };
  await open(`/posts/${next.id}`, 'Post');
  await page.getByRole('heading', { name: 'Opened next' }).waitFor();
  await jump('Half a comment');
  await page.getByRole('button', { name: 'Write a comment' }).click();
  await page.getByLabel('Comment', { exact: true }).fill(`Of ${deck.id}`);
  await jump('Opened next');
  await page.getByRole('button', { name: 'Write a comment' }).waitFor();
  expect(await page.getByLabel('Comment', { exact: true }).count()).toBe(0);
});
