/** A workspace with more decks than anybody looks at in a day. */

import { perSuite } from '@hookline/testing/per-suite';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { decide, deckOf, launch, refusal, refuse, visit } from './src/browser.ts';
import { copyDeck, newCreator, writeDeck } from './src/person.ts';

/** A decision can be taken back this long; the pages' clock is moved over it. */
const undoMs = 5_000;

const browser = perSuite(launch);

/** Printed and not judged: it depends on what else the machine does. */
function paintMs(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>(resolve => {
        const observer = new PerformanceObserver(list => {
          resolve(Math.round(list.getEntries().at(-1)?.startTime ?? 0));
          observer.disconnect();
        });
        observer.observe({ type: 'largest-contentful-paint', buffered: true });
      }),
  );
}

it('1,000 decks that wait are read around the one on screen, however many were skipped', async () => {
  const one = await newCreator('studio.nord');
  const newest = await writeDeck(one, { hook: 'The newest of a thousand' });
  await copyDeck(newest.id, 999);
  const { page, open } = await visit(browser, 'desktop', { as: one });
  const queueReads = new Set<string>();
  let requests = 0;
  let timelines = 0;
  page.on('request', request => {
    if (/\/content\?.*approvalStatus=pending/.test(request.url())) queueReads.add(request.url());
    if (/\/timeline$/.test(request.url())) timelines += 1;
    else if (request.url().includes('/console/api/')) requests += 1;
  });
  await page.clock.install();
  await open('/approve', 'Approve');
  await deckOf(page, 'The newest of a thousand').waitFor();
  await page.getByText('1 of 1000').waitFor();
  expect(queueReads.size).toBe(1);
  console.log(`Approve with 1,000 decks: largest contentful paint after ${await paintMs(page)} ms`);
  const pictures = page.getByRole('img', { name: /^Slide/ });
  expect(await pictures.count()).toBe(newest.images.length);

  const slowForward = await skip(page, 'Next deck', 50);
  await deckOf(page, 'Deck 50').waitFor();
  await page.getByText('51 of 1000').waitFor();
  queueReads.clear();
  await decide(page, 'Approve').click();
  // The next decision can be taken at once.
  const toast = page.getByRole('status').filter({ hasText: 'Approved' });
  const { x = 0, width = 0 } = (await toast.boundingBox()) ?? {};
  const button = await decide(page, 'Reject').boundingBox();
  expect(x + width).toBeLessThan(button?.x ?? 0);
  await page.clock.fastForward(undoMs);
  await deckOf(page, 'Deck 51').waitFor();
  await page.getByText('51 of 999').waitFor();
  // The three pages that are kept and at most two more ahead, not all that were read to get here.
  expect(queueReads.size).toBeLessThanOrEqual(5);
  expect(await pictures.count()).toBe(newest.images.length);
  const slowBack = await skip(page, 'Previous deck', 50);
  await deckOf(page, 'The newest of a thousand').waitFor();
  await page.getByText('1 of 999').waitFor();
  // Half of what a session has in a minute: with a timeline for each deck it was over 120, and was refused.
  expect(requests).toBeLessThan(50);
  await page.setViewportSize({ width: 390, height: 844 });
  const badge = page.getByRole('navigation').getByText('999', { exact: true });
  expect((await badge.boundingBox())?.height).toBeLessThan(20);
  // Of the decks that were looked at, and of each that a slow machine showed for long.
  expect(timelines).toBeLessThan(10 + slowForward + slowBack);
});

it('a queue that cannot be read further says why, and is read again when the server allows it', async () => {
  const one = await newCreator('studio.nord');
  const newest = await writeDeck(one, { hook: 'The newest of twenty' });
  await copyDeck(newest.id, 19);
  const { page, open } = await visit(browser, 'phone', { as: one });
  let isRefused = true;
  await page.route('**/console/api/v1/content?*cursor=*', route =>
    isRefused ? refuse(route) : route.continue(),
  );
  await page.clock.install();
  await open('/approve', 'Approve');
  await page.getByText('1 of 20').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  await skip(page, 'Next deck', 9);
  await page.getByRole('alert').getByText(refusal).waitFor();
  isRefused = false;
  await page.clock.fastForward(24_000);
  await skip(page, 'Next deck', 10);
  await page.getByText('20 of 20').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});

/** @returns number of decks that were on screen for nearly as long as it takes to read their timeline */
function skip(page: Page, button: string, count: number): Promise<number> {
  return page.evaluate(
    async ([name, times]) => {
      let slow = 0;
      let clickedAtMs = performance.now();
      for (let left = times; left > 0; ) {
        const found = document.querySelector<HTMLButtonElement>(`button[aria-label="${name}"]`);
        if (found && !found.disabled) {
          found.click();
          left -= 1;
          if (performance.now() - clickedAtMs > 200) slow += 1;
          clickedAtMs = performance.now();
        }
        await new Promise(requestAnimationFrame);
      }
      return slow;
    },
    [button, count] as const,
  );
}
