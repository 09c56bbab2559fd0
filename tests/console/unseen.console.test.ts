/** Nothing is decided that was not on screen, and what was decided can be taken back one by one. */

import { perSuite } from '@hookline/testing/per-suite';
import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Content } from '../lab/kit/clients/api.ts';
import { decide, deckOf, launch, signIn, visit } from './src/browser.ts';
import { invite, newCreator, read, writeDeck } from './src/person.ts';

const browser = perSuite(launch);

/** A decision can be taken back this long; the pages' clock is moved over it. */
const undoMs = 5_000;

/** The ids of the decks that the page asked to approve. */
function approvalsOf(page: Page): string[] {
  const ids: string[] = [];
  page.on('request', request => {
    const id = /\/content\/([^/]+)\/approve$/.exec(request.url())?.[1];
    if (id !== undefined && request.method() === 'POST') ids.push(id);
  });
  return ids;
}

/** The whole picture of the first slide, not its small one. */
function firstPicture({ images }: Content): RegExp {
  return new RegExp(`${new URL(images[0]?.url ?? '').pathname}\\?e=\\d+&s=[\\w-]+$`);
}

describe('Approve', () => {
  it.each([60, 350])('pressed twice within %i ms approves one deck', async pauseMs => {
    const one = await newCreator('studio.nord');
    await writeDeck(one, { hook: 'Behind the other' });
    const newest = await writeDeck(one, { hook: 'In front' });
    const { page, open } = await visit(browser, 'phone', { as: one });
    const approvals = approvalsOf(page);
    await page.clock.install();
    await open('/approve', 'Approve');
    await deckOf(page, 'In front').waitFor();
    await decide(page, 'Approve').click({ trial: true });
    const { x, y, width, height } = (await decide(page, 'Approve').boundingBox()) ?? {};
    const tap = () => page.touchscreen.tap(Number(x) + Number(width) / 2, Number(y) + Number(height) / 2);
    await tap();
    await page.waitForTimeout(pauseMs);
    await tap();
    await deckOf(page, 'Behind the other').waitFor();
    await page.clock.fastForward(undoMs);
    await expect.poll(() => approvals).toEqual([newest.id]);
    await page.clock.fastForward(undoMs);
    await page.waitForTimeout(700);
    expect(approvals).toEqual([newest.id]);
  });

  it('says in a sentence what the notice of a deck means, and the way out', async () => {
    const one = await newCreator('studio.nord');
    await writeDeck(one, { hook: 'About the app', topic: 'jet lag' });
    const { page, open } = await visit(browser, 'desktop', { as: one });
    await open('/approve', 'Approve');
    await deckOf(page, 'About the app')
      .getByText('only a text model writes about a topic. An owner connects one under Settings.')
      .waitFor();
  });

  it('waits until the first slide of a deck was on screen, by button and by key', async () => {
    const one = await newCreator('studio.nord');
    const deck = await writeDeck(one, { hook: 'Not painted yet' });
    const { page, open, check } = await visit(browser, 'phone', { as: one });
    const approvals = approvalsOf(page);
    const held: Route[] = [];
    await page.route(firstPicture(deck), route => void held.push(route));
    await open('/approve', 'Approve');
    await deckOf(page, 'Not painted yet').waitFor();
    await page.getByText('The first slide is still loading.').waitFor();
    for (const name of ['Approve', 'Reject'] as const)
      expect(await decide(page, name).isDisabled()).toBe(true);
    expect(await decide(page, 'Edit').isDisabled()).toBe(false);
    await check('Approve without a picture');
    await page.keyboard.press('a');
    await page.keyboard.press('r');
    expect(await page.getByRole('dialog').count()).toBe(0);
    // The other slides leave it the whole connection.
    expect(held).toHaveLength(1);
    await held[0]?.continue();
    await decide(page, 'Approve').click();
    await page.goto('/console/posts');
    await expect.poll(() => approvals).toEqual([deck.id]);
  });

  it('is refused for a picture that cannot be loaded; the picture is tried again, and Reject is not', async () => {
    const one = await newCreator('studio.nord');
    const deck = await writeDeck(one, { hook: 'A lost picture' });
    const { page, open } = await visit(browser, 'desktop', { as: one });
    await page.clock.install();
    await page.route(firstPicture(deck), route => route.abort());
    await open('/approve', 'Approve');
    await page.getByText('The first slide could not be loaded.').waitFor();
    expect(await decide(page, 'Approve').isDisabled()).toBe(true);
    expect(await decide(page, 'Reject').isDisabled()).toBe(false);
    await page.unroute(firstPicture(deck));
    await page.clock.fastForward(undoMs);
    await decide(page, 'Approve').click();
    await page.goto('/console/posts');
    await expect.poll(async () => (await read(one, deck.id)).approvalStatus).toBe('approved');
  });

  it('takes the decks that are not sent yet back from one bar, the last one first', async () => {
    const one = await newCreator('studio.nord');
    await writeDeck(one, { hook: 'The third deck' });
    const long = 'The second deck, whose name is far longer than a line of the toast can be';
    const second = await writeDeck(one, { hook: long });
    const first = await writeDeck(one, { hook: 'The first deck' });
    const { page, open } = await visit(browser, 'phone', { as: one });
    const approvals = approvalsOf(page);
    await page.clock.install();
    await open('/approve', 'Approve');
    await decide(page, 'Approve').click({ trial: true });
    // A slow machine takes longer than the five seconds.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
    const approve = async (hook: string) => {
      const slide = deckOf(page, hook).getByRole('img').first();
      await expect
        .poll(() => slide.evaluate((img: HTMLImageElement) => img.naturalWidth), { timeout: 30_000 })
        .toBeGreaterThan(0);
      await page.clock.runFor(1_000);
      await decide(page, 'Approve').click();
    };
    await approve('The first deck');
    await approve(long);
    const bar = page.getByRole('status').filter({ hasText: '2 approved' });
    const undo = bar.getByRole('button', { name: 'Undo last' });
    const [name, button] = [await bar.getByText(long).boundingBox(), await undo.boundingBox()];
    expect(Number(name?.x) + Number(name?.width)).toBeLessThan(Number(button?.x));
    await undo.click();
    await deckOf(page, long).waitFor();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await approve('The first deck');
    await approve(long);
    await bar.waitFor();
    expect(approvals).toEqual([]);
    await page.clock.fastForward(undoMs);
    await expect.poll(() => approvals.toSorted()).toEqual([first.id, second.id].toSorted());
    // Once both are sent, one step leads to the times of both.
    await page.getByRole('status').getByRole('button', { name: 'Schedule' }).click();
    await page.getByRole('heading', { level: 1, name: 'To schedule' }).waitFor();
  });
});

it('what somebody saw, and was told, is not taken for what the next person at the same page saw', async () => {
  const one = await newCreator('studio.nord');
  const { email, password } = await invite(one, 'approver');
  const hooks = ['Seen by one', 'Seen by one too'];
  for (const hook of hooks) await writeDeck(one, { hook });
  const edited = await writeDeck(one, { hook: 'Edited meanwhile' });
  const { page, open, go } = await visit(browser, 'desktop', { as: one });
  await open('/approve', 'Approve');
  await decide(page, 'Approve').click();
  await one.api('PATCH', `/content/${edited.id}`, { token: one.key, body: { caption: 'Other words' } });
  for (const hook of hooks.toReversed()) {
    const slides = deckOf(page, hook).getByRole('img');
    for (const index of [0, 1, 2, 3]) {
      await expect
        .poll(() => slides.nth(index).evaluate((img: HTMLImageElement) => img.naturalWidth))
        .toBeGreaterThan(0);
      await page.keyboard.press('ArrowRight');
      // A slide is seen with the next frame; of two presses within one, the first shows none.
      await page.evaluate(
        () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))),
      );
    }
    await page.keyboard.press('j');
  }
  await page.getByRole('button', { name: 'All seen (2)' }).waitFor();
  await go('Posts');
  await page.getByRole('status').getByText('Edited meanwhile').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await signIn(page, { email, password });
  await deckOf(page, 'Edited meanwhile').waitFor();
  await decide(page, 'Approve').click({ trial: true });
  expect(await page.getByRole('button', { name: 'All seen' }).count()).toBe(0);
  expect(await page.getByRole('status').getByText('Edited meanwhile').count()).toBe(0);
});

describe('a link to a deck that is decided', () => {
  it('shows that deck with its decision', async () => {
    const one = await newCreator('studio.nord');
    const { api, key } = one;
    const approved = await writeDeck(one, { hook: 'Approved long ago' });
    const rejected = await writeDeck(one, { hook: 'Rejected long ago' });
    await writeDeck(one, { hook: 'Waits for somebody' });
    await api('POST', `/content/${approved.id}/approve`, { token: key, body: {} });
    await api('POST', `/content/${rejected.id}/reject`, { token: key, body: { reason: 'Too loud' } });
    const { page, check } = await visit(browser, 'phone', { as: one });
    await page.goto(`/console/approve?deck=${approved.id}`);
    await deckOf(page, 'Approved long ago').waitFor();
    await page.getByRole('alert').getByText('This deck was approved by the key').waitFor();
    for (const name of ['Approve', 'Reject', 'Edit'] as const)
      expect(await decide(page, name).count()).toBe(0);
    await page.keyboard.press('a');
    await check('Approve decided');
    await page.goto(`/console/approve?deck=${rejected.id}`);
    await deckOf(page, 'Rejected long ago').getByText('Too loud').waitFor();
    await deckOf(page, 'Rejected long ago').getByRole('button', { name: 'Next deck' }).click();
    await deckOf(page, 'Waits for somebody').waitFor();
    expect((await read(one, rejected.id)).approvalStatus).toBe('rejected');
  });
});
