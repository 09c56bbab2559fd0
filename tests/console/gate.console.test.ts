/** What an agent changed, or one person alone, is in front of somebody who may accept it. */
import { scopes } from '@hookline/shared/contracts/scopes';
import { perSuite } from '@hookline/testing/per-suite';
import { fileForm, tinyPng } from '@hookline/testing/tiny-png';
import { describe, expect, it } from 'vitest';
import { newAutomation } from '../lab/kit/clients/api.ts';
import { decide, deckOf, launch, visit } from './src/browser.ts';
import { invite, newCreator, writeDeck } from './src/person.ts';

const browser = perSuite(launch);

describe('what an agent changed in an app', () => {
  it('is beside the deck, and accepted there', async () => {
    const one = await newCreator('studio.nord');
    const { api, session, appId } = one;
    const agent = await api<{ key: string }>('POST', '/keys', {
      token: session,
      body: { name: 'Claude', scopes: scopes.filter(scope => scope !== 'content:approve') },
    });
    const token = agent.data.key;
    const headers = { 'idempotency-key': `picture-${appId}` };
    await api('POST', `/apps/${appId}/pictures`, { token, headers, body: fileForm(tinyPng()) });
    await writeDeck(one, { hook: 'Of an app that was changed' });
    const { page, open, check } = await visit(browser, 'phone', { as: one });
    const isRead = Promise.withResolvers<void>();
    await page.route('**/pictures?*', async route => {
      await isRead.promise;
      await route.continue();
    });
    await open('/approve', 'Approve');
    const review = deckOf(page, 'Of an app that was changed').getByRole('region', {
      name: 'Changed in the app',
    });
    const accept = review.getByRole('button', { name: 'Accept' });
    await accept.waitFor();
    expect(await accept.isDisabled()).toBe(true);
    isRead.resolve();
    await review.getByRole('img', { name: 'Picture' }).waitFor();
    await expect.poll(() => accept.isEnabled()).toBe(true);
    // While somebody looks at the deck.
    const avoidWords = Array.from({ length: 50 }, (_, index) => `claim ${index}`);
    await api('PATCH', `/apps/${appId}`, { token, body: { brand: { avoidWords } } });
    const words = review.getByText('claim 49');
    await words.focus();
    await page.keyboard.press('End');
    await expect.poll(() => words.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
    await api('PATCH', `/apps/${appId}`, { token, body: { brand: { handle: '@pebblo.app' } } });
    await review.getByText('@pebblo.app').waitFor();
    expect(await review.getByRole('listitem').allTextContents()).toEqual([
      expect.stringMatching(/^Handle@pebblo\.appby the key Claude$/),
      expect.stringMatching(/^Words to avoid.*claim 49by the key Claude$/),
      expect.stringMatching(/^Pictureby the key Claude$/),
    ]);
    await decide(page, 'Approve').click({ trial: true });
    await check('Approve app review');
    await review.getByRole('button', { name: 'Accept 3 changes' }).click();
    await review.waitFor({ state: 'hidden' });
    const read = await api<{ unreviewed: object[] }>('GET', `/apps/${appId}`, { token });
    expect(read.data.unreviewed).toEqual([]);
  });

  it('is not offered to somebody who may not accept it', async () => {
    const one = await newCreator('studio.nord');
    const editor = await invite(one, 'editor');
    const { api, session, appId } = one;
    const agent = await api<{ key: string }>('POST', '/keys', {
      token: session,
      body: { name: 'Claude', scopes: ['apps:read', 'apps:write'] },
    });
    await api('PATCH', `/apps/${appId}`, {
      token: agent.data.key,
      body: { brand: { handle: '@pebblo.app' } },
    });
    await writeDeck(one, { hook: 'Seen by an editor' });
    const { page, open } = await visit(browser, 'desktop', { as: editor });
    await open('/approve', 'Approve');
    await deckOf(page, 'Seen by an editor').waitFor();
    await page.getByText(/cannot approve/).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.getByText('Changed in the app').count()).toBe(0);
  });
});

it('an automation whose author alone stands behind it is confirmed by another person', async () => {
  const one = await newCreator('studio.nord');
  const approver = await invite(one, 'approver');
  const { api, session, key } = one;
  await api('PATCH', '/workspace', { token: session, body: { approvalPolicy: { selfApproval: false } } });
  const brief = { topic: 'Small wins before breakfast' };
  const id = await newAutomation(one, { approvalMode: 'auto', brief });
  const author = await visit(browser, 'desktop', { as: one });
  await author.open('/automations', 'Automations');
  await author.page.getByText('Needs a confirmation').waitFor();
  await author.page.getByRole('button', { name: 'Confirm', exact: true }).click();
  const dialog = author.page.getByRole('dialog', { name: 'Confirm this automation?' });
  await dialog.getByText('Small wins before breakfast').waitFor();
  await author.check('Automation confirm');
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
  await dialog.getByRole('alert').getByText('Another person must confirm').waitFor();
  await author.end();

  const other = await visit(browser, 'phone', { as: approver });
  await other.open('/automations', 'Automations');
  await other.page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await other.page.getByRole('dialog').getByRole('button', { name: 'Confirm', exact: true }).click();
  await other.page.getByText('Confirmed by approver').waitFor();
  expect(await other.page.getByText('Needs a confirmation').count()).toBe(0);
  await other.check('Automation confirmed');
  const read = await api<{ awaitsConfirmation: boolean }>('GET', `/automations/${id}`, { token: key });
  expect(read.data.awaitsConfirmation).toBe(false);
});
