/** An app is a page: its pictures, its brand and its listing, from a store link or by hand. */
import { perSuite } from '@hookline/testing/per-suite';
import { tinyPng } from '@hookline/testing/tiny-png';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { launch, visit } from './src/browser.ts';
import { addApp, invite, newCreator, newPerson } from './src/person.ts';

const browser = perSuite(launch);

const png = (name: string, grey: number) => ({ name, mimeType: 'image/png', buffer: tinyPng(grey) });
const pictures = (page: Page) => page.getByRole('list', { name: 'Pictures' }).getByRole('listitem');

it('a store link becomes an app, whose page has an address', async () => {
  const person = await newPerson();
  const { page, check, open } = await visit(browser, 'phone', { as: person });
  await open('/apps', 'Apps');
  await page.getByLabel('Store link').fill('https://example.com/pebblo');
  await page.getByLabel('App name').fill('Pebblo');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('We found no app at this link').waitFor();
  await page.getByLabel('Store link').fill('https://apps.apple.com/us/app/pebblo/id9990000011');
  await page.getByRole('button', { name: 'Create' }).click();
  const heading = page.getByRole('heading', { level: 1, name: 'Pebblo', exact: true });
  await heading.waitFor();
  await check('App');
  await page.reload();
  await heading.waitFor();
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Apps' }).waitFor();
  await page.getByRole('button', { name: 'Add an app' }).click();
  await page.getByRole('dialog', { name: 'Add an app' }).getByLabel('Store link').waitFor();
  await check('Apps add');
  await page.goBack();
  await page.getByRole('link', { name: /^Pebblo/ }).click();
  await heading.waitFor();
});

it('an app that is in no store is described by hand', async () => {
  const person = await newPerson();
  const { page, check, open } = await visit(browser, 'desktop', { as: person });
  await open('/apps', 'Apps');
  await page.getByRole('radio', { name: 'By hand' }).check();
  await page.getByLabel('App name').fill('Fernly');
  await page.getByLabel('Description').fill('Too short');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Description must be a text of 50 to 10000 characters').waitFor();
  await page
    .getByLabel('Description')
    .fill('A diary for balcony gardens that tells what to water and when to bring the pots inside.');
  await page.getByLabel('Features').fill('- Remind to water\n- Warn of frost');
  await check('Apps by hand');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { level: 1, name: 'Fernly' }).waitFor();
  await page.getByText('A diary for balcony gardens').waitFor();
});

it('pictures are uploaded, become the logo and are deleted', async () => {
  const one = await newCreator('studio.nord');
  const { api, key } = one;
  const id = await addApp(one);
  expect(id).not.toBe(one.appId);
  const { page, check, open } = await visit(browser, 'desktop', { as: one });
  await open(`/apps/${id}`, 'Fernly');
  await page.getByText('Photo and screenshot decks need at least one').waitFor();
  await page
    .getByLabel('Add pictures')
    .setInputFiles([
      png('stones.png', 40),
      { name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('no picture') },
      png('fern.png', 200),
    ]);
  await page.getByRole('alert').getByText('notes.png was not added').waitFor();
  await expect.poll(() => pictures(page).count()).toBe(2);
  await check('App pictures');
  await page.getByRole('button', { name: 'Picture 1' }).click();
  await check('App picture');
  await page.getByRole('button', { name: 'Use as logo' }).click();
  await pictures(page).first().getByText('Logo', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Picture 2' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => pictures(page).count()).toBe(1);
  const { data } = await api<{ id: string }[]>('GET', `/apps/${id}/pictures`, { token: key });
  const app = await api<object>('GET', `/apps/${id}`, { token: key });
  expect(app.data).toMatchObject({ brand: { logoImageId: data[0]?.id } });
});

it('a picture that is dropped on the page is added', async () => {
  const one = await newCreator('studio.nord');
  const { page, open } = await visit(browser, 'desktop', { as: one });
  await open(`/apps/${one.appId}`, 'Pebblo');
  const dropped = await page.evaluateHandle(
    bytes => {
      const held = new DataTransfer();
      held.items.add(new File([new Uint8Array(bytes)], 'dropped.png', { type: 'image/png' }));
      return held;
    },
    [...tinyPng(90)],
  );
  const target = page.getByText('Or drop them here');
  await target.dispatchEvent('dragover', { dataTransfer: dropped });
  await target.dispatchEvent('drop', { dataTransfer: dropped });
  await expect.poll(() => pictures(page).count()).toBe(1);
});

it('the brand is set, and a refusal is told at its field', async () => {
  const one = await newCreator('studio.nord');
  const { api, key, appId } = one;
  const { page, check, open } = await visit(browser, 'phone', { as: one, dark: true });
  await open(`/apps/${appId}`, 'Pebblo');
  await page.getByLabel('Own colours').check();
  await page.getByLabel('Background').fill('#777777');
  await page.getByLabel('Accent').fill('#888888');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/^Colours must/).waitFor();
  await page.getByLabel('Background').fill('#102a43');
  await page.getByLabel('Accent').fill('#ffd166');
  await page.getByLabel('Handle').fill('@pebblo.app');
  await page.getByLabel('Fonts').selectOption('Manrope');
  await page.getByLabel('Words to avoid').fill('hack\ncheap');
  await check('App brand');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The brand is saved.').waitFor();
  expect((await api<object>('GET', `/apps/${appId}`, { token: key })).data).toMatchObject({
    name: 'Pebblo',
    brand: {
      colors: ['#102a43', '#ffd166'],
      handle: '@pebblo.app',
      fonts: 'manrope',
      avoidWords: ['hack', 'cheap'],
      logoImageId: null,
      voice: null,
    },
  });
});

it('what somebody else changed meanwhile stays, though the form shows what was before', async () => {
  const one = await newCreator('studio.nord');
  const { api, key, appId } = one;
  const { page, open } = await visit(browser, 'desktop', { as: one });
  await open(`/apps/${appId}`, 'Pebblo');
  await page.getByLabel('Words to avoid').fill('hack');
  const read = page.waitForResponse(new RegExp(`/apps/${appId}$`));
  await api('PATCH', `/apps/${appId}`, { token: key, body: { brand: { handle: '@pebblo.app' } } });
  await read;
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The brand is saved.').waitFor();
  const { data } = await api<{ brand: object }>('GET', `/apps/${appId}`, { token: key });
  expect(data.brand).toMatchObject({ handle: '@pebblo.app', avoidWords: ['hack'] });
  expect(await page.getByLabel('Handle').inputValue()).toBe('@pebblo.app');
  expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
});

it('what an editor changed is marked on the page until somebody who may approve accepts it', async () => {
  const one = await newCreator('studio.nord');
  const { api, key, appId } = one;
  const editor = await invite(one, 'editor');
  const theirs = await visit(browser, 'phone', { as: editor });
  await theirs.open(`/apps/${appId}`, 'Pebblo');
  await theirs.page.getByLabel('Add pictures').setInputFiles([png('fern.png', 200)]);
  await pictures(theirs.page).getByText('Not reviewed').waitFor();
  await theirs.check('App not reviewed');
  expect(await theirs.page.getByText('Changed in the app').count()).toBe(0);
  await theirs.end();

  const mine = await visit(browser, 'desktop', { as: one });
  await mine.open(`/apps/${appId}`, 'Pebblo');
  await mine.page.getByRole('button', { name: 'Accept this change' }).click();
  await expect.poll(() => pictures(mine.page).getByText('Not reviewed').count()).toBe(0);
  const read = await api<{ unreviewed: object[] }>('GET', `/apps/${appId}`, { token: key });
  expect(read.data.unreviewed).toEqual([]);
});
