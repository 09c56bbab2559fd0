/** A deck is shown to somebody without an account, who decides on it from a link. */
import { perSuite } from '@hookline/testing/per-suite';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Content } from '../lab/kit/clients/api.ts';
import { launch, visit } from './src/browser.ts';
import { newCreator, writeDeck } from './src/person.ts';

const browser = perSuite(launch);
type Creator = Awaited<ReturnType<typeof newCreator>>;

/** As the Share dialog does. */
async function linkTo({ api, key }: Creator, deck: Content, mayDecide = true): Promise<Made> {
  const body = { expiresInHours: 24, mayDecide };
  const made = await api<Made>('POST', `/content/${deck.id}/review-links`, { token: key, body });
  if (made.error) throw new Error(made.error.message);
  return made.data;
}
type Made = { id: string; url: string };
const approve = (page: Page) => page.getByRole('button', { name: 'Approve', exact: true });
const next = (page: Page) => page.getByRole('button', { name: 'Next slide' });
async function lookThrough(page: Page): Promise<void> {
  for (let slide = 2; slide <= 4; slide += 1) {
    await next(page).click();
    await page.getByText(`${slide} of 4`).or(page.getByText('You have seen every slide.')).waitFor();
  }
}

it('a link made in Share is opened, looked through and approved on a phone', async () => {
  const creator = await newCreator('studio.nord');
  const deck = await writeDeck(creator, { hook: 'Show me to a customer' });
  const owner = await visit(browser, 'phone', { as: creator, dark: true });
  await owner.open('/approve', 'Approve');
  await owner.page.getByRole('button', { name: 'Share', exact: true }).click();
  const dialog = owner.page.getByRole('dialog', { name: 'Share version 1' });
  await dialog.getByText('Nobody outside sees this deck.').waitFor();
  await dialog.getByText(/They read: “From \S/).waitFor();
  await dialog.getByLabel('They may approve or reject').uncheck();
  await dialog.getByRole('button', { name: 'Make a link' }).click();
  await dialog.getByRole('listitem').getByText('Look only').waitFor();
  await dialog.getByLabel('They may approve or reject').check();
  await dialog.getByRole('button', { name: 'Make a link' }).click();
  await dialog.getByRole('listitem').getByText('May approve or reject').waitFor();
  const url = (await dialog.locator('code').textContent()) ?? '';
  await owner.check('Share');
  await dialog.getByRole('button', { name: 'Close' }).click();
  // Somebody who reads the texts has no part of the slides on the screen.
  await owner.page.getByRole('heading', { name: 'Comments' }).scrollIntoViewIfNeeded();

  const reviewer = await visit(browser, 'desktop', { dark: true });
  const { page } = reviewer;
  const token = url.split('#')[1] ?? '';
  expect(token).toMatch(/^link_/);
  const sent: string[] = [];
  page.on('request', request => sent.push(`${request.url()} ${JSON.stringify(request.headers())}`));
  await page.goto(url);
  await page.getByText('Look at every slide to decide: 1 of 4').waitFor();
  expect(await approve(page).isDisabled()).toBe(true);
  await page.getByText('Pebblo', { exact: true }).first().waitFor();
  await reviewer.check('Review');
  await lookThrough(page);
  await approve(page).click();
  const sign = page.getByRole('dialog', { name: 'Approve this version' });
  await sign.getByLabel('Your name').fill('Kim of Pebblo');
  await reviewer.check('Review, approving');
  await sign.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('This version is approved.').waitFor();
  await reviewer.check('Review, approved');
  const said = owner.page.getByText('This deck was approved by the reviewer Kim of Pebblo.');
  await said.waitFor({ timeout: 25_000 });
  const [top, height] = await said.evaluate(one => [one.getBoundingClientRect().top, innerHeight]);
  expect(top).toBeGreaterThan(0);
  expect(top).toBeLessThan(height!);
  await owner.end();
  expect(sent.length).toBeGreaterThan(5);
  expect(sent.filter(request => request.includes(token))).toEqual([]);
  await reviewer.end();
  const now = await creator.api<{ approval: object }>('GET', `/content/${deck.id}`, { token: creator.key });
  expect(now.data.approval).toMatchObject({
    decision: 'approved',
    by: { kind: 'reviewer', name: 'Kim of Pebblo' },
  });
});

it('a client asks for a change, reads what was sent, and is shared the next version', async () => {
  const creator = await newCreator('studio.nord');
  const deck = await writeDeck(creator, { hook: 'Make it green' });
  const { url } = await linkTo(creator, deck);
  const client = await visit(browser, 'phone');
  await client.page.goto(url);
  await lookThrough(client.page);
  await client.page.getByRole('button', { name: 'Change it' }).click();
  const dialog = client.page.getByRole('dialog', { name: 'Ask for changes' });
  await dialog.getByLabel('What should change?').fill('Use our green. '.repeat(30).trim());
  await dialog.getByLabel('Your name').fill('Kim');
  await dialog.getByRole('button', { name: 'Ask for changes' }).click();
  await client.page.getByText('You asked for changes.').waitFor();
  await client.page.reload();
  await client.page.getByText(/^Your decision was sent to .+, signed Kim\.$/).waitFor();
  await client.page.getByText('Use our green. Use our green.').waitFor();
  await client.check('Review, asked for changes');
  await client.end();

  const { context, page, open, check } = await visit(browser, 'phone', { as: creator });
  await open(`/approve?deck=${deck.id}`, 'Approve');
  await page.getByText('Changes were asked for by the reviewer Kim.').waitFor();
  await check('Approve, changes asked for by link');
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('button', { name: 'Make a link' }).waitFor();
  expect(await page.getByLabel('They may').count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByText('Use our green. Use our green.').waitFor();
  await check('Edit, as a client asked');
  await open(`/approve?deck=${deck.id}`, 'Approve');
  const caption = 'In green.';
  await creator.api('PATCH', `/content/${deck.id}`, { token: creator.key, body: { caption } });
  // The browser of the test has no sheet to share with: what the page hands over is kept instead. A page on plain
  // http has no clipboard.
  await page.addInitScript(() => {
    Object.assign(navigator, { share: async (given: object) => Object.assign(globalThis, { given }) });
    Object.defineProperty(navigator, 'clipboard', { value: undefined });
  });
  await page.reload();
  await page.getByRole('button', { name: 'Share version 2' }).click();
  const share = page.getByRole('dialog', { name: 'Share version 2' });
  await share.getByText('Shows nothing: there is a newer version').waitFor();
  await share.getByRole('button', { name: 'Make a link' }).click();
  await share.getByRole('button', { name: 'Send it' }).click();
  const given = await page.evaluate(() => (globalThis as { given?: object }).given);
  const shown = await share.locator('code').textContent();
  expect(given).toEqual({ url: shown });
  await share.getByRole('button', { name: 'Copy the link' }).click();
  await share.getByRole('button', { name: 'Copied' }).waitFor();
  await context.grantPermissions(['clipboard-read']);
  const other = await context.newPage();
  await other.goto('/console/sign-in');
  expect(await other.evaluate(() => navigator.clipboard.readText())).toBe(shown);
  await other.close();
  await check('Share, the next version');
  await share.getByRole('link', { name: 'Change the name' }).click();
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
});

it('a rejection by a link has a reason and a name', async () => {
  const creator = await newCreator('studio.nord');
  const deck = await writeDeck(creator, { hook: 'Reject me' });
  const { url } = await linkTo(creator, deck);
  const { page, check } = await visit(browser, 'phone');
  await page.goto(url);
  await lookThrough(page);
  await page.getByRole('button', { name: 'Reject', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Reject this version' });
  await dialog.getByLabel('What is wrong?').fill('The second slide is not ours.');
  // A tap outside the dialog keeps the typed text.
  await page.mouse.click(10, 10);
  for (let presses = 0; presses < 2; presses += 1) await page.keyboard.press('Escape');
  await dialog.getByLabel('Your name').fill('Kim');
  await check('Review, rejecting');
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await page.getByText('This version is rejected.').waitFor();
  await page.getByRole('status').getByText('The second slide is not ours.').waitFor();
  const now = await creator.api<{ approval: object }>('GET', `/content/${deck.id}`, { token: creator.key });
  expect(now.data.approval).toMatchObject({ reason: 'The second slide is not ours.', by: { name: 'Kim' } });
});

it('a slide counts as seen only where there was room for it', async () => {
  const creator = await newCreator('studio.nord');
  const { url } = await linkTo(creator, await writeDeck(creator, { hook: 'Seen in a low window' }));
  const { page } = await visit(browser, 'desktop');
  await page.goto(url);
  await page.getByText('Look at every slide to decide: 1 of 4').waitFor();
  await page.setViewportSize({ width: 1280, height: 100 });
  await expect.poll(() => page.locator('.strip').evaluate(({ clientWidth }) => clientWidth)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 800 });
  await next(page).click();
  await page.getByText('Look at every slide to decide: 2 of 4').waitFor();
});

it('nothing is decided on a slide whose picture did not come', async () => {
  const creator = await newCreator('studio.nord');
  const deck = await writeDeck(creator, { hook: 'Half seen' });
  const { url } = await linkTo(creator, deck);
  const { page } = await visit(browser, 'phone');
  const third = new URL(deck.images[2]!.url).pathname;
  await page.route(
    ({ pathname }) => pathname === third,
    route => route.abort(),
  );
  await page.goto(url);
  // A slide that is left before its picture came was not seen.
  const sees = (slides: number) => page.getByText(`Look at every slide to decide: ${slides} of 4`).waitFor();
  await sees(1);
  for (const slides of [2, 2, 3]) {
    await next(page).click();
    await sees(slides);
  }
  expect(await approve(page).isDisabled()).toBe(true);
});

it('a link that is withdrawn, or whose deck has a newer version, says so and shows no slide', async () => {
  const creator = await newCreator('studio.nord');
  const { api, key } = creator;
  const deck = await writeDeck(creator, { hook: 'Gone soon' });
  const [first, second] = [await linkTo(creator, deck, false), await linkTo(creator, deck, false)];
  const { page, check } = await visit(browser, 'phone');
  await page.goto(first.url);
  await page.getByText('This link is for looking only.').waitFor();
  expect(await approve(page).count()).toBe(0);

  await api('DELETE', `/content/${deck.id}/review-links/${first.id}`, { token: key });
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'This link shows nothing' }).waitFor();
  await page.getByText('This link has expired or was withdrawn.').waitFor();
  await check('Review, withdrawn');

  await api('PATCH', `/content/${deck.id}`, { token: key, body: { caption: 'Another.' } });
  await page.goto(second.url);
  await page.getByRole('heading', { level: 1, name: 'There is a newer version' }).waitFor();
  expect(await page.locator('img').count()).toBe(0);
  await page.goto('/console/review');
  await page.getByText('The address is not whole.').waitFor();
});

it('a link that an edit has ended is not shown as one to the version that is shared now', async () => {
  const creator = await newCreator('studio.nord');
  const deck = await writeDeck(creator, { hook: 'Edited while it is shared' });
  const { page, open } = await visit(browser, 'desktop', { as: creator });
  await open(`/posts/${deck.id}`, 'Post');
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Make a link' }).click();
  await dialog.locator('code').waitFor();
  await creator.api('PATCH', `/content/${deck.id}`, { token: creator.key, body: { caption: 'Edited' } });
  await dialog.getByText('Share version 2').waitFor();
  expect(await dialog.locator('code').count()).toBe(0);
});
