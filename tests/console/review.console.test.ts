/** Deciding on decks next to other people, over a bad connection, in bulk and by keyboard. */

import { perSuite } from '@hookline/testing/per-suite';
import type { Page, Route } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import type { Content } from '../lab/kit/clients/api.ts';
import { decide, deckOf, launch, visit } from './src/browser.ts';
import { invite, newCreator, read, writeDeck } from './src/person.ts';

const browser = perSuite(launch);

/** A decision can be taken back this long; the pages' clock is moved over it. */
const undoMs = 5_000;
/** What opens without a connection is loaded this long after the first deck. */
const loadLaterMs = 2_000;

describe('two people', () => {
  it('see each other’s edits and decisions instead of deciding on what they did not see', async () => {
    const one = await newCreator('studio.nord');
    const other = await invite(one, 'approver');
    const deck = await writeDeck(one, { hook: 'Seen by two' });
    const first = await visit(browser, 'desktop', { as: one });
    const second = await visit(browser, 'phone', { as: other });
    await second.page.clock.install();
    await first.open('/approve', 'Approve');
    await second.open('/approve', 'Approve');
    await deckOf(first.page, 'Seen by two').waitFor();
    await deckOf(second.page, 'Seen by two').waitFor();

    await first.page.keyboard.press('e');
    await first.page.getByLabel('Slide 1, hook', { exact: true }).fill('Seen by one');
    await first.page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => await read(one, deck.id)).toMatchObject({ version: 2 });
    // Whether the change has arrived or not: the version that was not on screen is not approved.
    await decide(second.page, 'Approve').click();
    await second.page.clock.fastForward(undoMs);
    await second.page
      .getByRole('heading', { name: 'This deck changed while you looked' })
      .first()
      .waitFor({ timeout: 20_000 });
    await second.page.getByText('Seen by one').first().waitFor();
    await second.check('Approve changed');
    expect(await read(one, deck.id)).toMatchObject({ approvalStatus: 'pending' });
    await second.page.getByRole('button', { name: 'Review version 2' }).last().click();
    await deckOf(second.page, 'Seen by one').waitFor();
    await decide(second.page, 'Approve').click();
    await second.page.goto('/console/posts');
    await expect.poll(async () => await read(one, deck.id)).toMatchObject({ approvalStatus: 'approved' });
  });

  it('decide differently: the first decision stands', async () => {
    const one = await newCreator('studio.nord');
    const deck = await writeDeck(one, { hook: 'Decided by two' });
    const { page, open } = await visit(browser, 'desktop', { as: one });
    await page.clock.install();
    await open('/approve', 'Approve');
    await deckOf(page, 'Decided by two').waitFor();
    await decide(page, 'Approve').click();
    await one.api('POST', `/content/${deck.id}/reject`, { token: one.key, body: { reason: 'Not ours' } });
    await page.clock.fastForward(undoMs);
    await page.getByRole('dialog').getByText('It was rejected in the meantime').waitFor();
    expect(await read(one, deck.id)).toMatchObject({ approvalStatus: 'rejected' });
  });

  it('look at one deck: it stays on screen when it leaves the queue', async () => {
    const one = await newCreator('studio.nord');
    const below = await writeDeck(one, { hook: 'Waits below' });
    const deck = await writeDeck(one, { hook: 'Taken by another' });
    const { page, open, check } = await visit(browser, 'desktop', { as: one });
    await open('/approve', 'Approve');
    await deckOf(page, 'Taken by another').waitFor();
    await one.api('POST', `/content/${deck.id}/approve`, { token: one.key, body: {} });
    await page.getByText('This deck was approved by the key').waitFor({ timeout: 25_000 });
    await deckOf(page, 'Taken by another').waitFor();
    await check('Approve gone');
    expect(await decide(page, 'Approve').count()).toBe(0);
    await deckOf(page, 'Taken by another').getByRole('button', { name: 'Next deck' }).click();
    await deckOf(page, 'Waits below').waitFor();
    const { url } = inject('product');
    const approval = `${url}/console/api/v1/content/${below.id}/approve`;
    await page.request.post(approval, { headers: { origin: url }, data: {} });
    await page.getByText('This deck was approved by you').waitFor({ timeout: 25_000 });
  });

  it('save the same deck: who saves second is asked, and neither text is lost', async () => {
    const one = await newCreator('studio.nord');
    const deck = await writeDeck(one, { hook: 'Edited by two' });
    const { page, open } = await visit(browser, 'desktop', { as: one });
    await open(`/posts/${deck.id}/edit`, 'Edit');
    await page.getByLabel('Slide 1, hook', { exact: true }).fill('What I wrote');
    await one.api('PATCH', `/content/${deck.id}`, { token: one.key, body: { caption: 'By somebody else' } });
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Somebody saved another version' });
    await dialog.waitFor();
    expect(await read(one, deck.id)).toMatchObject({ version: 2, result: { hook: 'Edited by two' } });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByLabel('Slide 1, hook', { exact: true }).inputValue()).toBe('What I wrote');
    await page.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('button', { name: 'Save mine' }).click();
    await expect
      .poll(async () => await read(one, deck.id))
      .toMatchObject({ version: 3, result: { hook: 'What I wrote' } });
  });
});

describe('the connection', () => {
  it('goes and comes back, and a decision taken meanwhile is kept', async () => {
    const one = await newCreator('studio.nord');
    const deck = await writeDeck(one, { hook: 'Decided in a tunnel' });
    const { page, context, open, check } = await visit(browser, 'phone', { as: one });
    await page.clock.install();
    const loadedLater = page.waitForResponse(/assets\/approve-/);
    await open('/approve', 'Approve');
    await deckOf(page, 'Decided in a tunnel').waitFor();
    await page.clock.fastForward(loadLaterMs);
    await loadedLater;
    await context.setOffline(true);
    await page.getByText(/You are offline/).waitFor();
    await check('Offline');
    await decide(page, 'Approve').click();
    await page.clock.fastForward(undoMs);
    await page.getByText('Your decision is kept').waitFor();
    expect((await read(one, deck.id)).approvalStatus).toBe('pending');
    await context.setOffline(false);
    await expect
      .poll(async () => (await read(one, deck.id)).approvalStatus, { timeout: 20_000 })
      .toBe('approved');
  });

  it('loses an answer: the decision is tried again, and sent before the person signs out', async () => {
    const one = await newCreator('studio.nord');
    const deck = await writeDeck(one, { hook: 'Behind a bad proxy' });
    const { page, open } = await visit(browser, 'desktop', { as: one });
    // The browser thinks it is online: no event says when to try again.
    let isCut = true;
    await page.route('**/content/*/approve', route => (isCut ? route.abort() : route.continue()));
    await open('/approve', 'Approve');
    await deckOf(page, 'Behind a bad proxy').waitFor();
    await decide(page, 'Approve').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    expect((await read(one, deck.id)).approvalStatus).toBe('pending');
    isCut = false;
    await expect.poll(async () => (await read(one, deck.id)).approvalStatus).toBe('approved');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in');
  });

  it('ends with the page: the decision is sent with what was seen, and a refusal shows at the next one', async () => {
    const one = await newCreator('studio.nord');
    const overridden = await writeDeck(one, { hook: 'Rejected by a colleague' });
    const sent = await writeDeck(one, { hook: 'Approved on the way out' });
    const { page, context, open } = await visit(browser, 'desktop', { as: one });
    await open('/approve', 'Approve');
    await deckOf(page, 'Approved on the way out').waitFor();
    await decide(page, 'Approve').click();
    await deckOf(page, 'Rejected by a colleague').waitFor();
    await decide(page, 'Approve').click();
    await one.api('POST', `/content/${overridden.id}/reject`, { token: one.key, body: { reason: 'No' } });
    await page.close({ runBeforeUnload: true });
    await expect.poll(async () => (await read(one, sent.id)).approvalStatus).toBe('approved');

    const next = await context.newPage();
    await next.goto('/console/approve');
    await next.getByRole('dialog').getByText('It was rejected in the meantime').waitFor();
    expect(await read(one, overridden.id)).toMatchObject({ approvalStatus: 'rejected' });
    await next.reload();
    await next.getByRole('heading', { level: 1, name: 'Approve' }).waitFor();
    expect(await next.evaluate(() => localStorage.getItem('hookline.decisions'))).toBeNull();
  });

  it('links of pictures that expired are renewed', async () => {
    const one = await newCreator('studio.nord');
    await writeDeck(one, { hook: 'An old tab' });
    const { page, open } = await visit(browser, 'desktop', { as: one });
    // The first list arrives with links as they are after 48 hours: the server refuses them.
    let isFirst = true;
    await page.route('**/console/api/v1/content?*', async route => {
      const answer = await route.fetch();
      const text = await answer.text();
      const old = isFirst ? text.replaceAll(/([?&]e=)\d+/g, '$11000000000') : text;
      isFirst = false;
      await route.fulfill({ response: answer, body: old });
    });
    const refused = page.waitForResponse(answer => answer.url().includes('/media/') && !answer.ok());
    await open('/approve', 'Approve');
    await refused;
    const picture = page.getByRole('img', { name: /^Slide 1 of/ });
    await picture.waitFor();
    await expect
      .poll(() => picture.evaluate(element => (element as HTMLImageElement).naturalWidth), {
        timeout: 20_000,
      })
      .toBeGreaterThan(0);
  });
});

describe('a link to a deck', () => {
  it('opens that deck, also when the queue answers first', async () => {
    const one = await newCreator('studio.nord');
    const deck = await writeDeck(one, { hook: 'The one that the link names' });
    await writeDeck(one, { hook: 'The newest of the queue' });
    const { page } = await visit(browser, 'desktop', { as: one });
    let answerQueue = () => {};
    const queueAnswered = new Promise<void>(resolve => {
      answerQueue = resolve;
    });
    await page.route(`**/console/api/v1/content/${deck.id}`, async route => {
      await queueAnswered;
      await route.continue();
    });
    // As if it were below the first page.
    await page.route('**/console/api/v1/content?*', async route => {
      const response = await route.fetch();
      const { data, ...rest } = (await response.json()) as { data: Content[] };
      await route.fulfill({ response, json: { ...rest, data: data.filter(({ id }) => id !== deck.id) } });
      answerQueue();
    });
    await page.goto(`/console/approve?deck=${deck.id}`);
    await deckOf(page, 'The one that the link names').waitFor();
    await page.getByRole('button', { name: 'Next deck' }).click();
    await deckOf(page, 'The newest of the queue').waitFor();
  });
});

describe('decks that were seen whole', () => {
  it('are approved together without those seen in part, and one that is refused holds up no other', async () => {
    const one = await newCreator('studio.nord');
    const undrawn = await writeDeck(one, { hook: 'Its last picture did not load' });
    const partly = await writeDeck(one, { hook: 'Only its first slide was seen' });
    const other = await writeDeck(one, { hook: 'Second of two' });
    const refused = await writeDeck(one, { hook: 'First of two' });
    const { page, open } = await visit(browser, 'desktop', { as: one });
    const lastPicture = new URL(undrawn.images.at(-1)?.url ?? '').pathname;
    await page.route(`**${lastPicture}*`, route => route.abort());
    await open('/approve', 'Approve');
    for (const hook of ['First of two', 'Second of two']) {
      await seeSlides(page, hook, refused.images.length);
      await page.keyboard.press('j');
    }
    await seeSlides(page, 'Only its first slide was seen', 1);
    await page.keyboard.press('j');
    await seeSlides(page, 'Its last picture did not load', undrawn.images.length - 1);
    await page.getByRole('button', { name: 'Next slide' }).click();
    await page.getByRole('button', { name: 'Next slide' }).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'All seen (2)' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Second of two').waitFor();
    expect((await dialog.getByRole('listitem').allTextContents()).sort()).toEqual([
      'First of two',
      'Second of two',
    ]);
    await one.api('POST', `/content/${refused.id}/reject`, { token: one.key, body: { reason: 'No' } });
    const held: Route[] = [];
    await page.route('**/content/*/approve', route => void held.push(route), { times: 1 });
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await expect.poll(() => held.length).toBe(1);
    // The second Escape in a row closes a dialog without asking. This one stays until all are decided on.
    for (let presses = 0; presses < 2; presses += 1) await page.keyboard.press('Escape');
    await dialog.waitFor();
    await held[0]?.continue();
    await dialog.getByText('was not decided on').waitFor();
    await expect.poll(async () => (await read(one, other.id)).approvalStatus).toBe('approved');
    expect((await read(one, refused.id)).approvalStatus).toBe('rejected');
    for (const { id } of [partly, undrawn]) expect((await read(one, id)).approvalStatus).toBe('pending');
    await dialog.getByRole('button', { name: 'Close' }).click();
  });
});

describe('the keyboard', () => {
  it('moves, approves and takes back', async () => {
    const one = await newCreator('studio.nord');
    await writeDeck(one, { hook: 'The older deck' });
    await writeDeck(one, { hook: 'The newer deck' });
    const { page, open, check } = await visit(browser, 'desktop', { as: one });
    await open('/approve', 'Approve');
    await deckOf(page, 'The newer deck').waitFor();
    // Each press counts, also while the slides still scroll to where the one before it leads.
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('ArrowRight');
    await onSlide(page, 4);
    await page.getByRole('button', { name: 'Previous slide' }).evaluate(button => {
      for (let presses = 0; presses < 3; presses += 1) (button as HTMLButtonElement).click();
    });
    await onSlide(page, 1);
    await page.keyboard.press('j');
    await deckOf(page, 'The older deck').waitFor();
    await page.keyboard.press('k');
    await deckOf(page, 'The newer deck').waitFor();
    await decide(page, 'Approve').click({ trial: true });
    // Held down: the second keydown is a repeat.
    await page.keyboard.down('a');
    await page.keyboard.down('a');
    await page.keyboard.up('a');
    await deckOf(page, 'The older deck').waitFor();
    await page.keyboard.press('u');
    await deckOf(page, 'The newer deck').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await check('Keyboard');
  });
});

/** Waits for the mark of the slide on screen. */
async function onSlide(page: Page, slide: number): Promise<void> {
  await page.locator(`[aria-hidden] > .h-1.bg-white:nth-child(${slide})`).waitFor();
}

/** Goes through the first slides of the deck on screen; a slide counts when its picture was there. */
async function seeSlides(page: Page, hook: string, count: number): Promise<void> {
  await deckOf(page, hook).waitFor();
  const pictures = page.getByRole('group', { name: 'Slides' }).getByRole('img');
  for (let slide = 1; slide <= count; slide += 1) {
    if (slide > 1) await page.getByRole('button', { name: 'Next slide' }).click();
    await onSlide(page, slide);
    await expect
      .poll(() =>
        pictures.nth(slide - 1).evaluate(shown => {
          const { complete, naturalWidth } = shown as HTMLImageElement;
          return complete && naturalWidth > 0;
        }),
      )
      .toBe(true);
  }
}
