/** From an approved deck to a free slot of its account. */
import { perSuite } from '@hookline/testing/per-suite';
import { beforeAll, expect, it } from 'vitest';
import { connectCreator, newAutomation, type Prepared } from '../lab/kit/clients/api.ts';
import { decide, deckOf, launch, readTime, visit } from './src/browser.ts';
import { newCreator, scheduleDeck, writeDeck } from './src/person.ts';

const browser = perSuite(launch);
let creator: Prepared;
type Row = { id: string; scheduledFor: string; mode: string };

beforeAll(async () => {
  creator = await newCreator('studio.nord');
});

async function freeSlots(): Promise<string[]> {
  const path = `/accounts/${creator.accountId}/slots?count=3`;
  const { data } = await creator.api<Row[]>('GET', path, { token: creator.key });
  return data.map(({ scheduledFor }) => scheduledFor);
}

async function schedulesOf(contentId: string): Promise<Row[]> {
  const path = `/schedules?contentId=${contentId}`;
  return (await creator.api<Row[]>('GET', path, { token: creator.key })).data;
}

async function approvedDeck(hook: string) {
  const deck = await writeDeck(creator, { hook });
  await creator.api('POST', `/content/${deck.id}/approve`, { token: creator.key, body: {} });
  return deck;
}

it('slots are set on the account, and an approved deck takes the next free one with a tap', async () => {
  const deck = await writeDeck(creator, { hook: 'To the next slot' });
  const { page, open, check } = await visit(browser, 'phone', { as: creator });
  await open('/accounts', 'Accounts');
  await page.getByRole('button', { name: 'Slots' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Add a time' }).click();
  await dialog.getByLabel('Time of day 1').fill('9');
  // A zone without a change of clocks at any time.
  await dialog.getByRole('combobox').selectOption('Asia/Tokyo');
  await check('Slots');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('every day 09:00 (Asia/Tokyo)').waitFor();
  const [first = '', second] = await freeSlots();
  expect(first).toMatch(/T00:00:00.000Z$/);

  await open('/approve', 'Approve');
  await deckOf(page, 'To the next slot')
    .getByRole('img', { name: /^Slide 1/ })
    .waitFor();
  await decide(page, 'Approve').click();
  const offer = page.getByRole('status').getByRole('button', { name: /00:00 @studio\.nord$/ });
  await offer.click();
  await page.getByText('Scheduled as a draft for').waitFor();
  expect(await schedulesOf(deck.id)).toMatchObject([{ scheduledFor: first, mode: 'draft' }]);
  expect((await freeSlots())[0]).toBe(second);
});

it('the slots of several accounts have room in what is offered after an approval, on a phone', async () => {
  const of = await newCreator('maya.makes');
  const ids = [of.accountId, await connectCreator(of, 'leo.quiet')];
  for (const id of ids) {
    const body = { slots: [{ time: '09:00', days: ['mon', 'wed'] }], timezone: 'Asia/Tokyo' };
    await of.api('PATCH', `/accounts/${id}`, { token: of.session, body });
  }
  await writeDeck(of, { hook: 'To one of two' });
  const { page, open, end } = await visit(browser, 'phone', { as: of });
  await open('/approve', 'Approve');
  await decide(page, 'Approve').click();
  const toast = page.getByRole('status').filter({ hasText: 'When should it go out?' }).locator('> div');
  await toast.getByRole('button', { name: /@maya\.makes$/ }).waitFor();
  expect((await toast.boundingBox())?.height).toBeLessThan(200);
  expect(await toast.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await toast.getByRole('button', { name: /@leo\.quiet$/ }).click();
  await page.getByText('Scheduled as a draft for').waitFor();
  await end();
});

it('approved decks without a time are a second queue with a count, and leave it one by one', async () => {
  const decks = [await approvedDeck('The first to schedule'), await approvedDeck('The second to schedule')];
  const { page, open, check } = await visit(browser, 'desktop', { as: creator });
  await open('/approve', 'Approve');
  await page.getByRole('button', { name: 'To schedule (2)' }).click();
  await page.getByRole('heading', { level: 1, name: 'To schedule' }).waitFor();
  const slots = await freeSlots();
  const rows = page.getByRole('list', { name: 'To schedule' }).getByRole('listitem');
  await expect.poll(() => rows.count()).toBe(2);
  await check('To schedule');
  // Each is offered a slot of its own, in whatever order they are scheduled; the newest is first.
  for (const hook of ['The first to schedule', 'The second to schedule']) {
    const row = rows.filter({ hasText: hook });
    await row.getByRole('button', { name: /@studio\.nord$/ }).click();
    await row.waitFor({ state: 'detached' });
  }
  await page.getByText('Nothing to schedule').waitFor();
  const made = await Promise.all(decks.map(({ id }) => schedulesOf(id)));
  expect(made.map(([row]) => row?.scheduledFor)).toEqual(slots.slice(0, 2).toReversed());
});

it('the form begins with what was chosen last for the account, but never with a privacy', async () => {
  const [one, other] = [await approvedDeck('Chosen once'), await approvedDeck('Chosen again')];
  const { page, open } = await visit(browser, 'desktop', { as: creator });
  await open(`/posts/${one.id}/schedule`, 'Schedule');
  await page.getByRole('radio', { name: 'Direct post' }).check();
  await page.getByLabel('Privacy').selectOption('SELF_ONLY');
  await page.getByText('More settings').click();
  await page.getByLabel('Let TikTok add music').uncheck();
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Post' }).waitFor();

  // A direct post needs its privacy chosen, so its slot leads to the form.
  await open('/to-schedule', 'To schedule');
  const [slot = ''] = await freeSlots();
  await page.getByRole('button', { name: /@studio\.nord$/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Schedule' }).waitFor();
  expect(await readTime(page)).toBe(slot.slice(0, 16));
  expect(await page.getByLabel('Account').inputValue()).toBe(creator.accountId);
  expect(await page.getByRole('radio', { name: 'Direct post' }).isChecked()).toBe(true);
  expect(await page.getByLabel('Privacy').inputValue()).toBe('');
  await page.getByText('More settings').click();
  expect(await page.getByLabel('Let TikTok add music').isChecked()).toBe(false);
  expect(await page.getByLabel('Allow comments').isChecked()).toBe(false);
  expect(await schedulesOf(other.id)).toEqual([]);
});

it('the calendar begins with today, with a tray of unscheduled decks that are put on a day', async () => {
  const hook = 'From the tray';
  const deck = await approvedDeck(hook);
  const sent = await scheduleDeck(
    creator,
    'Soon in the calendar',
    // Today, also in its last hour.
    new Date(Math.min(Date.now() + 3_600_000, new Date().setUTCHours(23, 59, 59))).toISOString(),
  );
  const { page, open, check } = await visit(browser, 'desktop', { as: creator });
  await open('/calendar', 'Calendar');
  const days = page.getByRole('group', { name: /^\w+ \d+ \w+,/ });
  await expect.poll(() => days.count()).toBe(7);
  const today = days.filter({ has: page.locator('[aria-current=date]') });
  await today.getByText('Soon in the calendar').waitFor();
  expect(await today.locator('img').first().getAttribute('src')).toContain('&w=270');
  await check('Calendar week');
  expect(await days.first().locator('[aria-current=date]').count()).toBe(1);
  const range = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' });
  const title = range.formatRange(new Date(), new Date(Date.now() + 6 * 24 * 3_600_000));
  await page.getByRole('heading', { level: 2, name: title }).waitFor();
  await page.getByRole('button', { name: 'Later' }).click();
  await page.getByRole('button', { name: /^Schedule on Wednesday/ }).click();
  await page.getByRole('heading', { name: /^Choose a deck for Wednesday/ }).waitFor();
  await page.getByRole('row', { name: hook }).click();
  await page.getByRole('heading', { level: 1, name: 'Schedule' }).waitFor();
  const wednesday = new Date(Date.now() + (7 + ((10 - new Date().getUTCDay()) % 7)) * 24 * 3_600_000);
  expect(await readTime(page)).toBe(`${wednesday.toISOString().slice(0, 10)}T09:00`);
  expect(await schedulesOf(deck.id)).toEqual([]);
  await creator.api('DELETE', `/schedules/${sent.scheduleId}`, { token: creator.key });
  const everyDay = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  const postingTimes = Array.from({ length: 20 }, (_, n) => ({
    time: `${n + 3}:00`.padStart(5, '0'),
    days: everyDay,
  }));
  const id = await newAutomation(creator, { postingTimes });
  await open('/calendar', 'Calendar');
  await page.getByText(/^Automations have more posts planned: shown are those until \w{3},? \d/).waitFor();
  await page
    .getByRole('group', { name: /, 2\d posts$/ })
    .first()
    .waitFor();
  await creator.api('DELETE', `/automations/${id}`, { token: creator.key });
});

it('a free slot is tapped or dropped on in the calendar, and its time and account are taken', async () => {
  const hook = `For a free slot ${Date.now()}`;
  const deck = await approvedDeck(hook);
  const { page, open, check } = await visit(browser, 'desktop', { as: creator });
  await open('/calendar', 'Calendar');
  const [slot = ''] = await freeSlots();
  const free = page.getByRole('button', { name: /Free slot/ }).first();
  await free.click();
  await page.getByRole('heading', { name: /^Choose a deck for .*, 00:00$/ }).waitFor();
  await check('Calendar free slot');
  const row = page.getByRole('row', { name: hook });
  for (const choose of [() => row.click(), () => row.dragTo(free)]) {
    await choose();
    await page.getByRole('heading', { level: 1, name: 'Schedule' }).waitFor();
    expect(await readTime(page)).toBe(slot.slice(0, 16));
    expect(await page.getByLabel('Account').inputValue()).toBe(creator.accountId);
    expect(await schedulesOf(deck.id)).toEqual([]);
    await open('/calendar', 'Calendar');
  }
  const tomorrow = new Date(Date.now() + 24 * 3_600_000).toISOString();
  // It is far from any slot.
  const noon = `${tomorrow.slice(0, 10)}T12:00:00Z`;
  const body = { contentId: deck.id, tiktokAccountId: creator.accountId, mode: 'draft', scheduledFor: noon };
  const { data } = await creator.api<Row>('POST', '/schedules', { token: creator.key, body });
  // The tray learns of the schedule a moment later and has the deck until then.
  const days = page.getByRole('group', { name: /^\w+ \d+ \w+,/ });
  await days.getByRole('row', { name: hook }).dragTo(free);
  await expect.poll(() => schedulesOf(deck.id)).toMatchObject([{ scheduledFor: slot }]);
  await creator.api('DELETE', `/schedules/${data.id}`, { token: creator.key });
});

it('a month has this week on its first screen, and says that another one is being read', async () => {
  await approvedDeck('Stays in view');
  const { page, open } = await visit(browser, 'desktop', { as: creator });
  await open('/calendar', 'Calendar');
  await page.getByRole('row', { name: 'Stays in view' }).waitFor();
  await page.getByRole('button', { name: 'Month' }).click();
  const isInView = () =>
    page.evaluate(() => {
      const today = document.querySelector('[role=group] [aria-current=date]')?.getBoundingClientRect();
      return scrollY === 0 && today && today.bottom <= innerHeight;
    });
  await expect.poll(isInView).toBe(true);
  let answer = () => {};
  const held = new Promise<void>(resolve => {
    answer = resolve;
  });
  await page.route('**/schedules?*', async route => {
    await held;
    await route.fallback();
  });
  await page.getByRole('button', { name: 'Later' }).click();
  const loading = page.getByRole('status').filter({ hasText: 'Loading' });
  await loading.waitFor();
  answer();
  await loading.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Later' }).click();
  await page.getByText(/^Free slots are shown until \w{3}/).waitFor();
});

it('on a phone the calendar begins with today', async () => {
  const { page, open, check } = await visit(browser, 'phone', {
    as: creator,
    dark: true,
    inOwnWidth: true,
  });
  await open('/calendar', 'Calendar');
  await expect.poll(() => page.locator('[aria-current=date]').count()).toBe(1);
  expect(await page.getByRole('group', { name: /^\w+ \d+ \w+,/ }).count()).toBe(1);
  await check('Calendar day');
});
