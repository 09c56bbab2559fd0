/** Posting from a phone, for a workspace without an app at TikTok. */
import { perSuite } from '@hookline/testing/per-suite';
import { expect, it } from 'vitest';
import { launch, visit } from './src/browser.ts';
import { newCreator, writeDeck } from './src/person.ts';

const browser = perSuite(launch);

it('a phone account is added, and what is due for it is shared, put off, and reported as posted', async () => {
  const creator = await newCreator();
  const { api, key } = creator;
  const { page, open, check } = await visit(browser, 'phone', { as: creator });
  await open('/accounts', 'Accounts');
  await page.getByLabel('Name of the account').fill('👩‍🌾 Nord');
  await page.getByRole('button', { name: 'Add phone account' }).click();
  await page.getByRole('heading', { name: '👩‍🌾 Nord' }).waitFor();
  await page.getByText('👩‍🌾', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Name and slots' }).click();
  await page.getByRole('dialog').getByLabel('Name of the account').fill('Studio Süd');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Studio Süd' }).waitFor();
  await check('Accounts with a phone');

  const hook = 'Three stones a day';
  const deck = await writeDeck(creator, { hook });
  await api('POST', `/content/${deck.id}/approve`, { token: key, body: {} });
  const { data: accounts } = await api<{ id: string; kind: string }[]>('GET', '/accounts', { token: key });
  const phone = accounts.find(({ kind }) => kind === 'phone');
  const made = await api<{ id: string; status: string }>('POST', '/schedules', {
    token: key,
    body: { contentId: deck.id, tiktokAccountId: phone?.id },
  });
  expect(made.data.status).toBe('due');
  const { id } = made.data;
  const read = async () =>
    (
      await api<{ status: string; platformPostUrl: string | null }>('GET', `/schedules/${id}`, {
        token: key,
      })
    ).data;

  // The browser of the test has no sheet to share with: what the page hands over is kept instead.
  await page.addInitScript(() => {
    Object.assign(navigator, {
      canShare: () => true,
      share: async ({ files, text }: { files: File[]; text: string }) => {
        const shared = files.map(({ name, size, type }) => [name, size > 10_000, type]);
        Object.assign(globalThis, { shared: { shared, text } });
      },
    });
  });
  await open('/calendar', 'Calendar');
  await page.getByText('Due on your phone').waitFor();
  await api('POST', '/automations', {
    token: key,
    body: {
      appId: creator.appId,
      tiktokAccountId: phone?.id,
      format: 'slideshow',
      postingTimes: [{ time: '09:00', days: ['mon'] }],
    },
  });
  await open('/automations', 'Automations');
  await page.getByText('From a phone').waitFor();
  await page.getByRole('button', { name: 'New automation' }).click();
  const plan = page.getByRole('dialog', { name: 'New automation' });
  await plan.getByLabel('Account').selectOption('Studio Süd');
  await plan.getByText('you get a mail, and post it from your phone').waitFor();
  expect(await plan.getByLabel('Directly to the profile').count()).toBe(0);
  await plan.getByRole('button', { name: 'Cancel' }).click();
  await open('/posts', 'Posts');
  await page.getByRole('link', { name: '1 post is due on your phone' }).click();
  await page.getByRole('heading', { level: 1, name: 'Post it from your phone' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Share slides' }).click();
  await expect
    .poll(() => page.evaluate(() => (globalThis as { shared?: { shared: unknown } }).shared?.shared))
    .toEqual(deck.images.map(({ index }) => [`0${index}.jpg`, true, 'image/jpeg']));
  const archive = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Save slides' }).click();
  expect((await archive).suggestedFilename()).toBe(`${deck.id}.zip`);
  await check('Due');

  await page.getByRole('button', { name: 'In an hour' }).click();
  await page.getByRole('heading', { level: 1, name: 'Posts' }).waitFor();
  expect((await read()).status).toBe('pending');
  const url = 'https://www.tiktok.com/@studio.nord/photo/7543210987654321098';
  await open(`/due/${id}`, 'Post it from your phone');
  await page.getByLabel('Link to the post').fill(url);
  await page.getByRole('button', { name: 'Posted' }).click();
  await page.getByRole('heading', { level: 1, name: 'Posts' }).waitFor();
  expect(await read()).toMatchObject({ status: 'sent', platformPostUrl: url });

  const slots = [{ time: '18:00', days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] }];
  await api('PATCH', `/accounts/${phone?.id}`, { token: creator.session, body: { slots } });
  const planned = await writeDeck(creator, { hook: 'Five stones a day' });
  await api('POST', `/content/${planned.id}/approve`, { token: key, body: {} });
  await open('/to-schedule', 'To schedule');
  await page.getByRole('button', { name: /^Schedule .* Studio Süd$/ }).click();
  await page.getByText(/^Due on your phone \w{3},? \d/).waitFor();

  // Edited while somebody posts it: what is out is the version that was due.
  const edited = await writeDeck(creator, { hook: 'Four stones a day' });
  await api('POST', `/content/${edited.id}/approve`, { token: key, body: {} });
  const other = await api<{ id: string }>('POST', '/schedules', {
    token: key,
    body: { contentId: edited.id, tiktokAccountId: phone?.id },
  });
  await api('PATCH', `/content/${edited.id}`, { token: key, body: { caption: 'Edited.' } });
  await open(`/due/${other.data.id}`, 'Post it from your phone');
  await page.getByText('Not to be posted').waitFor();
  await page.getByRole('button', { name: 'Version 1 is posted' }).click();
  await page.getByRole('heading', { level: 1, name: 'Posts' }).waitFor();
  const { data } = await api<object>('GET', `/schedules/${other.data.id}`, { token: key });
  expect(data).toMatchObject({ status: 'sent', contentVersion: 1 });
});
