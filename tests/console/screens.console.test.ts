/** Every screen in every width: heading, axe, CSP, nothing wider than the screen; and its picture when asked for. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Prepared } from '../lab/kit/clients/api.ts';
import { type Device, launch, visit } from './src/browser.ts';
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

describe.each(['phone', 'desktop'] as const)('on a %s', (device: Device) => {
  it('every screen is accessible and keeps to the CSP', { timeout: 120_000 }, async () => {
    const { open, check, end } = await visit(browser, device, { as: creator });
    for (const screen of screens) {
      await open(`/${screen.toLowerCase()}`, screen);
      await check(screen);
    }
    await end();
  });
});

describe('an empty workspace in the dark', () => {
  it('every screen is accessible and keeps to the CSP', { timeout: 120_000 }, async () => {
    const { open, check, end } = await visit(browser, 'phone', { as: await newPerson(), dark: true });
    for (const screen of screens) {
      await open(`/${screen.toLowerCase()}`, screen);
      await check(`${screen} empty`);
    }
    await end();
  });
});
