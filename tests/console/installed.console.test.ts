/** The console as an app of its own: it is installable, and opens without a connection. */
import { perSuite } from '@hookline/testing/per-suite';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { deckOf, enter, launch, visit } from './src/browser.ts';
import { newCreator, writeDeck } from './src/person.ts';

const browser = perSuite(launch);

/** The reads as the next page finds them. */
async function keptReads(page: Page): Promise<string | null> {
  return await page.evaluate(() => {
    dispatchEvent(new Event('pagehide'));
    return localStorage.getItem('hookline.reads');
  });
}

it('opens without a connection with what this person read last, and only while signed in', async () => {
  const creator = await newCreator('studio.nord');
  await writeDeck(creator, { hook: 'A private deck' });
  const { page, context, open, go } = await visit(browser, 'phone', { as: creator, installed: true });
  await open('/approve', 'Approve');
  await page.evaluate(() => caches.open('shell-of-an-earlier-build'));
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
  await go('Posts');
  await page.getByText('A private deck').waitFor();

  const kept = await page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async name => (await caches.open(name)).keys()));
    return { names, paths: requests.flat().map(({ url }) => new URL(url).pathname) };
  });
  expect(kept.names).toEqual([expect.stringMatching(/^shell-[0-9a-f]{8}$/)]);
  expect(kept.paths.length).toBeGreaterThan(10);
  expect(kept.paths.filter(path => path !== '/console/' && !path.startsWith('/console/assets/'))).toEqual([]);

  // A page that reads other things leaves these.
  await open('/members', 'Members');
  await context.setOffline(true);
  await page.goto('/console/posts');
  await page.getByText('A private deck').waitFor();
  await page.getByText('You are offline').waitFor();
  await page.goto('/console/approve');
  await deckOf(page, 'A private deck').waitFor();
  await page.getByText('1 of 1', { exact: true }).waitFor();
  await page.goto('/console/calendar');
  await page.getByRole('heading', { level: 1, name: 'Calendar' }).waitFor();
  await go('Members');

  await context.setOffline(false);
  const other = await newCreator();
  await enter(context, other);
  await open('/posts', 'Posts');
  await page.getByText('No deck yet').waitFor();
  await context.setOffline(true);
  await page.goto('/console/posts');
  await page.getByText('You are offline').waitFor();
  await page.getByText('No deck yet').waitFor();
  expect(await page.getByText('A private deck').count()).toBe(0);

  await context.setOffline(false);
  await open('/posts', 'Posts');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  await page.reload();
  expect(await keptReads(page)).toBeNull();
});

it('has a manifest that the browser takes without an error', async () => {
  const { page, context, open } = await visit(browser, 'phone', {
    as: await newCreator(),
    installed: true,
  });
  await open('/approve', 'Approve');
  const protocol = await context.newCDPSession(page);
  const { url, errors, data } = await protocol.send('Page.getAppManifest');
  expect([url.replace(/.*\/console/, ''), errors]).toEqual(['/manifest.webmanifest', []]);
  const { icons, start_url } = JSON.parse(data ?? '{}') as { icons: { src: string }[]; start_url: string };
  expect(start_url).toBe('/console/approve');
  for (const { src } of icons) {
    const answer = await page.request.get(`/console/${src}`);
    expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'image/png']);
  }
});
