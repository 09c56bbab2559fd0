/** Sign-in with a passkey, whose authenticator is Chromium's own. */
import { perSuite } from '@hookline/testing/per-suite';
import type { Page } from 'playwright-core';
import { expect, inject, it } from 'vitest';
import { launch, signIn, visit } from './src/browser.ts';
import { newPerson } from './src/person.ts';

const browser = perSuite(launch);

async function addAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    automaticPresenceSimulation: true,
  } as const;
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options });
  return {
    know: (isUserVerified: boolean) =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  };
}

it('a passkey is added, asked for behind the password, signs in alone, is recovered and removed', {
  timeout: 120_000,
}, async () => {
  const { email, password } = await newPerson();
  const { page, context, check, open } = await visit(browser, 'desktop', { as: { email, password } });
  const authenticator = await addAuthenticator(page);
  await authenticator.know(true);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const settings = () => open('/settings#passkeys', 'Settings');
  const confirm = async (name: string, given = password) => {
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your password').fill(given);
    await dialog.getByRole('button', { name, exact: true }).click();
  };
  const signOut = async () => {
    await context.clearCookies();
    await page.goto('/console/sign-in');
  };
  const fillPassword = async () => {
    await signIn(page, { email, password });
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
  };
  const isIn = () => page.waitForURL(/\/console\/(?:approve|apps|new)/);

  await settings();
  await button('Add a passkey').click();
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Chrome on Linux');
  await page.getByText('signs you out everywhere but here').waitFor();
  await check('passkeys-add');
  await confirm('Add a passkey', 'not the password');
  await page.getByText('That password is wrong').waitFor();
  await check('passkeys-add-wrong');
  await confirm('Add a passkey');
  const shown = page.getByRole('dialog', { name: 'Your recovery codes' });
  const codes = ((await shown.locator('code').textContent()) ?? '').split('\n');
  expect(codes).toHaveLength(8);
  await check('passkeys-codes');
  const asked = page.waitForEvent('dialog');
  await page.evaluate(() => void setTimeout(() => location.reload()));
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await shown.getByRole('button').last().click();
  await page.getByText('8 recovery codes are left, shown once').waitFor();
  await page.getByRole('heading', { name: 'Two-factor (2FA) and passkeys' }).scrollIntoViewIfNeeded();
  await check('passkeys');

  await signOut();
  await check('sign-in-passkey');
  await fillPassword();
  await check('sign-in-second-factor');
  await button('Use the passkey').click();
  await isIn();

  await signOut();
  await button('Sign in with a passkey').click();
  await isIn();

  // An authenticator that does not know its owner is no proof by itself.
  await signOut();
  await authenticator.know(false);
  await button('Sign in with a passkey').click();
  await page.getByText('No passkey confirmed it').waitFor();
  await fillPassword();
  await page.getByLabel('Recovery code').fill('0000-0000-0000-0000');
  await button('Use the code').click();
  await page.getByText('The recovery code was refused').waitFor();
  await page.getByLabel('Recovery code').fill(codes[0] ?? '');
  await button('Use the code').click();
  await isIn();

  await page.getByText('Recovery codes left: 7.').waitFor();
  await button('Make new ones').click();
  await page.getByText('7 recovery codes are left').waitFor();
  await button('New recovery codes').click();
  await confirm('Make codes');
  await shown.getByRole('button').last().click();
  await page.getByText('8 recovery codes are left').waitFor();
  await button('Remove Chrome on Linux').click();
  await check('passkeys-remove');
  await confirm('Remove');
  await button('Remove Chrome on Linux').waitFor({ state: 'detached' });
  await open('/audit', 'Audit');
  const unknown = `Somebody as ${email.split('@')[0]}`;
  await page.getByText(`${unknown} failed to sign in`).first().waitFor();
  await page.getByText('the passkey or the recovery code was wrong').waitFor();
  await page.getByText(`${unknown} gave the right password, no second factor yet`).first().waitFor();
  await signOut();
  await signIn(page, { email, password });
  await isIn();
});

it('a page at another host says where passkeys work', async () => {
  const { page } = await visit(browser, 'phone');
  await page.goto(`${inject('product').url.replace('localhost', '127.0.0.1')}/console/sign-in`);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByText('Passkeys work at localhost only').waitFor();
});
