/** What people see when a read or a write is refused. */

import { perSuite } from '@hookline/testing/per-suite';
import type { Locator, Page, Route } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { Prepared } from '../lab/kit/clients/api.ts';
import { choose, decide, deckOf, launch, readTime, refusal, refuse, signIn, visit } from './src/browser.ts';
import { invite, newCreator, read, scheduleDeck, writeDeck } from './src/person.ts';

const reads = '**/console/api/v1';
/** A decision can be taken back this long, and is tried again at least this often. */
const undoMs = 5_000;
const retryMaxMs = 60_000;

const browser = perSuite(launch);
let creator: Prepared;

beforeAll(async () => {
  creator = await newCreator('studio.nord');
});

/** A deck that goes out at noon of the 15th of next month, where it has neighbours in any view. */
function scheduleNextMonth(hook: string) {
  const now = new Date();
  const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 15, 12));
  return scheduleDeck(creator, hook, at.toISOString());
}

/** The server carries the request out; the browser hears nothing of it. */
async function loseAnswer(route: Route): Promise<void> {
  await route.fetch();
  await route.abort();
}

function refused(page: Page) {
  return page.getByRole('alert').getByText(refusal);
}

/** The page may read again before the click: the stream tells of changes of the last half a minute. */
function tryAgain(page: Page): Promise<void> {
  const button = page.getByRole('alert').getByRole('button', { name: 'Try again' });
  return Promise.race([button.click(), button.waitFor({ state: 'hidden' })]);
}

it('a post whose schedules are unknown is not offered for scheduling', async () => {
  const { contentId } = await scheduleNextMonth('Scheduled already');
  const { page, open } = await visit(browser, 'desktop', { as: creator });
  const schedules = `${reads}/schedules?*`;
  await page.route(schedules, refuse);
  await open('/posts', 'Posts');
  await page.getByRole('link', { name: 'Scheduled already' }).waitFor();
  await refused(page).waitFor();
  const list = page.getByRole('list', { name: 'Posts' });
  expect(await list.getByText('Approved', { exact: true }).count()).toBe(0);
  await open(`/posts/${contentId}`, 'Post');
  await refused(page).waitFor();
  expect(await page.getByRole('button', { name: 'Schedule' }).count()).toBe(0);
  await page.unroute(schedules);
  await tryAgain(page);
  await page.getByText('Scheduled', { exact: true }).first().waitFor();
  await refused(page).waitFor({ state: 'detached' });
});

it('several reads that are refused are one notice, and are repeated by themselves', async () => {
  const { page, open, check } = await visit(browser, 'phone', { as: creator });
  // Longer than a request waits before it fails.
  const error = { code: 'rate_limited', message: 'Too many requests. Retry after 11s.', requestId: 'req_1' };
  await page.route(/\/console\/api\/v1\/(schedules|content|apps)\?/, route =>
    route.fulfill({ status: 429, headers: { 'retry-after': '11' }, json: { error } }),
  );
  await open('/posts', 'Posts');
  const notice = page.getByRole('alert');
  await notice.getByText('It is loaded again by itself.').waitFor();
  await page.waitForLoadState('networkidle');
  expect(await notice.count()).toBe(1);
  await check('Posts refused');
  await page.unrouteAll();
  await notice.waitFor({ state: 'hidden' });
  await page.getByRole('list', { name: 'Posts' }).waitFor();
});

it('a post that is moved is in its new day at once, and back when the move is refused', async () => {
  const { scheduleId } = await scheduleNextMonth('Moved in vain');
  const { api, key } = creator;
  const { page, open } = await visit(browser, 'desktop', { as: creator });
  const held: Route[] = [];
  await page.route(`${reads}/schedules/*`, route =>
    route.request().method() === 'PATCH' ? void held.push(route) : route.fallback(),
  );
  await open('/calendar', 'Calendar');
  await page.getByRole('button', { name: 'Month' }).click();
  await page.getByRole('button', { name: 'Later' }).click();
  const inDay = (day: number, hook = /Moved in vain/) =>
    page.getByRole('group', { name: new RegExp(`\\b${day}\\b`) }).getByRole('row', { name: hook });
  const moveToNextDay = async (row: Locator) => {
    await row.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.locator('[role=group]:focus').waitFor();
    for (const key of ['Tab', 'Enter']) await page.keyboard.press(key);
  };
  await moveToNextDay(inDay(15));
  await inDay(16).waitFor();
  // A read that ends while the move is in flight has the old time.
  const isRead = page.waitForResponse(/\/schedules\?from=/);
  const other = await scheduleNextMonth('Somebody else’s');
  await isRead;
  await inDay(15, /Somebody else/).waitFor();
  expect(await inDay(16).count()).toBe(1);
  // A second move is shown too, and sent after the answer to the first.
  await moveToNextDay(inDay(15, /Somebody else/));
  await inDay(16, /Somebody else/).waitFor();
  expect(held).toHaveLength(1);
  await refuse(held[0] as Route);
  await inDay(15).waitFor();
  await page.getByRole('status').getByText(refusal).waitFor();
  await expect.poll(() => held.length).toBe(2);
  await held[1]?.fallback();
  await page.getByRole('status').getByText('Moved to').waitFor();
  expect(await inDay(16, /Somebody else/).count()).toBe(1);
  for (const id of [scheduleId, other.scheduleId]) await api('DELETE', `/schedules/${id}`, { token: key });
});

it('a calendar with more posts than it reads says that some are missing', async () => {
  await scheduleNextMonth('One of many');
  const { page, open } = await visit(browser, 'desktop', { as: creator });
  let pages = 0;
  await page.route(`${reads}/schedules?from=*`, async route => {
    const url = route
      .request()
      .url()
      .replace(/&cursor=[^&]*/, '');
    const response = await route.fetch({ url });
    const { data } = (await response.json()) as { data: object[] };
    pages += 1;
    const rows = Array.from({ length: data.length && 100 }, (_, row) => ({
      ...data[0],
      id: `schedule_${pages}_${row}`,
      status: 'sent',
    }));
    await route.fulfill({ response, json: { data: rows, nextCursor: rows.length > 0 ? 'more' : null } });
  });
  await open('/calendar', 'Calendar');
  await page.getByRole('button', { name: 'Month', exact: true }).click();
  const notice = page.getByText('some are missing');
  expect(await notice.count()).toBe(0);
  await page.getByRole('button', { name: 'Later' }).click();
  await notice.waitFor();
});

it('a read that fails in the background leaves what is typed, and what was read, in place', async () => {
  const { page, open } = await visit(browser, 'desktop', { as: creator });
  await open('/settings', 'Settings');
  const name = page.getByLabel('Workspace name');
  await name.fill('Half a na');
  await creator.api('PATCH', '/workspace', { token: creator.session, body: { timezone: 'Africa/Abidjan' } });
  await expect.poll(() => page.getByLabel('Time zone').inputValue()).toBe('Africa/Abidjan');
  await page.route(`${reads}/workspace`, refuse);
  await invite(creator, 'viewer');
  await refused(page).waitFor();
  expect(await name.inputValue()).toBe('Half a na');

  await open('/credits', 'Credits');
  await page.getByText('Balance').waitFor();
  await page.route(`${reads}/credits`, refuse);
  await writeDeck(creator, { hook: 'One credit' });
  await refused(page).waitFor();
  expect(await page.getByText('Balance').count()).toBe(1);
});

it('Approve says that a deck could not be read, and shows no other instead', async () => {
  const linked = await writeDeck(creator, { hook: 'The linked deck' });
  const newest = await writeDeck(creator, { hook: 'The newest deck' });
  const { api, key } = creator;
  const { page } = await visit(browser, 'desktop', { as: creator });
  // Not in the queue that is read: it stands for a deck beyond its first page.
  await page.route(`${reads}/content?*approvalStatus=pending*`, async route => {
    const response = await route.fetch();
    const json = (await response.json()) as { data: { id: string }[] };
    await route.fulfill({
      response,
      json: { ...json, data: json.data.filter(({ id }) => id !== linked.id) },
    });
  });
  const read = `${reads}/content/${linked.id}`;
  await page.route(read, refuse);
  await page.goto(`/console/approve?deck=${linked.id}`);
  await refused(page).waitFor();
  expect(await deckOf(page, 'The newest deck').count()).toBe(0);
  await page.unroute(read);
  await tryAgain(page);
  await deckOf(page, 'The linked deck').waitFor();

  // A deck that left the queue and cannot be read was not decided on, as far as the page knows.
  await page.getByRole('button', { name: 'Next deck' }).click();
  await deckOf(page, 'The newest deck').waitFor();
  await page.route(`${reads}/content/${newest.id}`, refuse);
  await api('POST', `/content/${newest.id}/reject`, { token: key, body: {} });
  await refused(page).waitFor();
  expect(await deckOf(page, 'The newest deck').count()).toBe(1);
  expect(await page.getByText('This deck was rejected').count()).toBe(0);
  await page.unroute(`${reads}/content/${newest.id}`);
  await tryAgain(page);
  await page.getByText('This deck was rejected').waitFor();
});

it('a session that could not be read still hears of changes', async () => {
  const { page } = await visit(browser, 'desktop', { as: creator });
  await page.route(`${reads}/auth/session`, refuse);
  const stream = page.waitForRequest(`${reads}/stream`);
  await page.goto('/console/posts');
  await stream;
});

it('an empty queue says what it could not find out', async () => {
  const empty = await newCreator('maya.makes');
  const { page, open } = await visit(browser, 'desktop', { as: empty });
  await page.route(`${reads}/accounts?*`, refuse);
  await open('/approve', 'Approve');
  await refused(page).waitFor();
  await page.unroute(`${reads}/accounts?*`);
  await tryAgain(page);
  await page.getByText('From a store link to a post').waitFor();
});

it('a deck is scheduled once, also when the answer is lost and the next try is refused', async () => {
  const { api, key } = creator;
  const deck = await writeDeck(creator, { hook: 'Scheduled once' });
  await api('POST', `/content/${deck.id}/approve`, { token: key, body: {} });
  const { page, open } = await visit(browser, 'desktop', { as: creator });
  const keys: (string | undefined)[] = [];
  // The checks before it have a query.
  await page.route(`${reads}/schedules`, async route => {
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length === 1) await loseAnswer(route);
    else if (keys.length === 2) await refuse(route);
    else await route.continue();
  });
  await open(`/posts/${deck.id}/schedule`, 'Schedule');
  await page.getByRole('radio', { name: 'As a draft' }).check();
  const submit = page.getByRole('button', { name: 'Schedule', exact: true });
  await submit.click();
  await page.getByRole('alert').getByText('Hookline cannot be reached').waitFor();
  await submit.click();
  await refused(page).waitFor();
  await submit.click();
  await page.getByRole('heading', { level: 1, name: 'Post', exact: true }).waitFor();
  expect(keys).toEqual([keys[0], keys[0], keys[0]]);
  const schedules = await api<object[]>('GET', `/schedules?contentId=${deck.id}`, { token: key });
  expect(schedules.data).toHaveLength(1);
});

it('checks that were refused for now are made again, and a link that confirms an address is tried again', async () => {
  const deck = await writeDeck(creator, { hook: 'Checked again' });
  await creator.api('POST', `/content/${deck.id}/approve`, { token: creator.key, body: {} });
  const { page, open } = await visit(browser, 'desktop', { as: creator });
  const checks = `${reads}/schedules?dryRun=true`;
  await page.route(checks, refuse);
  await open(`/posts/${deck.id}/schedule`, 'Schedule');
  await page.getByRole('radio', { name: 'As a draft' }).check();
  await refused(page).waitFor();
  await page.unroute(checks);
  await tryAgain(page);
  await page
    .getByRole('status')
    .getByText(/^Goes out/)
    .waitFor();

  await page.route('**/auth/verify-email', refuse);
  await page.goto('/console/verify-email?token=of-a-mail');
  const confirm = page.getByRole('button', { name: 'Confirm' });
  await confirm.click();
  await refused(page).waitFor();
  await confirm.waitFor();
});

it('a decision that is refused for now, or whose session ended, is sent later', async () => {
  const one = await newCreator('studio.nord');
  const approved = await writeDeck(one, { hook: 'Approved as the session ended' });
  const rejected = await writeDeck(one, { hook: 'Rejected in a busy minute' });
  const { page, context, open } = await visit(browser, 'desktop', { as: one });
  await page.clock.install();
  await page.route(`${reads}/content/*/reject`, refuse, { times: 1 });
  await open('/approve', 'Approve');
  await deckOf(page, 'Rejected in a busy minute').waitFor();
  await decide(page, 'Reject').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('Not what the app does');
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await page.clock.fastForward(undoMs);
  await page.getByText('Your decision is kept').waitFor();
  expect((await read(one, rejected.id)).approvalStatus).toBe('pending');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect
    .poll(async () => (await read(one, rejected.id)).approval?.reason ?? null)
    .toBe('Not what the app does');

  const signsOut = async (route: Route) => {
    await context.clearCookies();
    await route.continue();
  };
  await page.route(`${reads}/content/*/approve`, signsOut, { times: 1 });
  await deckOf(page, 'Approved as the session ended').waitFor();
  await decide(page, 'Approve').click();
  await page.clock.fastForward(undoMs);
  await signIn(page, one);
  await page.getByRole('heading', { level: 1, name: 'Approve' }).waitFor();
  await expect
    .poll(
      async () => {
        await page.clock.fastForward(retryMaxMs);
        return (await read(one, approved.id)).approvalStatus;
      },
      // A page that is a minute older reads again, and has 600 requests a minute.
      { interval: 1_000 },
    )
    .toBe('approved');
});

it('decisions are said to be kept until the last of them is sent', async () => {
  const one = await newCreator('studio.nord');
  const refusedDeck = await writeDeck(one, { hook: 'Refused twice' });
  const deck = await writeDeck(one, { hook: 'Refused once' });
  const { page, open } = await visit(browser, 'desktop', { as: one });
  await page.clock.install();
  const isOf = (id: string) => `${reads}/content/${id}/approve`;
  await page.route(isOf(refusedDeck.id), refuse);
  await page.route(isOf(deck.id), refuse, { times: 1 });
  await open('/approve', 'Approve');
  for (const hook of ['Refused once', 'Refused twice']) {
    await deckOf(page, hook).waitFor();
    await decide(page, 'Approve').click();
  }
  await page.clock.fastForward(undoMs);
  const kept = page.getByText('Your decision is kept');
  await kept.waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Approved. When should it go out?').waitFor();
  await kept.waitFor();
  // The answer that says that it will never be sent ends the wait, too.
  const body = { caption: 'Other words' };
  await one.api('PATCH', `/content/${refusedDeck.id}`, { token: one.key, body });
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('dialog').getByText('Nothing was decided.').waitFor();
  await kept.waitFor({ state: 'detached' });
});

it('a decision that did not stand leaves the reason that is typed for the next deck', async () => {
  const one = await newCreator('studio.nord');
  await writeDeck(one, { hook: 'The next one' });
  const edited = await writeDeck(one, { hook: 'Edited meanwhile' });
  const { page, open } = await visit(browser, 'phone', { as: one });
  await page.clock.install();
  await open('/approve', 'Approve');
  await deckOf(page, 'Edited meanwhile').waitFor();
  await decide(page, 'Approve').click();
  await one.api('PATCH', `/content/${edited.id}`, { token: one.key, body: { caption: 'Other words' } });
  await deckOf(page, 'The next one').waitFor();
  await decide(page, 'Reject').click();
  const dialog = page.getByRole('dialog', { name: 'Reject this deck' });
  await dialog.getByLabel('Reason').fill('Too long to be typed twice');
  const answer = page.waitForResponse(/\/approve$/);
  await page.clock.fastForward(undoMs);
  expect((await answer).status()).toBe(409);
  await page.getByText('“Edited meanwhile” changed in the meantime').waitFor();
  expect(await dialog.getByLabel('Reason').inputValue()).toBe('Too long to be typed twice');
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await deckOf(page, 'Edited meanwhile').waitFor();
});

it('each of several decisions that did not stand is named', async () => {
  const one = await newCreator('studio.nord');
  const hooks = ['Edited first', 'Edited next'];
  const decks = [];
  for (const hook of hooks) decks.push(await writeDeck(one, { hook }));
  const { page, open, go } = await visit(browser, 'desktop', { as: one });
  await page.clock.install();
  await open('/approve', 'Approve');
  for (const hook of hooks.toReversed()) {
    await deckOf(page, hook).waitFor();
    await decide(page, 'Approve').click();
  }
  for (const { id } of decks)
    await one.api('PATCH', `/content/${id}`, { token: one.key, body: { caption: 'Other words' } });
  await go('Posts');
  for (const hook of hooks) await page.getByText(`“${hook}” changed in the meantime`).waitFor();
});

it('a time is asked for in the zone of the workspace, and not before that is known', async () => {
  const far = await newCreator('maya.makes');
  const { api, key, session } = far;
  // 25 hours apart: tomorrow is never the same day.
  const zone = 'Pacific/Pago_Pago';
  await api('PATCH', '/workspace', { token: session, body: { timezone: zone } });
  await api('POST', '/webhooks', {
    token: key,
    body: { url: 'https://example.com/hooks', events: ['schedule.failed'] },
  });
  const deck = await writeDeck(far, { hook: 'Far away' });
  const { page, open } = await visit(browser, 'desktop', {
    as: far,
    timezoneId: 'Pacific/Kiritimati',
  });
  const held: Route[] = [];
  await page.route(`${reads}/workspace`, route => void held.push(route));
  const release = async () => {
    await expect.poll(() => held.length).toBeGreaterThan(0);
    // The stream tells of changes of the last half a minute, for which the page may read it once more.
    for (const route of held.splice(0)) await route.continue();
  };
  await open(`/posts/${deck.id}/schedule`, 'Schedule');
  await page.getByText('Far away').waitFor();
  const time = page.getByLabel('Time', { exact: true });
  expect(await time.count()).toBe(0);
  await release();
  await time.waitFor();
  const tomorrow = new Date(Date.now() + 24 * 3_600_000);
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(tomorrow);
  expect(await readTime(page)).toBe(`${day}T09:00`);

  await open('/automations', 'Automations');
  await page.getByText('No automation yet').waitFor();
  const make = page.getByRole('button', { name: 'New automation' });
  expect(await make.isDisabled()).toBe(true);
  await release();
  await make.click();
  expect(await page.getByLabel('Time zone').inputValue()).toBe(zone);

  await open('/webhooks', 'Webhooks');
  await choose(page.getByRole('article'), 'Send failed again…');
  const dialog = page.getByRole('dialog', { name: 'Send again what failed' });
  await dialog.waitFor();
  expect(await dialog.getByLabel('Since').count()).toBe(0);
  await release();
  await dialog.getByText(`Times in ${zone}`).waitFor();

  await open('/settings', 'Settings');
  await page.getByText('This one').waitFor();
  expect(await page.getByText('At 09:00').count()).toBe(0);
  await release();
  await page.getByText(`At 09:00, ${zone}`).waitFor();

  await api('POST', `/content/${deck.id}/approve`, { token: key, body: {} });
  const phone = await api('POST', '/accounts/phone', { token: session, body: { name: 'Phone' } });
  const due = await api('POST', '/schedules', {
    token: key,
    body: { contentId: deck.id, tiktokAccountId: phone.data.id },
  });
  await open(`/due/${due.data.id}`, 'Post it from your phone');
  const later = page.getByRole('button', { name: 'In an hour' });
  await later.waitFor();
  expect(await page.getByLabel('Another time').count()).toBe(0);
  await release();
  await page.getByText(`Times in ${zone}`).waitFor();
  await later.click();
  await page.getByRole('heading', { level: 1, name: 'Posts' }).waitFor();

  await open(`/posts/${deck.id}`, 'Post');
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  expect(await page.getByRole('dialog').count()).toBe(0);
  await release();
  await page.getByRole('dialog').getByText(`Times in ${zone}`).waitFor();
});

it('a key whose answer was lost is made once, and cannot be shown', async () => {
  const { api, session } = creator;
  const { page, open } = await visit(browser, 'desktop', { as: creator });
  await page.route(`${reads}/keys`, loseAnswer, { times: 1 });
  await open('/keys', 'Keys');
  await page.getByLabel('Name').fill('Lost on its way');
  await page.getByLabel('Expires').selectOption('In 30 days');
  const create = page.getByRole('button', { name: 'Create' });
  await create.click();
  await page.getByRole('alert').getByText('Hookline cannot be reached').waitFor();
  await create.click();
  await page.getByRole('status').getByText('“Lost on its way” was created, but').waitFor();
  const { data } = await api<{ name: string }[]>('GET', '/keys', { token: session });
  expect(data.filter(({ name }) => name === 'Lost on its way')).toHaveLength(1);
});

it('a key is made for the role that was read', async () => {
  const editor = await invite(creator, 'editor');
  const { page, open } = await visit(browser, 'desktop', { as: editor });
  await page.route(`${reads}/auth/workspaces`, refuse);
  await open('/keys', 'Keys');
  await refused(page).waitFor();
  const create = page.getByRole('button', { name: 'Create' });
  expect(await create.count()).toBe(0);
  await page.unroute(`${reads}/auth/workspaces`);
  await tryAgain(page);
  await page.getByRole('radio', { name: 'Full' }).check();
  await create.click();
  await page.getByRole('dialog', { name: 'Your new key' }).waitFor();
});

it('a deck whose posts may be older than those that were read is not called approved', async () => {
  const { scheduleId } = await scheduleNextMonth('Posted long ago');
  await scheduleNextMonth('Scheduled since');
  const { page, open } = await visit(browser, 'desktop', { as: creator });
  // As if it were below the newest 100.
  await page.route(`${reads}/schedules?*`, async route => {
    const response = await route.fetch();
    const { data } = (await response.json()) as { data: { id: string }[] };
    const json = { data: data.filter(({ id }) => id !== scheduleId), nextCursor: 'older' };
    await route.fulfill({ response, json });
  });
  await open('/posts', 'Posts');
  const row = (hook: string) => page.getByRole('listitem').filter({ hasText: hook });
  await row('Scheduled since').getByText('Scheduled', { exact: true }).waitFor();
  await row('Posted long ago').waitFor();
  expect(await row('Posted long ago').getByText('Approved', { exact: true }).count()).toBe(0);
});
