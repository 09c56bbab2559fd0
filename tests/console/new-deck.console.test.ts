/** The sheet of a new deck: from everywhere, with an address, from the first choice to the deck on Approve. */
import { perSuite } from '@hookline/testing/per-suite';
import { fileForm, tinyPng } from '@hookline/testing/tiny-png';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Prepared } from '../lab/kit/clients/api.ts';
import { decide, deckOf, launch, visit } from './src/browser.ts';
import { addApp, invite, newCreator, newPerson, writeDeck } from './src/person.ts';

const browser = perSuite(launch);

const sheetOf = (page: Page) => page.getByRole('dialog', { name: 'New deck' });
const openSheet = (page: Page) => page.getByRole('button', { name: 'New deck' }).first().click();
const makeDeck = (page: Page) => sheetOf(page).getByRole('button', { name: 'Make the deck' }).click();
const newest = async ({ api, key }: Prepared) =>
  (await api<object[]>('GET', '/content?limit=1', { token: key })).data[0];

it('a suggested hook, a template chosen by its picture and a length become a deck', async () => {
  const creator = await newCreator('studio.nord');
  const { page, open, check } = await visit(browser, 'desktop', { as: creator });
  await open('/calendar', 'Calendar');
  await openSheet(page);
  const sheet = sheetOf(page);
  await sheet.getByRole('radio', { name: 'A hook' }).check();
  const hooks = sheet.getByRole('group', { name: 'Suggested hooks' }).getByRole('button');
  await hooks.nth(1).click();
  const hook = (await hooks.nth(1).textContent()) as string;
  expect(await sheet.getByLabel('Hook', { exact: true }).inputValue()).toBe(hook);
  const templates = sheet.getByRole('group', { name: 'Template' });
  await expect
    .poll(() =>
      templates
        .locator('img')
        .evaluateAll(images => images.map(image => (image as HTMLImageElement).naturalWidth > 0)),
    )
    .toEqual([true, true, true]);
  await sheet.getByRole('radio', { name: 'Quote card' }).check();
  await sheet.getByLabel('Length').selectOption('4 slides');
  await check('New deck');
  await makeDeck(page);
  await deckOf(page, hook).waitFor();
  expect(page.url()).not.toContain('new=');
  expect(await newest(creator)).toMatchObject({
    approvalStatus: 'pending',
    brief: { hook, slideCount: 4, templateId: 'quote-card' },
    images: [{}, {}, {}, {}],
  });
});

it('own pictures become a deck of exactly those slides, in the order asked', async () => {
  const creator = await newCreator('studio.nord');
  const { page, open, check } = await visit(browser, 'phone', { as: creator });
  await open('/posts', 'Posts');
  await page.locator('main').getByRole('button', { name: 'New deck' }).click();
  const sheet = sheetOf(page);
  await sheet.getByRole('radio', { name: 'Own pictures' }).check();
  const png = (name: string, grey: number) => ({ name, mimeType: 'image/png', buffer: tinyPng(grey) });
  await sheet
    .getByLabel('Add slides')
    .setInputFiles([png('1.png', 20), png('2.png', 120), png('3.png', 220)]);
  const slides = sheet.getByRole('list', { name: 'Slides' }).getByRole('listitem');
  await expect.poll(() => slides.count()).toBe(3);
  await sheet.getByLabel('Name', { exact: true }).fill('Spring sale');
  await sheet.getByLabel('Caption').fill('Two days left');
  await check('New deck own pictures');
  await sheet.getByRole('button', { name: 'Slide 3: move up' }).click();
  await sheet.getByRole('button', { name: 'Remove (1)' }).click();
  await expect.poll(() => slides.count()).toBe(2);
  await makeDeck(page);
  await deckOf(page, 'Spring sale').waitFor();
  const { api, key } = creator;
  const { id: appId } = (await api<{ id: string }[]>('GET', '/apps', { token: key })).data[0] ?? { id: '' };
  const { data } = await api<{ id: string }[]>('GET', `/apps/${appId}/pictures?kind=slide`, { token: key });
  const [third, second] = data.map(({ id }) => id);
  expect(await newest(creator)).toMatchObject({
    approvalStatus: 'pending',
    templateId: 'picture',
    result: {
      hook: 'Spring sale',
      caption: 'Two days left',
      coverLook: { pictureId: third },
      bodySlides: [{ pictureId: second }],
    },
    images: [{}, {}],
  });
  // Each slide keeps a picture: there is none to choose for it.
  await decide(page, 'Edit').click();
  await page.getByRole('button', { name: 'Slide 1, hook: Picture' }).click();
  const strip = page.getByRole('group', { name: 'picture' });
  await strip.getByRole('button').first().waitFor();
  expect(await strip.getByRole('button').allTextContents()).not.toContain('Auto');
  await check('Edit finished slides');
});

it('own texts become a deck, a line a slide, and a refusal is told at their field', async () => {
  const creator = await newCreator('studio.nord');
  const { page, open, check } = await visit(browser, 'phone', { as: creator, dark: true });
  await open('/posts', 'Posts');
  await page.locator('main').getByRole('button', { name: 'New deck' }).click();
  const sheet = sheetOf(page);
  await sheet.getByRole('radio', { name: 'Own texts' }).check();
  const lines = sheet.getByLabel('Texts', { exact: true });
  await lines.fill('What ferns want');
  await makeDeck(page);
  await sheet.getByText('Slides must be a list of 1 to 33 slides').waitFor();
  expect(await lines.getAttribute('aria-invalid')).toBe('true');
  await expect.poll(() => lines.evaluate(field => field === document.activeElement)).toBe(true);
  await lines.fill('What ferns want\n\nWater from below\n  Mist, then wait\n');
  await sheet.getByLabel('Closing slide').fill('I log mine in Pebblo');
  await check('New deck own texts');
  await makeDeck(page);
  await deckOf(page, 'What ferns want').waitFor();
  expect(await newest(creator)).toMatchObject({
    writer: { kind: 'given' },
    result: {
      hook: 'What ferns want',
      bodySlides: [{ text: 'Water from below' }, { text: 'Mist, then wait' }],
      ctaSoft: 'I log mine in Pebblo',
    },
  });
});

it('a topic without a text model leads to Settings, before and after', async () => {
  const creator = await newCreator('studio.nord');
  const { page, open, check } = await visit(browser, 'phone', { as: creator });
  await open('/approve?new=deck', 'Approve');
  const sheet = sheetOf(page);
  await sheet.getByRole('radio', { name: 'A topic' }).check();
  await sheet.getByLabel('Topic', { exact: true }).fill('Slow mornings');
  await sheet.getByText('Only a text model writes about a topic.').waitFor();
  await sheet.getByRole('link', { name: 'Connect a text model' }).waitFor();
  await check('New deck topic');
  await sheet.getByRole('button', { name: 'Make one about the app' }).click();
  await page.locator('main').getByText('This deck is about the app').waitFor();
  await check('Approve topic needs model');
  await page.getByRole('link', { name: 'Connect a text model' }).click();
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
});

it('a listing that is too short for the length leads back to the sheet', async () => {
  const person = await newPerson();
  const { api, key } = person;
  const description = 'A diary for balcony gardens that tells what to water.';
  await api('POST', '/apps', { token: key, body: { listing: { name: 'Fernly', description } } });
  const { page, open, check } = await visit(browser, 'phone', { as: person });
  await open('/approve?new=deck', 'Approve');
  const sheet = sheetOf(page);
  await sheet.getByLabel('Length').selectOption('10 slides');
  await makeDeck(page);
  const notice = page.locator('main').getByText('The listing has few lines');
  await notice.scrollIntoViewIfNeeded();
  await check('Approve listing too short');
  await notice.locator('..').getByRole('button', { name: 'New deck' }).click();
  await sheet.getByLabel('Length').waitFor();
  expect(page.url()).toContain('new=product_');
});

it('the sheet has an address, Back closes it, and what is typed outlives a reload', async () => {
  const creator = await newCreator('studio.nord');
  const { page, open } = await visit(browser, 'phone', { as: creator });
  await open('/posts?state=approved', 'Posts');
  await openSheet(page);
  const sheet = sheetOf(page);
  await sheet.getByRole('radio', { name: 'A topic' }).check();
  await sheet.getByLabel('Topic', { exact: true }).fill('Slow mornings');
  expect(page.url()).toContain('/posts?state=approved&new=deck');
  await page.reload();
  await expect.poll(() => sheet.getByLabel('Topic', { exact: true }).inputValue()).toBe('Slow mornings');
  await page.goBack();
  await sheet.waitFor({ state: 'detached' });
  expect(page.url()).toMatch(/\/posts\?state=approved$/);
  await openSheet(page);
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  await openSheet(page);
  await sheet.getByRole('button', { name: 'Cancel' }).click();
  await sheet.waitFor({ state: 'detached' });
  await openSheet(page);
  expect(await sheet.getByRole('radio', { name: 'The app' }).isChecked()).toBe(true);
});

it('a page that is loaded again while the deck is made asks for no second one', async () => {
  const creator = await newCreator('studio.nord');
  const { page, open } = await visit(browser, 'phone', { as: creator });
  const isMade = Promise.withResolvers<void>();
  // As on a phone that drops the page of a browser in the background.
  await page.route(
    '**/console/api/v1/content',
    async route => {
      await route.fetch();
      isMade.resolve();
    },
    { times: 1 },
  );
  await open('/approve?new=deck', 'Approve');
  await sheetOf(page).getByRole('radio', { name: 'A hook' }).check();
  await sheetOf(page).getByLabel('Hook', { exact: true }).fill('Asked for once');
  await makeDeck(page);
  await isMade.promise;
  await page.reload();
  await expect
    .poll(() => sheetOf(page).getByLabel('Hook', { exact: true }).inputValue())
    .toBe('Asked for once');
  const made = async () => {
    await makeDeck(page);
    await sheetOf(page).waitFor({ state: 'detached' });
    return (await creator.api<object[]>('GET', '/content', { token: creator.key })).data.length;
  };
  expect(await made()).toBe(1);
  await openSheet(page);
  await sheetOf(page).getByRole('radio', { name: 'A hook' }).check();
  await sheetOf(page).getByLabel('Hook', { exact: true }).fill('Asked for once');
  expect(await made()).toBe(2);
});

it('the sheet opens above a deck that is edited, and asks for nothing to be given up', async () => {
  const creator = await newCreator('studio.nord');
  const deck = await writeDeck(creator, { hook: 'As it was' });
  const { page, open } = await visit(browser, 'desktop', { as: creator });
  await open(`/posts/${deck.id}/edit`, 'Edit');
  const hook = page.getByLabel('Slide 1, hook', { exact: true });
  await hook.fill('Half of a new hook');
  await openSheet(page);
  await sheetOf(page).getByLabel('App', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  expect(await hook.inputValue()).toBe('Half of a new hook');
  await page.getByRole('link', { name: 'Calendar', exact: true }).click();
  await page.getByRole('dialog', { name: 'Your changes are not saved' }).waitFor();
});

it('a sheet that is closed while the deck is made says where the deck is', async () => {
  const creator = await newCreator('studio.nord');
  const { page, open } = await visit(browser, 'phone', { as: creator });
  const released = Promise.withResolvers<void>();
  await page.route('**/console/api/v1/content', async route => {
    if (route.request().method() === 'POST') await released.promise;
    await route.continue();
  });
  await open('/calendar', 'Calendar');
  await openSheet(page);
  await makeDeck(page);
  await sheetOf(page).getByText('Writing and drawing the deck').waitFor();
  await page.keyboard.press('Escape');
  await sheetOf(page).waitFor({ state: 'detached' });
  released.resolve();
  await page.getByText('The new deck waits for approval.').waitFor();
  expect(page.url()).toMatch(/\/calendar$/);
  await page.getByRole('button', { name: 'Look at it' }).click();
  await page.getByRole('group', { name: 'Decision' }).waitFor();
});

it('a template without a picture to draw leads to the pictures; app and template are remembered', async () => {
  const creator = await newCreator('studio.nord');
  const { api, key, appId } = creator;
  const other = await addApp(creator);
  for (const grey of [31, 32, 33]) {
    await api('POST', `/apps/${appId}/pictures`, { token: key, body: fileForm(tinyPng(grey)) });
  }
  const { page, open, check } = await visit(browser, 'desktop', { as: creator });
  await open(`/apps/${appId}`, 'Pebblo');
  await page.locator('main').getByRole('button', { name: 'New deck' }).click();
  const sheet = sheetOf(page);
  const photo = sheet.getByRole('radio', { name: 'Photo card' });
  // Three pictures of its own.
  await expect.poll(() => photo.isChecked()).toBe(true);
  await sheet.getByLabel('App', { exact: true }).selectOption('Fernly');
  await expect.poll(() => photo.isDisabled()).toBe(true);
  expect(await sheet.getByRole('radio', { name: 'Quote card' }).isChecked()).toBe(true);
  await check('New deck without pictures');
  await sheet.getByRole('radio', { name: 'Texts only' }).check();
  await sheet.getByText('Without pictures the deck cannot be posted.').waitFor();
  await makeDeck(page);
  await page.locator('main').getByText('This deck has no slides').waitFor();

  await open('/calendar', 'Calendar');
  await openSheet(page);
  await expect.poll(() => sheet.getByLabel('App', { exact: true }).inputValue()).toBe(other);
  expect(await sheet.getByRole('radio', { name: 'Texts only' }).isChecked()).toBe(true);
  await sheet.getByRole('link', { name: 'Add pictures' }).click();
  await page.getByRole('heading', { level: 1, name: 'Fernly' }).waitFor();
  expect(await sheet.count()).toBe(0);

  await open('/automations', 'Automations');
  await page.getByRole('button', { name: 'New automation' }).first().click();
  const form = page.getByRole('dialog', { name: 'New automation' });
  await form.getByLabel('App', { exact: true }).selectOption('Pebblo');
  await expect.poll(() => form.getByRole('radio', { name: 'Photo card' }).isChecked()).toBe(true);
  await form.getByLabel('App', { exact: true }).selectOption('Fernly');
  await expect.poll(() => form.getByRole('radio', { name: 'Photo card' }).isDisabled()).toBe(true);
  await form.getByRole('link', { name: 'Add pictures' }).waitFor();
});

it('a workspace without an app is led to Apps, and a viewer is offered no deck', async () => {
  const person = await newPerson();
  const mine = await visit(browser, 'phone', { as: person });
  await mine.open('/posts?new=deck', 'Posts');
  await mine.check('New deck no app');
  await sheetOf(mine.page).getByRole('link', { name: 'Add an app' }).click();
  await mine.page.getByRole('heading', { level: 1, name: 'Apps' }).waitFor();
  await mine.end();

  const creator = await newCreator('studio.nord');
  const theirs = await visit(browser, 'desktop', { as: await invite(creator, 'viewer') });
  const role = theirs.page.waitForResponse(/\/auth\/workspaces/);
  await theirs.open('/posts?new=deck', 'Posts');
  await role;
  await expect.poll(() => theirs.page.getByText('New deck').count()).toBe(0);
  await theirs.open('/numbers', 'Numbers');
  await theirs.page.getByText('No numbers yet').waitFor();
  await expect.poll(() => theirs.page.getByText('Enter numbers').count()).toBe(0);

  const { id } = await writeDeck(creator, { hook: 'For a viewer to see' });
  await creator.api('POST', `/content/${id}/approve`, { token: creator.key });
  const body = { slots: [{ time: '09:00', days: ['mon'] }] };
  await creator.api('PATCH', `/accounts/${creator.accountId}`, { token: creator.session, body });
  await theirs.open('/to-schedule', 'To schedule');
  await theirs.page.getByRole('link', { name: 'For a viewer to see' }).waitFor();
  await expect.poll(() => theirs.page.getByText('The first button').count()).toBe(0);
});

it('a list becomes a deck a row; a row that is refused is corrected in place, and nothing is made twice', async () => {
  const creator = await newCreator('studio.nord');
  const { page, open, check } = await visit(browser, 'phone', { as: creator });
  await open('/posts', 'Posts');
  await openSheet(page);
  const sheet = sheetOf(page);
  await sheet.getByRole('radio', { name: 'Several topics' }).check();
  await sheet.getByText('Only a text model writes about a topic.').waitFor();
  const csv = 'Hook;slideCount;externalId\nFarne für Anfänger;3;row-1\nFerns again;99;row-2\n';
  await sheet.getByLabel('CSV file').setInputFiles({
    name: 'decks.csv',
    mimeType: 'text/csv',
    // As Excel saves it.
    buffer: Buffer.from(csv, 'latin1'),
  });
  const list = sheet.getByLabel('Topics', { exact: true });
  await expect.poll(() => list.inputValue()).toBe(csv);
  await sheet.getByRole('button', { name: 'Make the decks' }).click();
  await sheet.getByText('Row 2: brief.slideCount').waitFor();
  await check('New deck list');
  await list.fill(csv.replace('99', '4'));
  await sheet.getByRole('button', { name: 'Make the decks' }).click();
  await sheet.waitFor({ state: 'detached' });
  for (const [row, slideCount] of [
    ['row-1', 3],
    ['row-2', 4],
  ]) {
    const made = await creator.api<object[]>('GET', `/content?externalId=${row}`, { token: creator.key });
    expect(made.data).toMatchObject([{ brief: { slideCount } }]);
  }
});
