/**
 * Every screen in every width: heading, axe, CSP, nothing wider than the screen; and
 * its picture when asked for.
 */

import { perSuite } from '@hookline/testing/per-suite';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { newAutomation, type Prepared } from '../lab/kit/clients/api.ts';
import { openAsSuperuser } from '../lab/kit/product/database.ts';
import { databaseUrlOf } from '../lab/kit/product/standalone.ts';
import { launch, visit } from './src/browser.ts';
import { findLayoutFaults } from './src/layout.ts';
import { invite, newCreator, newPerson, scheduleDeck, writeDeck } from './src/person.ts';

const screens = [
  'Calendar',
  'Posts',
  'Automations',
  'Apps',
  'Accounts',
  'Webhooks',
  'Events',
  'Keys',
  'Credits',
  'Usage',
  'Numbers',
  'Members',
  'Audit',
  'Settings',
];

const browser = perSuite(launch);
let creator: Prepared;

beforeAll(async () => {
  creator = await newCreator('studio.nord');
  const { api, key, appId } = creator;
  await writeDeck(creator);
  await invite(creator, 'editor');
  const postingTimes = [{ time: '08:30', days: ['mon', 'thu'] }];
  await newAutomation(creator, { postingTimes, timezone: 'Europe/Berlin' });
  await measure(appId);
  await api('POST', '/webhooks', {
    token: key,
    body: { url: 'https://example.com/hooks/hookline', events: ['schedule.published', 'schedule.failed'] },
  });
});

/** A video with numbers of 20 days, as the collector writes them a day at a time. */
async function measure(appId: string): Promise<void> {
  const db = openAsSuperuser(databaseUrlOf(inject('product').dataDir));
  try {
    await db.query(
      `with mine as (select account_id from content.apps where id = $1),
       made as (
         insert into analytics.published_posts
           (id, account_id, video_id, platform, platform_post_id, published_at, created_at, updated_at)
         select 'post_' || md5($1), account_id, 'stones', 'youtube', 'dQw4w9WgXcQ', now() - interval '20 days',
           now(), now() from mine returning id),
       measured as (
         select current_date - 20 + n as day, 40 * n * n + 300 * n as views, 3 * n * n as likes, 4 * n as comments
         from generate_series(0, 20) n),
       days as (insert into analytics.post_days select id, day, views, likes, comments, now() from made, measured)
       insert into analytics.daily_rollups
         select account_id, current_date - 20, 'youtube', 1, views, likes, comments from mine, measured
         where day = current_date`,
      [appId],
    );
  } finally {
    await db.close();
  }
}

describe('every screen', () => {
  it('is accessible and keeps to the CSP in both widths', { timeout: 120_000 }, async () => {
    const { open, go, check } = await visit(browser, 'phone', { as: creator, inBothWidths: true });
    await open('/approve', 'Approve');
    // With a deck it is checked where the deck is approved.
    for (const screen of screens) {
      await go(screen);
      await check(screen);
    }
  });

  it('is so when the workspace is empty, in the dark', { timeout: 120_000 }, async () => {
    const { open, go, check } = await visit(browser, 'phone', {
      as: await newPerson(),
      dark: true,
      inOwnWidth: true,
    });
    await open('/approve', 'Approve');
    await check('Approve empty');
    for (const screen of screens) {
      await go(screen);
      await check(`${screen} empty`);
    }
  });
});

const causes = [
  ['account_needs_reauth', 'account', true, 'Connect the account again', 'Connect it again'],
  ['tiktok_publish_failed', 'rate_limited', true, 'Retry once the cause', 'Retry'],
  ['tiktok_publish_failed', 'account', false, 'Schedule it for another one', 'Schedule'],
  ['tiktok_publish_failed', 'platform_rejected', false, 'Edit it, have it approved', 'Edit'],
  ['tiktok_create_failed', 'internal', false, 'Whoever runs this server', 'Schedule'],
  ['outcome_unknown', 'outcome_unknown', false, 'Look at the profile', 'Open the profile'],
] as const;

it('every screen has room on a phone for text of twice the size', { timeout: 120_000 }, async () => {
  const { context, page, open } = await visit(browser, 'phone', { as: creator });
  await page.setViewportSize({ width: 360, height: 740 });
  const session = await context.newCDPSession(page);
  await session.send('Page.setFontSizes', { fontSizes: { standard: 32 } });
  for (const screen of ['Approve', ...screens]) {
    await open(`/${screen.toLowerCase()}`, screen);
    await page.waitForFunction(() => document.querySelector('[role=status] > svg') === null);
    await expect.poll(() => findLayoutFaults(page), { message: screen, timeout: 5_000 }).toEqual([]);
  }
});

it('a post that failed says what to do about its cause, and offers it', { timeout: 120_000 }, async () => {
  const tomorrow = new Date(Date.now() + 24 * 3_600_000).toISOString();
  const { contentId } = await scheduleDeck(creator, 'Not for TikTok', tomorrow);
  const { page, open, check } = await visit(browser, 'phone', { as: creator, inOwnWidth: true });
  for (const [code, category, retryable, step, way] of causes) {
    // As if TikTok had answered so.
    const failure = { code, category, retryable, message: `It failed: ${category}.`, platformMessage: null };
    await page.route(/\/api\/v1\/schedules/, async route => {
      const response = await route.fetch();
      const { data, ...rest } = (await response.json()) as { data: { contentId: string }[] };
      const fail = (schedule: { contentId: string }) =>
        schedule.contentId === contentId ? { ...schedule, status: 'failed', failure } : schedule;
      await route.fulfill({
        response,
        json: { ...rest, data: Array.isArray(data) ? data.map(fail) : fail(data) },
      });
    });
    await open(`/posts/${contentId}`, 'Post');
    await page.getByText(step).waitFor();
    const main = page.getByRole('main');
    await main
      .getByRole('button', { name: way, exact: true })
      .or(main.getByRole('link', { name: way }))
      .waitFor();
    if (category === 'outcome_unknown') await check('Post failed');
    await page.unrouteAll({ behavior: 'wait' });
  }
});

it('a layout with a small, covered or overlapping control, or text that does not fit, has faults', async () => {
  const { page } = await visit(browser, 'phone');
  await page.setContent(`<meta name="viewport" content="width=device-width"><style>
      button, div, p { position: absolute; left: 0; margin: 0; padding: 0; width: 100px; height: 50px }
    </style>
    <button>One</button><button style="left: 90px">Other</button>
    <button style="top: 100px">Under</button><div style="top: 100px">Over</div>
    <button style="top: 200px; width: 30px">S</button>
    <p style="top: 300px; white-space: nowrap">Words that are wider than it</p>`);
  expect(await findLayoutFaults(page)).toEqual([
    'button “One” overlaps button “Other”',
    'button “Under” is covered by div “Over”',
    'button “S” is 30 × 50 px',
    'the text of p “Words that are wider than it” does not fit',
  ]);
});
