/** Every screen in every width: heading, axe, CSP, nothing wider than the screen; and its picture when asked for. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Prepared } from '../lab/kit/clients/api.ts';
import { launch, visit } from './src/browser.ts';
import { invite, newCreator, newPerson, writeDeck } from './src/person.ts';

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

let browser: Browser;
let creator: Prepared;

beforeAll(async () => {
  browser = await launch();
  creator = await newCreator('studio.nord');
  const { api, key, appId, accountId } = creator;
  await writeDeck(creator);
  await invite(creator, 'editor');
  await api('POST', '/automations', {
    token: key,
    body: {
      appId,
      tiktokAccountId: accountId,
      format: 'slideshow',
      postingTimes: [{ time: '08:30', days: ['mon', 'thu'] }],
      timezone: 'Europe/Berlin',
    },
  });
  await api('POST', '/webhooks', {
    token: key,
    body: { url: 'https://example.com/hooks/hookline', events: ['schedule.published', 'schedule.failed'] },
  });
});
afterAll(() => browser.close());

describe('every screen', () => {
  it('is accessible and keeps to the CSP in both widths', { timeout: 120_000 }, async () => {
    const { open, go, check, end } = await visit(browser, 'phone', { as: creator });
    await open('/approve', 'Approve');
    await check('Approve a deck');
    for (const screen of screens) {
      await go(screen);
      await check(screen);
    }
    await end();
  });

  it('is so when the workspace is empty, in the dark', { timeout: 120_000 }, async () => {
    const { open, go, check, end } = await visit(browser, 'phone', {
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
    await end();
  });
});
