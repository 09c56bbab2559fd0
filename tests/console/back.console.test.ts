/** Back closes what is open, and leaves the page only where nothing is. */
import { perSuite } from '@hookline/testing/per-suite';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Prepared } from '../lab/kit/clients/api.ts';
import { decide, launch, visit } from './src/browser.ts';
import { newCreator, writeDeck } from './src/person.ts';

const browser = perSuite(launch);
let creator: Prepared;

beforeAll(async () => {
  creator = await newCreator('studio.nord');
  await writeDeck(creator, { hook: 'Behind a dialog' });
});

/** The step of what was open is gone a moment later. */
async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => history.state.isExtra !== true);
}

describe('Back', () => {
  it('closes a dialog, then leaves; a dialog that was cancelled leaves no step', async () => {
    const { page, go, open } = await visit(browser, 'phone', { as: creator });
    await open('/posts', 'Posts');
    await go('Approve');
    const dialog = page.getByRole('dialog');
    const reject = decide(page, 'Reject');
    for (const close of [() => page.goBack(), () => page.keyboard.press('Escape'), () => page.goBack()]) {
      await reject.click();
      await dialog.waitFor();
      await close();
      await dialog.waitFor({ state: 'detached' });
      expect(new URL(page.url()).pathname).toBe('/console/approve');
      await settled(page);
    }
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Posts' }).waitFor();
    await page.goForward();
    await page.getByRole('heading', { level: 1, name: 'Approve' }).waitFor();
  });

  it('closes the menu; a page chosen in it is one step, and the menu stays closed', async () => {
    const { page, go, open } = await visit(browser, 'phone', { as: creator });
    await open('/posts', 'Posts');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1, name: 'Posts' }).waitFor();
    await go('Members');
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Posts' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.goForward();
    await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
  });

  it('goes from one dialog to the next with one step, and keeps what is shown once', async () => {
    const { page, go, open } = await visit(browser, 'desktop', { as: creator });
    await open('/posts', 'Posts');
    await go('Members');
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('Email').fill('somebody.new@example.com');
    await page.getByRole('button', { name: 'Invite' }).click();
    const secret = page.getByRole('dialog');
    await secret.waitFor();
    await page.goBack();
    await page.waitForTimeout(300);
    expect(await secret.isVisible()).toBe(true);
    await secret.getByRole('button').last().click();
    await secret.waitFor({ state: 'detached' });
    await settled(page);
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Posts' }).waitFor();
  });

  it('closes the dialog of a page that was loaded again without a step of its own', async () => {
    const { page, go, open } = await visit(browser, 'desktop', { as: creator });
    await open('/posts', 'Posts');
    await go('Approve');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.reload();
    await decide(page, 'Reject').click({ trial: true });
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Posts' }).waitFor();
  });
});
