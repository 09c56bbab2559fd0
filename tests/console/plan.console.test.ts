/** A whole week of approved decks is planned in one pass. */
import { perSuite } from '@hookline/testing/per-suite';
import { beforeEach, expect, it } from 'vitest';
import { connectCreator, type Prepared } from '../lab/kit/clients/api.ts';
import { launch, visit } from './src/browser.ts';
import { addApp, copyDeck, newCreator, writeDeck } from './src/person.ts';

const browser = perSuite(launch);
let creator: Prepared;

beforeEach(async () => {
  creator = await newCreator('studio.nord');
  const { api, session, accountId } = creator;
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  const slots = ['09:00', '18:30'].map(time => ({ time, days }));
  await api('PATCH', `/accounts/${accountId}`, { token: session, body: { slots, timezone: 'Asia/Tokyo' } });
});

async function approvedDeck(hook: string) {
  const deck = await writeDeck(creator, { hook });
  await creator.api('POST', `/content/${deck.id}/approve`, { token: creator.key, body: {} });
  return deck;
}

type Row = { scheduledFor: string; mode: string; privacyLevel: string | null };

async function list(path: string): Promise<Row[]> {
  return (await creator.api<Row[]>('GET', path, { token: creator.key })).data;
}

it('selected decks take the free slots in their order, as drafts, on a phone', async () => {
  const hooks = ['Third in the list', 'Second in the list', 'First in the list'];
  const decks = [];
  for (const hook of hooks) decks.push(await approvedDeck(hook));
  const { page, open, check } = await visit(browser, 'phone', { as: creator, dark: true });
  await open('/to-schedule', 'To schedule');
  await page.getByRole('button', { name: 'Plan 3 decks' }).waitFor();
  await page.getByLabel('Select “Third in the list”').check();
  await page.getByLabel('Select “First in the list”').check();
  await page.getByLabel('Select “Second in the list”').check();
  await check('To schedule selected');
  const free = (await list(`/accounts/${creator.accountId}/slots?count=3`)).map(row => row.scheduledFor);
  await page.getByRole('button', { name: 'Plan 3 decks' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave out “Second in the list”' }).click();
  const dialog = page.getByRole('dialog', { name: 'Plan 2 decks' });
  const clock = (at = '') => at.slice(11, 16);
  const times = () => dialog.locator('option:checked').allTextContents();
  const expectTimes = (...slots: (string | undefined)[]) =>
    expect.poll(times).toEqual(slots.map(at => expect.stringMatching(`${clock(at)}$`)));
  await expectTimes(free[0], free[1]);
  await check('Plan');
  // One may have the time of the other, which then takes the next one.
  await dialog.getByLabel('Time of “Third in the list”').selectOption({ index: 1 });
  await expectTimes(free[1], free[0]);
  await dialog.getByLabel('Time of “First in the list”').selectOption({ index: 1 });
  await expectTimes(free[1], free[2]);
  await dialog.getByRole('button', { name: 'Schedule 2 decks' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('2 decks scheduled').waitFor();
  await page.getByRole('button', { name: 'Plan 1 deck' }).waitFor();
  const made = await Promise.all(decks.map(({ id }) => list(`/schedules?contentId=${id}`)));
  expect(made.map(([row]) => row?.scheduledFor)).toEqual([free[1], undefined, free[2]]);
  expect(made.flat().map(({ mode, privacyLevel }) => [mode, privacyLevel])).toEqual([
    ['draft', null],
    ['draft', null],
  ]);
});

it('a refused deck is named and holds up no other, and a lost connection goes on where it stopped', async () => {
  const [first, second, third] = [
    await approvedDeck('It goes out first'),
    await approvedDeck('It has a time already'),
    await approvedDeck('It goes out next'),
  ];
  const { api, key, accountId } = creator;
  const { page, open } = await visit(browser, 'desktop', { as: creator });
  await open('/to-schedule', 'To schedule');
  for (const hook of ['It goes out first', 'It has a time already', 'It goes out next'])
    await page.getByLabel(`Select “${hook}”`).check();
  await page.getByRole('button', { name: 'Plan 3 decks' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Schedule 3 decks' }).waitFor();
  // Somebody else schedules one of them meanwhile.
  const scheduledFor = new Date(Date.now() + 40 * 24 * 3_600_000).toISOString();
  const body = { contentId: second?.id, tiktokAccountId: accountId, mode: 'draft', scheduledFor };
  await api('POST', '/schedules', { token: key, body });
  // The answer about the last one is lost on its way, after the server carried it out.
  await page.route('**/schedules', async route => {
    if (route.request().postDataJSON()?.contentId !== third?.id) return route.fallback();
    await route.fetch();
    await route.abort();
  });
  await dialog.getByRole('button', { name: 'Schedule 3 decks' }).click();
  await dialog.getByText('Hookline cannot be reached').waitFor();
  await page.unroute('**/schedules');
  await dialog.getByRole('button', { name: 'Schedule 3 decks' }).click();
  await page.getByText('2 decks scheduled').waitFor();
  await dialog
    .getByRole('listitem')
    .filter({ hasText: 'It has a time already' })
    .getByText(/already/i)
    .nth(1)
    .waitFor();
  for (const deck of [first, third]) expect(await list(`/schedules?contentId=${deck?.id}`)).toHaveLength(1);
});

it('each app has its own account in a plan, and one tap in a row, on a desktop', async () => {
  const owner = await newCreator('studio.nord');
  const { api, key, session } = owner;
  const otherId = await connectCreator(owner, 'leo.quiet');
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  const slots = ['09:00', '18:30'].map(time => ({ time, days }));
  for (const id of [owner.accountId, otherId])
    await api('PATCH', `/accounts/${id}`, { token: session, body: { slots, timezone: 'Asia/Tokyo' } });
  const otherApp = await addApp(owner);
  const write = async (hook: string, appId: string) => {
    const deck = await writeDeck({ ...owner, appId }, { hook });
    await api('POST', `/content/${deck.id}/approve`, { token: key, body: {} });
    return deck;
  };
  const decks = [
    await write('Of the first app', owner.appId),
    await write('Of the other app', otherApp),
    await write('Of the other app again', otherApp),
  ];
  const { page, open, check } = await visit(browser, 'desktop', { as: owner });
  await open('/to-schedule', 'To schedule');
  const rows = page.getByRole('list', { name: 'To schedule' }).getByRole('listitem');
  const again = rows.filter({ hasText: 'Of the other app again' });
  await again.getByText('Fernly').waitFor();
  // No app has a last account yet: each account has its button.
  await again.getByRole('button', { name: /@studio\.nord$/ }).waitFor();
  await again.getByRole('button', { name: /@leo\.quiet$/ }).waitFor();
  await check('To schedule with two accounts');
  await page.getByLabel('Select “Of the first app”').check();
  await page.getByLabel('Select “Of the other app”', { exact: true }).check();
  await page.getByRole('button', { name: 'Plan 2 decks' }).click();
  const dialog = page.getByRole('dialog', { name: 'Plan 2 decks' });
  await expect.poll(() => dialog.getByText('Its account is not chosen yet.').count()).toBe(2);
  const accountsFor = (app: string) => dialog.getByRole('group', { name: `Accounts for ${app}` });
  await accountsFor('Pebblo').getByLabel('@studio.nord').check();
  await dialog.getByRole('button', { name: 'Schedule 1 deck' }).waitFor();
  await accountsFor('Fernly').getByLabel('@leo.quiet').check();
  await dialog.getByRole('button', { name: 'Schedule 2 decks' }).waitFor();
  await check('Plan of two apps');
  await dialog.getByRole('button', { name: 'Schedule 2 decks' }).click();
  await dialog.waitFor({ state: 'detached' });
  // The other app's account is known now, and one tap schedules.
  await expect.poll(() => again.getByRole('button', { name: /@studio\.nord$/ }).count()).toBe(0);
  await again.getByRole('button', { name: /@leo\.quiet$/ }).click();
  await again.waitFor({ state: 'detached' });
  type To = { tiktokAccountId: string };
  const made = await Promise.all(
    decks.map(({ id }) => api<To[]>('GET', `/schedules?contentId=${id}`, { token: key })),
  );
  expect(made.map(({ data }) => data.map(({ tiktokAccountId }) => tiktokAccountId))).toEqual([
    [owner.accountId],
    [otherId],
    [otherId],
  ]);
});

it('the second of two taps on one spot schedules no other deck', async () => {
  const decks = [
    await approvedDeck('Below'),
    await approvedDeck('In the middle'),
    await approvedDeck('Above'),
  ];
  const { page, open } = await visit(browser, 'desktop', { as: creator });
  await open('/to-schedule', 'To schedule');
  const buttonOf = (hook: string) =>
    page
      .getByRole('listitem')
      .filter({ hasText: hook })
      .getByRole('button', { name: /@studio\.nord$/ });
  const { x, y } = (await buttonOf('Above').boundingBox())!;
  await page.mouse.click(x + 5, y + 5);
  await buttonOf('Above').waitFor({ state: 'detached' });
  await page.mouse.click(x + 5, y + 5);
  // A tap that is meant for the next one.
  await buttonOf('In the middle').click();
  await buttonOf('In the middle').waitFor({ state: 'detached' });
  const made = await Promise.all(decks.map(({ id }) => list(`/schedules?contentId=${id}`)));
  expect(made.map(rows => rows.length)).toEqual([0, 1, 1]);
});

it('without posting times they are chosen on the page, and a deck without slides is not there', async () => {
  const { api, session, accountId } = creator;
  await api('PATCH', `/accounts/${accountId}`, { token: session, body: { slots: [] } });
  await approvedDeck('Without a slot');
  const { id } = await writeDeck(creator, { hook: 'Texts alone', templateId: undefined });
  await api('POST', `/content/${id}/approve`, { token: creator.key, body: {} });
  const { page, open, check } = await visit(browser, 'desktop', { as: creator });
  await open('/to-schedule', 'To schedule');
  await page.getByText('Without a slot').waitFor();
  expect(await page.getByRole('list', { name: 'To schedule' }).getByRole('listitem').count()).toBe(1);
  expect(await page.getByRole('button', { name: /^Plan/ }).count()).toBe(0);
  await check('To schedule without times');
  await page.getByRole('button', { name: 'Choose times for @studio.nord' }).click();
  const dialog = page.getByRole('dialog');
  for (const _ of 'ab') await dialog.getByRole('button', { name: 'Add a time' }).click();
  await dialog.getByLabel('Time of day 2').fill('18:00');
  await dialog.getByText('A day has the same time twice.').waitFor();
  expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Time of day 2').fill('12:30');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Plan 1 deck' }).waitFor();
});

it('the tray of the calendar counts every deck without a time and shows more than a page of them', async () => {
  await copyDeck((await approvedDeck('The newest of thirty')).id, 29);
  const { page, open, check } = await visit(browser, 'desktop', { as: creator });
  await open('/calendar', 'Calendar');
  const tray = page.getByRole('region', { name: 'To schedule (30)' });
  await expect.poll(() => tray.getByRole('row').count()).toBe(25);
  await tray.getByRole('button', { name: 'More' }).click();
  await expect.poll(() => tray.getByRole('row').count()).toBe(30);
  expect(await tray.getByRole('button', { name: 'More' }).count()).toBe(0);
  await check('Calendar tray');
});

it('a post whose deck waits for approval says so in the calendar, however many newer decks wait', async () => {
  const { api, key, accountId } = creator;
  const newest = await writeDeck(creator);
  await copyDeck(newest.id, 100);
  const { data } = await api<{ id: string }[]>('GET', '/content?q=Deck%20100', { token: key });
  const contentId = data[0]?.id;
  await api('POST', `/content/${contentId}/approve`, { token: key, body: {} });
  const scheduledFor = new Date(Date.now() + 24 * 3_600_000).toISOString();
  await api('POST', '/schedules', {
    token: key,
    body: { contentId, tiktokAccountId: accountId, scheduledFor },
  });
  await api('PATCH', `/content/${contentId}`, { token: key, body: { caption: 'Another' } });
  const { page, open } = await visit(browser, 'desktop', { as: creator });
  await open('/calendar', 'Calendar');
  await page.getByRole('row', { name: /Deck 100, Waits for approval$/ }).waitFor();
});
