/** How soon a deck is seen on a slow connection, and how often its slides are loaded. */

import { perSuite } from '@hookline/testing/per-suite';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { decide, deckOf, launch, visit } from './src/browser.ts';
import { newCreator, writeDeck } from './src/person.ts';

const browser = perSuite(launch);

/**
 * A preset of Chromium's own tools, and how soon the first slide is to be seen. On a slower one the bytes of the
 * first screen decide, which `npm run check` counts.
 */
const network = { name: 'Fast 3G', kbits: 1_440, latency: 150, seenMs: 2_500 };

/** What the page takes here with nothing in its way. The goals are of a machine that does nothing else. */
const quietMs = 300;

async function slowDown(page: Page): Promise<void> {
  const { kbits, latency } = network;
  const devtools = await page.context().newCDPSession(page);
  const throughput = { downloadThroughput: kbits * 125, uploadThroughput: kbits * 125 };
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', { offline: false, latency, ...throughput });
}

/** When a picture of a slide, small or whole, was first painted, in ms after the page was asked for. */
function paintedAt(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>(resolve => {
        new PerformanceObserver(list => {
          const paints = list.getEntries() as (PerformanceEntry & { url: string })[];
          const slide = paints.find(({ url }) => url.includes('/media/images/'));
          if (slide) resolve(slide.startTime);
        }).observe({ type: 'largest-contentful-paint', buffered: true });
      }),
  );
}

function picturesOf(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', request => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.startsWith('/media/'))
      asked.push(`${pathname} ${searchParams.has('w') ? 'small' : 'whole'}`);
  });
  return asked;
}

describe('Approve', () => {
  it(`shows the first slide within ${network.seenMs} ms on ${network.name}`, { retry: 2 }, async () => {
    const one = await newCreator('studio.nord');
    await writeDeck(one, { hook: 'Seen on the way to work' });
    const fast = await visit(browser, 'phone', { as: one });
    await fast.page.goto('/console/approve', { waitUntil: 'commit' });
    const busyMs = Math.max(0, (await paintedAt(fast.page)) - quietMs);
    await fast.end();

    const { page, end } = await visit(browser, 'phone', { as: one });
    const pictures = picturesOf(page);
    await slowDown(page);
    await page.goto('/console/approve', { waitUntil: 'commit' });
    const seenMs = (await paintedAt(page)) - busyMs;
    await decide(page, 'Approve').click({ trial: true });
    // The small one comes first, then the whole one, then the others.
    expect(pictures.slice(0, 3).map(picture => picture.split(' ')[1])).toEqual(['small', 'whole', 'whole']);
    expect(pictures[0]?.split(' ')[0]).toBe(pictures[1]?.split(' ')[0]);
    await end();
    expect(seenMs).toBeLessThan(network.seenMs);
  });

  it('loads each slide once, whatever arrives meanwhile and whatever its link is by then', async () => {
    const one = await newCreator('studio.nord');
    await writeDeck(one, { hook: 'Looked at for long' });
    const { page, open } = await visit(browser, 'desktop', { as: one });
    const pictures = picturesOf(page);
    await open('/approve', 'Approve');
    await decide(page, 'Approve').click({ trial: true });
    await expect.poll(() => pictures.length).toBeGreaterThan(2);
    // As the server signs in the next hour.
    await page.route(/\/content\?.*approvalStatus=pending/, async route => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll(/\?e=(\d+)/g, (_, at) => `?e=${Number(at) + 3_600}`);
      await route.fulfill({ response, body });
    });
    for (const hook of ['Arrived meanwhile', 'Arrived later']) {
      const isRead = page.waitForResponse(/\/content\?.*approvalStatus=pending/);
      await writeDeck(one, { hook });
      await isRead;
    }
    await deckOf(page, 'Looked at for long').waitFor();
    await page.getByText(/ of 3$/).waitFor();
    expect(pictures).toEqual([...new Set(pictures)]);
  });
});

it('a deck is shown as on TikTok', async () => {
  const one = await newCreator('studio.nord');
  const deck = await writeDeck(one, { hook: 'Under the buttons of TikTok' });
  const { page, open, check } = await visit(browser, 'phone', { as: one });
  await open('/approve', 'Approve');
  await decide(page, 'Approve').click({ trial: true });
  await page.getByRole('button', { name: 'As on TikTok' }).click();
  const handle = page.getByText('@studio.nord', { exact: true }).filter({ visible: true });
  await handle.waitFor();
  const next = page.getByRole('button', { name: 'Next slide' });
  await next.click();
  await page.getByRole('button', { name: 'Previous slide' }).waitFor();
  await check('Approve as on TikTok');
  // The browser keeps the choice.
  await open(`/posts/${deck.id}`, 'Post');
  await handle.waitFor();
  await check('Post as on TikTok');
  await open(`/posts/${deck.id}/edit`, 'Edit');
  await handle.waitFor();
  await check('Edit as on TikTok');
  await page.getByRole('button', { name: 'As on TikTok' }).click();
  await handle.waitFor({ state: 'hidden' });
});
