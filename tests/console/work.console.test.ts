/** What people do every day, from the sign-in to the post at the simulated platform. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Content, type Prepared, postsAtPlatform } from '../lab/kit/clients/api.ts';
import { launch, visit } from './src/browser.ts';
import { invite, newCreator, newPerson, writeDeck } from './src/person.ts';

const devices = ['phone', 'desktop'] as const;
const creators = { phone: 'studio.nord', desktop: 'maya.makes' } as const;

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

function deckOf(page: Page, hook: string) {
  return page.getByRole('region', { name: hook, exact: true });
}

function decide(page: Page, name: 'Approve' | 'Reject' | 'Edit') {
  return page.getByRole('group', { name: 'Decision' }).getByRole('button', { name, exact: true });
}

async function read({ api, key }: Prepared, id: string): Promise<Content & { approval: { reason: string } }> {
  return (await api<Content & { approval: { reason: string } }>('GET', `/content/${id}`, { token: key }))
    .data;
}

describe('the link that npm start prints', () => {
  it('signs in once, and a prefetch consumes nothing', async () => {
    const { printed, dataDir, url } = inject('product');
    const link = /http:\S+\/console\/enter\?token=\S+/.exec(printed)?.[0] ?? '';
    expect(link).not.toBe('');
    const { page, check, end } = await visit(browser, 'phone');
    await page.goto(link);
    await page.goto(link);
    await check('Enter');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Approve' }).waitFor();
    const { email } = JSON.parse(readFileSync(join(dataDir, 'first-run.json'), 'utf8')) as { email: string };
    const session = await page.context().request.get(`${url}/console/api/v1/auth/session`);
    expect((await session.json()).data.user.email).toBe(email);
    // The first run leaves one deck to decide on.
    await page.getByRole('img', { name: /^Slide 1 of/ }).waitFor();
    await check('Approve first run');
    await end();
  });
});

describe.each(devices)('on a %s', device => {
  const creator = newCreatorOnce(creators[device]);

  it('a deck is approved, taken back, approved again, scheduled and posted', async () => {
    const one = await creator();
    const { simulatorsUrl } = inject('product');
    const hook = `Three stones a day on a ${device}`;
    const deck = await writeDeck(one, { hook });
    const { page, open, check, end } = await visit(browser, device, { as: one });
    await open('/approve', 'Approve');
    const count = deck.images.length;
    await deckOf(page, hook).waitFor();
    await deckOf(page, hook)
      .getByRole('img', { name: `Slide 1 of ${count}` })
      .waitFor();
    await check('Approve');
    await decide(page, 'Approve').click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await deckOf(page, hook).waitFor();
    expect((await read(one, deck.id)).approvalStatus).toBe('pending');

    await decide(page, 'Approve').click();
    // Going on to the schedule sends the decision at once.
    await page.getByRole('button', { name: 'Schedule' }).click();
    await page.getByRole('heading', { level: 1, name: 'Schedule' }).waitFor();
    expect((await read(one, deck.id)).approvalStatus).toBe('approved');
    await page.getByLabel('Account').selectOption({ label: await accountLabel(page) });
    await page.getByRole('radio', { name: 'Direct post' }).check();
    await check('Schedule');
    // Nothing is chosen for the person.
    expect(await page.getByLabel('Privacy').inputValue()).toBe('');
    await page.getByLabel('Privacy').selectOption('SELF_ONLY');
    // What the server would refuse cannot be sent, and a year that is being typed breaks nothing.
    const submit = page.getByRole('button', { name: 'Schedule', exact: true });
    await page.getByLabel('Time', { exact: true }).fill('2020-01-01T09:00');
    await page.getByText('That time is over.').waitFor();
    expect(await submit.isDisabled()).toBe(true);
    await page.getByLabel('Time', { exact: true }).fill('0020-01-01T09:00');
    await page.getByText('Choose a day and a time').waitFor();
    await page.getByRole('button', { name: 'Now' }).click();
    const before = (await postsAtPlatform(simulatorsUrl, creators[device])).length;
    await page.getByRole('button', { name: 'Schedule', exact: true }).click();
    await expect
      .poll(async () => (await postsAtPlatform(simulatorsUrl, creators[device])).length, { timeout: 30_000 })
      .toBe(before + 1);
    await open(`/posts/${deck.id}`, 'Post');
    await page.getByText('Published').first().waitFor();
    await check('Post');
    await end();
  });

  it('a deck is rejected with a reason, which the writer reads', async () => {
    const one = await creator();
    const deck = await writeDeck(one, { hook: `A weak hook on a ${device}` });
    const { page, check, end } = await visit(browser, device, { as: one });
    await page.goto(`/console/approve?deck=${deck.id}`);
    await deckOf(page, `A weak hook on a ${device}`).waitFor();
    await decide(page, 'Reject').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('Not what the app does');
    await check('Reject');
    await dialog.getByRole('button', { name: 'Reject' }).click();
    // Leaving sends it at once.
    await page.goto('/console/posts');
    await expect
      .poll(async () => (await read(one, deck.id)).approval?.reason ?? null)
      .toBe('Not what the app does');
    await page.getByRole('radio', { name: 'Rejected', exact: true }).check();
    await page.waitForURL(/\?state=rejected/);
    await page.getByRole('link', { name: `A weak hook on a ${device}` }).waitFor();
    await check('Posts rejected');
    await end();
  });

  it('a deck is edited with a preview that stores nothing until it is saved', async () => {
    const one = await creator();
    const deck = await writeDeck(one, { hook: `Before the edit on a ${device}` });
    const { page, open, check, end } = await visit(browser, device, { as: one });
    await open(`/posts/${deck.id}/edit`, 'Edit');
    await page.getByLabel('Hook', { exact: true }).fill(`After the edit on a ${device}`);
    await page.getByLabel('Slide 1').fill('A first slide that somebody wrote.');
    await check('Edit');
    expect((await read(one, deck.id)).result.hook).toBe(`Before the edit on a ${device}`);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(async () => await read(one, deck.id))
      .toMatchObject({
        version: 2,
        approvalStatus: 'pending',
        result: { hook: `After the edit on a ${device}` },
      });
    await end();
  });

  it('a scheduled post stands in the calendar and is moved to another time', async () => {
    const one = await creator();
    const hook = `For tomorrow on a ${device}`;
    const deck = await writeDeck(one, { hook });
    const { api, key, accountId } = one;
    await api('POST', `/content/${deck.id}/approve`, { token: key, body: {} });
    const scheduledFor = new Date(Date.now() + 26 * 3_600_000).toISOString();
    const made = await api<{ id: string }>('POST', '/schedules', {
      token: key,
      body: { contentId: deck.id, tiktokAccountId: accountId, mode: 'draft', scheduledFor },
    });
    expect(made.error).toBeUndefined();
    const { page, open, check, end } = await visit(browser, device, { as: one });
    await open('/calendar', 'Calendar');
    // Tomorrow may be in the next week.
    const entry = page.getByRole('row', { name: new RegExp(hook) });
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    if (
      !(await entry.waitFor({ timeout: 3_000 }).then(
        () => true,
        () => false,
      ))
    )
      await page.getByRole('button', { name: 'Later' }).click();
    await entry.waitFor();
    await check('Calendar');
    await entry.click();
    const dialog = page.getByRole('dialog');
    const moved = new Date(Date.now() + 28 * 3_600_000).toISOString();
    await dialog.getByLabel('Time').fill(moved.slice(0, 16));
    await check('Calendar move');
    await dialog.getByRole('button', { name: /Move|Save/ }).click();
    await expect
      .poll(
        async () =>
          (await api<{ scheduledFor: string }>('GET', `/schedules/${made.data.id}`, { token: key })).data,
      )
      .toMatchObject({ scheduledFor: `${moved.slice(0, 16)}:00.000Z` });
    await end();
  });

  it('an empty workspace is led from a store link to its first deck', async () => {
    const person = await newPerson();
    const { page, open, check, end } = await visit(browser, device, { as: person });
    await open('/approve', 'Approve');
    await page.getByLabel('Store link').fill('https://apps.apple.com/us/app/pebblo/id9990000011');
    await check('First run');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('img', { name: /^Slide 1 of/ }).waitFor({ timeout: 30_000 });
    await check('First deck');
    await end();
  });
});

describe('two people', () => {
  it('see each other’s edits and decisions instead of deciding on what they did not see', async () => {
    const one = await newCreator('studio.nord');
    const other = await invite(one, 'approver');
    const deck = await writeDeck(one, { hook: 'Seen by two' });
    const first = await visit(browser, 'desktop', { as: one });
    const second = await visit(browser, 'phone', { as: other });
    await first.open('/approve', 'Approve');
    await second.open('/approve', 'Approve');
    await deckOf(first.page, 'Seen by two').waitFor();
    await deckOf(second.page, 'Seen by two').waitFor();

    await first.page.keyboard.press('e');
    await first.page.getByLabel('Hook', { exact: true }).fill('Seen by one');
    await first.page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => await read(one, deck.id)).toMatchObject({ version: 2 });
    // Whether the change has arrived or not: the version that was not on screen is not approved.
    await decide(second.page, 'Approve').click();
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
    await first.end();
    await second.end();
  });

  it('decide differently: the first decision stands', async () => {
    const one = await newCreator('studio.nord');
    const deck = await writeDeck(one, { hook: 'Decided by two' });
    const { page, open, end } = await visit(browser, 'desktop', { as: one });
    await open('/approve', 'Approve');
    await deckOf(page, 'Decided by two').waitFor();
    await decide(page, 'Approve').click();
    await one.api('POST', `/content/${deck.id}/reject`, { token: one.key, body: { reason: 'Not ours' } });
    await page.getByRole('dialog').getByText('It was rejected in the meantime').waitFor();
    expect(await read(one, deck.id)).toMatchObject({ approvalStatus: 'rejected' });
    await end();
  });

  it('look at one deck: it stays on screen when it leaves the queue', async () => {
    const one = await newCreator('studio.nord');
    await writeDeck(one, { hook: 'Waits below' });
    const deck = await writeDeck(one, { hook: 'Taken by another' });
    const { page, open, check, end } = await visit(browser, 'desktop', { as: one });
    await open('/approve', 'Approve');
    await deckOf(page, 'Taken by another').waitFor();
    await one.api('POST', `/content/${deck.id}/approve`, { token: one.key, body: {} });
    await page.getByText('Somebody else decided on this deck').waitFor({ timeout: 25_000 });
    await deckOf(page, 'Taken by another').waitFor();
    await check('Approve gone');
    expect(await decide(page, 'Approve').isDisabled()).toBe(true);
    await deckOf(page, 'Taken by another').getByRole('button', { name: 'Next deck' }).click();
    await deckOf(page, 'Waits below').waitFor();
    await end();
  });

  it('save the same deck: who saves second is asked, and neither text is lost', async () => {
    const one = await newCreator('studio.nord');
    const deck = await writeDeck(one, { hook: 'Edited by two' });
    const { page, open, end } = await visit(browser, 'desktop', { as: one });
    await open(`/posts/${deck.id}/edit`, 'Edit');
    await page.getByLabel('Hook', { exact: true }).fill('What I wrote');
    await one.api('PATCH', `/content/${deck.id}`, { token: one.key, body: { caption: 'By somebody else' } });
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Somebody saved another version' });
    await dialog.waitFor();
    expect(await read(one, deck.id)).toMatchObject({ version: 2, result: { hook: 'Edited by two' } });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByLabel('Hook', { exact: true }).inputValue()).toBe('What I wrote');
    await page.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('button', { name: 'Save mine' }).click();
    await expect
      .poll(async () => await read(one, deck.id))
      .toMatchObject({ version: 3, result: { hook: 'What I wrote' } });
    await end();
  });
});

describe('the connection', () => {
  it('goes and comes back, and a decision taken meanwhile is kept', async () => {
    const one = await newCreator('studio.nord');
    const deck = await writeDeck(one, { hook: 'Decided in a tunnel' });
    const { page, context, open, check, end } = await visit(browser, 'phone', { as: one });
    await open('/approve', 'Approve');
    await deckOf(page, 'Decided in a tunnel').waitFor();
    await page.waitForResponse(/NothingWaits/);
    await context.setOffline(true);
    await page.getByText(/You are offline/).waitFor();
    await check('Offline');
    await decide(page, 'Approve').click();
    await page.waitForTimeout(5_500);
    expect((await read(one, deck.id)).approvalStatus).toBe('pending');
    await context.setOffline(false);
    await expect
      .poll(async () => (await read(one, deck.id)).approvalStatus, { timeout: 20_000 })
      .toBe('approved');
    await end();
  });

  it('loses an answer: the decision is tried again, and sent before the person signs out', async () => {
    const one = await newCreator('studio.nord');
    const deck = await writeDeck(one, { hook: 'Behind a bad proxy' });
    const { page, open, end } = await visit(browser, 'desktop', { as: one });
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
    await end();
  });

  it('links of pictures that expired are renewed', async () => {
    const one = await newCreator('studio.nord');
    await writeDeck(one, { hook: 'An old tab' });
    const { page, open, end } = await visit(browser, 'desktop', { as: one });
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
    await end();
  });
});

describe('a link to a deck', () => {
  it('opens that deck, also when the queue answers first', async () => {
    const one = await newCreator('studio.nord');
    const deck = await writeDeck(one, { hook: 'The one that the link names' });
    await writeDeck(one, { hook: 'The newest of the queue' });
    const { page, end } = await visit(browser, 'desktop', { as: one });
    await page.route(`**/console/api/v1/content/${deck.id}`, async route => {
      await new Promise(resolve => setTimeout(resolve, 1_500));
      await route.continue();
    });
    // As if it were below the first page.
    await page.route('**/console/api/v1/content?*', async route => {
      const response = await route.fetch();
      const { data, ...rest } = (await response.json()) as { data: Content[] };
      await route.fulfill({ response, json: { ...rest, data: data.filter(({ id }) => id !== deck.id) } });
    });
    await page.goto(`/console/approve?deck=${deck.id}`);
    await deckOf(page, 'The one that the link names').waitFor();
    await page.getByRole('button', { name: 'Next deck' }).click();
    await deckOf(page, 'The newest of the queue').waitFor();
    await end();
  });
});

describe('decks that were seen whole', () => {
  it('are approved together, and one that is refused holds up no other', async () => {
    const one = await newCreator('studio.nord');
    const other = await writeDeck(one, { hook: 'Second of two' });
    const refused = await writeDeck(one, { hook: 'First of two' });
    const { page, open, end } = await visit(browser, 'desktop', { as: one });
    await open('/approve', 'Approve');
    for (const hook of ['First of two', 'Second of two']) {
      await deckOf(page, hook).waitFor();
      const next = page.getByRole('button', { name: 'Next slide' });
      // At the last slide it goes away, perhaps under the pointer.
      while (await next.isVisible()) await next.click({ timeout: 1_000 }).catch(() => {});
      await page.keyboard.press('j');
    }
    await page.getByRole('button', { name: 'All seen (2)' }).click();
    const dialog = page.getByRole('dialog');
    await one.api('POST', `/content/${refused.id}/reject`, { token: one.key, body: { reason: 'No' } });
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await dialog.getByText('was not decided on').waitFor();
    await expect.poll(async () => (await read(one, other.id)).approvalStatus).toBe('approved');
    expect((await read(one, refused.id)).approvalStatus).toBe('rejected');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await end();
  });
});

describe('the keyboard', () => {
  it('moves, approves and takes back', async () => {
    const one = await newCreator('studio.nord');
    await writeDeck(one, { hook: 'The older deck' });
    await writeDeck(one, { hook: 'The newer deck' });
    const { page, open, check, end } = await visit(browser, 'desktop', { as: one });
    await open('/approve', 'Approve');
    await deckOf(page, 'The newer deck').waitFor();
    await page.keyboard.press('j');
    await deckOf(page, 'The older deck').waitFor();
    await page.keyboard.press('k');
    await deckOf(page, 'The newer deck').waitFor();
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
    await end();
  });
});

function newCreatorOnce(name: string): () => Promise<Prepared> {
  let made: Promise<Prepared> | undefined;
  return () => {
    made ??= newCreator(name);
    return made;
  };
}

/** The only account, as the list names it. */
async function accountLabel(page: Page): Promise<string> {
  const options = await page.getByLabel('Account').locator('option').allTextContents();
  return options.at(-1) ?? '';
}
