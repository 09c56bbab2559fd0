/** What decks brought: entered on a post, compared under Numbers. */
import { readFileSync } from 'node:fs';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { beforeAll, expect, inject, it } from 'vitest';
import { connectCreator, type Prepared } from '../lab/kit/clients/api.ts';
import { openAsSuperuser } from '../lab/kit/product/database.ts';
import { databaseUrlOf } from '../lab/kit/product/standalone.ts';
import { choose, launch, visit } from './src/browser.ts';
import { newCreator, writeDeck } from './src/person.ts';

const browser = perSuite(launch);
let creator: Prepared;

beforeAll(async () => {
  creator = await newCreator('studio.nord');
});

it('numbers are entered on a post, and named with who read them', async () => {
  const deck = await writeDeck(creator, { hook: 'Three stones a day' });
  const { page, open, check } = await visit(browser, 'phone', { as: creator });
  await open(`/posts/${deck.id}`, 'Post');
  expect(await page.getByRole('heading', { name: 'What it brought' }).count()).toBe(0);
  await creator.api('POST', `/content/${deck.id}/approve`, { token: creator.key, body: {} });
  await page.reload();
  await choose(page.getByRole('main'), 'It was posted elsewhere');
  await page.getByText('Otherwise enter what TikTok shows').waitFor();
  await page.getByRole('button', { name: 'Enter the numbers' }).click();
  await page.getByLabel('Views').fill('1300');
  await page.getByLabel('Saves').fill('41');
  await check('Post approved');
  await page.getByRole('button', { name: 'Save the numbers' }).click();
  await page.getByText('Entered by').waitFor();
  await page.getByRole('button', { name: 'Correct' }).click();
  await page.getByLabel('Views').fill('1200');
  await page.getByRole('button', { name: 'Save the numbers' }).click();
  await page.getByText('1,200', { exact: true }).waitFor();
  await check('Post with numbers');
  const kept = await creator.api('GET', `/content/${deck.id}/results`, { token: creator.key });
  expect(kept.data).toMatchObject({ views: 1200, likes: null, saves: 41, by: { kind: 'person' } });
  await open('/numbers', 'Numbers');
  await page.getByRole('heading', { name: '1 post, 1,200 views' }).waitFor();
  await page.getByRole('link', { name: 'Three stones a day' }).waitFor();
  await page.getByText('41 saves · in the comparison from').waitFor();
  await page.getByRole('list', { name: 'Views of the decks posted in each week (UTC)' }).waitFor();
  await page.getByText('None can be compared yet').waitFor();
  await check('Numbers entered');
  await open(`/posts/${deck.id}`, 'Post');
  await page.getByRole('button', { name: 'Add YouTube or Instagram' }).click();
  await page.getByLabel('The same deck on YouTube').fill('https://youtube.com/shorts/dQsim000001');
  await page.getByRole('button', { name: 'Add the post' }).click();
  await page.getByText('YouTube: ').waitFor();
});

it('a deck is compared with a copy and another deck on purpose, and Numbers says where that is', async () => {
  const someone = await newCreator('maya.makes');
  const decks = [];
  for (const hook of ['Three stones a day', 'Why stones?']) {
    const deck = await writeDeck(someone, { hook });
    await someone.api('POST', `/content/${deck.id}/approve`, { token: someone.key, body: {} });
    decks.push(deck);
  }
  const { page, open, check } = await visit(browser, 'phone', { as: someone });
  await open(`/posts/${decks[0]!.id}`, 'Post');
  await choose(page.getByRole('main'), 'Compare hooks');
  await page.getByLabel('Why stones?').click();
  const hook = `Stones, then ${'sleep'.repeat(20)}`;
  await page.getByLabel('Another hook').fill(hook);
  await page.getByLabel('Read the views after').selectOption('3 days');
  await check('Hooks to compare');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('Started. Copies wait for approval; the outcome appears under Numbers.').waitFor();
  await eventually(async () => {
    const { data } = await someone.api('GET', '/analytics/experiments', { token: someone.key });
    expect(data).toHaveLength(1);
  });
  await open('/numbers', 'Numbers');
  await page.getByText('3 of 3 posts have no views of 72 h yet.').waitFor();
  await page.getByRole('link', { name: 'Why stones?' }).waitFor();
  await page.getByRole('link', { name: hook }).waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  await check('Hooks compared on purpose');
});

it('the decks of an experiment go out in one pass, each copy on an account of its own', async () => {
  const someone = await newCreator('maya.makes');
  const { api, key: token, session } = someone;
  const deck = await writeDeck(someone, { hook: 'Three stones a day' });
  const body = { hooks: ['Why stones?'], readAfterHours: 48 };
  await api('POST', `/content/${deck.id}/approve`, { token, body: {} });
  const headers = { 'idempotency-key': deck.id };
  await api('POST', `/content/${deck.id}/experiment`, { token, body, headers });
  const { data: copies } = await api<{ id: string }[]>('GET', '/content?approvalStatus=pending', { token });
  const ids = [deck.id, ...copies.map(({ id }) => id)];
  for (const id of ids.slice(1)) await api('POST', `/content/${id}/approve`, { token, body: {} });
  const accounts = [someone.accountId, await connectCreator(someone, 'leo.quiet')];
  const slots = [{ time: '09:00', days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] }];
  for (const id of accounts)
    await api('PATCH', `/accounts/${id}`, { token: session, body: { slots, timezone: 'Asia/Tokyo' } });
  await eventually(async () => {
    expect((await api('GET', '/analytics/experiments', { token })).data).toHaveLength(1);
  });
  const { page, open, check } = await visit(browser, 'phone', { as: someone });
  await open('/numbers', 'Numbers');
  await page.getByRole('button', { name: 'Plan 2 decks' }).click();
  const dialog = page.getByRole('dialog', { name: 'Plan 2 decks' });
  await dialog.getByRole('button', { name: 'Schedule 2 decks' }).waitFor();
  await check('Plan of an experiment');
  await dialog.getByLabel('@leo.quiet').uncheck();
  await dialog.getByText('each takes one copy of a compared deck').waitFor();
  await dialog.getByLabel('@leo.quiet').check();
  await dialog.getByRole('button', { name: 'Schedule 2 decks' }).click();
  await page.getByText('2 decks scheduled').waitFor();
  type Row = { contentId: string; tiktokAccountId: string; mode: string };
  const { data: made } = await api<Row[]>('GET', '/schedules', { token });
  expect(made.map(({ contentId }) => contentId).toSorted()).toEqual(ids.toSorted());
  expect(made.map(({ tiktokAccountId }) => tiktokAccountId).toSorted()).toEqual(accounts.toSorted());
  expect(made.map(({ mode }) => mode)).toEqual(['draft', 'draft']);
  await page.getByRole('button', { name: /^Plan/ }).waitFor({ state: 'detached' });
});

/** Decks of two structures whose numbers are a day old, one with four times the views of the other. */
async function compare(appId: string): Promise<void> {
  const db = openAsSuperuser(databaseUrlOf(inject('product').dataDir));
  try {
    await db.query(
      `insert into analytics.decks (content_id, account_id, app_id, version, versions, approved_at, tiktok_account_id, posted_at, views, measured_at)
       select 'content_' || md5($1 || n), account_id, id, 1,
         jsonb_build_object('1', jsonb_build_object('hook', '=Hook ' || n, 'archetype',
           case when n % 2 = 0 then 'listicle' else 'pov_results' end, 'templateId', 'quote-card', 'language', 'de')), at, 'account_1', at,
         case when n % 2 = 0 then 4000 else 1000 end + n, at + interval '2 days'
       from content.apps, (select n, now() - n * interval '7 hours' - interval '3 days' as at
         from generate_series(1, 80) as n) as posted
       where id = $1`,
      [appId],
    );
  } finally {
    await db.close();
  }
}

it('Numbers says what worked, what did not and what to try, and saves it as CSV', async () => {
  await compare(creator.appId);
  const { page, open, check } = await visit(browser, 'phone', { as: creator });
  await open('/numbers', 'Numbers');
  const said = (title: string) =>
    page.getByRole('heading', { name: title }).locator('xpath=ancestor::section[1]').textContent();
  await page.getByText('Structure “List”').first().waitFor();
  expect(await said('What worked')).toMatch(/Structure “List”: [1-4]\.\d+× the views of the others/);
  expect(await said('What did not')).toContain('Structure “Own results”');
  expect(await said('What to try next')).toContain('More decks with structure “List”.');
  await check('Numbers compared');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  const csv = readFileSync(await download.path(), 'utf8').split('\r\n');
  expect(csv[0]).toBe('\ufeffof,value,decks,views,typicalViews,lift,low,high,verdict');
  expect(csv.some(line => line.startsWith("hook,'=Hook "))).toBe(true);
  await page.getByLabel('By', { exact: true }).selectOption('Language');
  await page.getByText('German', { exact: true }).waitFor();
  await page.getByLabel('By', { exact: true }).selectOption('Weekday');
  await page.getByText('Monday', { exact: false }).first().waitFor();
});
