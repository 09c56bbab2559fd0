/** What the management screens do, from the first click to what a caller of the API sees of it. */

import { readFileSync } from 'node:fs';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { beforeAll, expect, inject, it } from 'vitest';
import { type Client, connectCreator, newAutomation, type Prepared } from '../lab/kit/clients/api.ts';
import { openAsSuperuser } from '../lab/kit/product/database.ts';
import { databaseUrlOf } from '../lab/kit/product/standalone.ts';
import { startWebhookReceiver } from '../lab/kit/servers/webhook-receiver.ts';
import { choose, launch, signIn, visit } from './src/browser.ts';
import { copyDeck, newCreator, newPerson, scheduleDeck, writeDeck } from './src/person.ts';

const browser = perSuite(launch);
let owner: Client;
let creator: Prepared;

beforeAll(async () => {
  owner = await newPerson();
  creator = await newCreator('studio.nord');
});

it('a key is minted by preset, copied, used and revoked', async () => {
  const { page, context, go, check } = await visit(browser, 'phone');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/console/keys');
  await signIn(page, owner);
  await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
  await page.getByRole('radio', { name: 'Agent' }).check();
  await page.getByLabel('Name').fill('For the agent');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  // It is shown once: only its button closes it. The second Escape in a row closes a dialog without asking.
  const shown = page.getByRole('dialog', { name: 'Your new key' });
  await shown.locator('code').hover();
  await page.mouse.down();
  await page.mouse.move(5, 5);
  await page.mouse.up();
  await page.mouse.click(5, 5);
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('Escape');
  await expect.poll(() => shown.isVisible()).toBe(true);
  await check('Keys shown once');
  const key = await page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole('button', { name: 'I have stored it' }).click();
  const read = await owner.api('GET', '/apps', { token: key });
  expect(read.status).toBe(200);
  const approved = await owner.api('POST', '/content/content_none/approve', { token: key, body: {} });
  expect(approved.error?.code).toBe('missing_scope');

  const row = page.getByRole('listitem').filter({ hasText: 'For the agent' });
  await row.getByRole('button', { name: 'Revoke' }).click();
  const dialog = page.getByRole('dialog');
  await check('Keys revoke');
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await row.getByText('Revoked').waitFor();
  expect((await owner.api('GET', '/apps', { token: key })).error?.code).toBe('key_revoked');
  await go('Audit');
  const entry = page
    .getByRole('listitem')
    .filter({ hasText: 'revoked a key' })
    .filter({ hasText: 'For the agent' })
    .first();
  await entry.waitFor();
  await page.getByLabel('What').selectOption('Sign-ins');
  await entry.waitFor({ state: 'detached' });
  await page.getByLabel('What').selectOption('Keys');
  await page.getByLabel('Who').selectOption('For the agent');
  await page.getByText('Nothing is logged yet').waitFor();
  await page.getByLabel('Who').selectOption('Everybody');
  await entry.getByText('revoked a key').click();
  await entry.getByText('key.revoked').waitFor();
});

it('a key is revoked with what it made, and what a revoked key made is stopped later', async () => {
  const { api, session, key } = creator;
  const scopes = ['webhooks:write'];
  const mint = async (name: string) => {
    const made = await api<{ id: string; key: string }>('POST', '/keys', {
      token: session,
      body: { name, scopes },
    });
    const webhook = await api<{ id: string }>('POST', '/webhooks', {
      token: made.data.key,
      body: { url: 'https://example.com/hooks', events: ['schedule.failed'] },
    });
    return { keyId: made.data.id, webhookId: webhook.data.id };
  };
  const stateOf = async (id: string) => {
    const { data } = await api<{ id: string; status: string }[]>('GET', '/webhooks', { token: key });
    return data.find(webhook => webhook.id === id)?.status;
  };
  const leaked = await mint('Leaked');
  const former = await mint('Revoked before');
  await api('DELETE', `/keys/${former.keyId}`, { token: session });
  expect(await stateOf(former.webhookId)).toBe('enabled');

  const { page, check, open } = await visit(browser, 'desktop', { as: creator });
  await open('/keys', 'Keys');
  const rowOf = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  const dialog = page.getByRole('dialog');
  await rowOf('Leaked').getByRole('button', { name: 'Revoke' }).click();
  await dialog.getByLabel('Stop what it made too').check();
  await check('Keys revoke with work');
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await rowOf('Leaked').getByText('Revoked').waitFor();
  expect(await stateOf(leaked.webhookId)).toBe('disabled');
  // Of the other key nothing was stopped.
  expect(await stateOf(former.webhookId)).toBe('enabled');

  await rowOf('Revoked before').getByRole('button', { name: 'Stop what it made' }).click();
  await dialog.getByText('disables 1 webhook').waitFor();
  expect(await dialog.getByLabel('Stop what it made too').isChecked()).toBe(true);
  await dialog.getByRole('button', { name: 'Stop what it made' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await stateOf(former.webhookId)).toBe('disabled');
});

it('somebody is invited, joins through the link and gets another role', async () => {
  const { page, check, open } = await visit(browser, 'desktop', { as: owner });
  const name = `Ben ${Date.now()}`;
  const email = `${name.replace(' ', '-')}@example.com`;
  await open('/members', 'Members');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Role', { exact: true }).selectOption('viewer');
  await page.getByRole('button', { name: 'Invite' }).click();
  const link = (await page.getByRole('dialog').locator('code').textContent()) as string;
  await check('Members invited');
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByRole('list', { name: 'Open invitations' }).getByText(email).waitFor();

  const guest = await visit(browser, 'desktop');
  await guest.page.goto(link);
  await guest.check('Invitation');
  await guest.page.getByLabel('Name').fill(name);
  await guest.page.getByLabel('Password', { exact: true }).fill('a long enough password');
  await guest.page.getByRole('button', { name: 'Join' }).click();
  await guest.page.getByRole('heading', { level: 1, name: 'Approve' }).waitFor();
  await guest.go('Keys');
  await expect.poll(() => guest.page.getByRole('button', { name: 'Create' }).count()).toBe(0);
  await guest.check('Keys viewer');

  await page.reload();
  await page.getByLabel(`Role of ${name}`).selectOption('editor');
  // Nothing changes before the answer: the arrow keys go through every role on the way to one.
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect(await page.getByLabel(`Role of ${name}`).inputValue()).toBe('viewer');
  await page.getByLabel(`Role of ${name}`).selectOption('editor');
  await page.getByRole('dialog').getByRole('button', { name: 'Change the role' }).click();
  await page.getByText('The role is changed.').waitFor();
  await guest.page.reload();
  await guest.page.getByRole('button', { name: 'Create' }).waitFor();
  await guest.page.goto(link);
  await guest.page.getByRole('button', { name: 'Join' }).click();
  await guest.page.getByText('This link is unknown, used, withdrawn or older than 7 days').waitFor();
});

it('an account is connected at TikTok and shows in the console', async () => {
  const person = await newPerson();
  const { page, check, open } = await visit(browser, 'desktop', { as: person });
  await open('/accounts', 'Accounts');
  await page.getByRole('button', { name: 'Connect' }).click();
  await page
    .getByRole('button', { name: /^Continue as/ })
    .first()
    .click();
  await page.getByRole('button', { name: /^Connect to/ }).click();
  // It leads back without a click.
  await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
  await page.getByText('Connected', { exact: true }).waitFor();
  await check('Accounts connected');
});

it('a text model is connected by its key, tested, refused in the words of the provider, and removed', async () => {
  const { simulatorsUrl } = inject('product');
  const person = await newCreator();
  const { page, check, open } = await visit(browser, 'phone', { as: person, inOwnWidth: true });
  await open('/settings', 'Settings');
  await check('Settings');
  await page.getByRole('link', { name: 'Text model' }).click();
  await page.getByText('No text model is connected.').waitFor();
  await check('Settings no text model');
  await page.getByLabel('Provider').selectOption('Anthropic');
  await page.getByLabel('API key').fill('sk-not-a-key');
  await page.getByLabel('Provider').selectOption('Another (OpenAI-compatible)');
  await page.getByLabel('Model', { exact: true }).fill('small-model');
  await page.getByLabel('Address').fill('https://10.0.0.1/v1');
  await page.getByRole('button', { name: 'Test and connect' }).click();
  await page.getByText('baseUrl must name a public host').waitFor();
  await page.getByLabel('Address').fill(`${simulatorsUrl}/llm/v1`);
  await page.getByLabel('API key').fill('wrong-key');
  await page.getByRole('button', { name: 'Test and connect' }).click();
  await page.getByText('Incorrect API key provided: [key]').waitFor();
  await check('Settings text model refused');
  await page.getByLabel('API key').fill('sk-3q2rT8mYw5nB7cR2xL9pD4');
  await page.getByRole('button', { name: 'Test and connect' }).click();
  await page.getByText('Works', { exact: true }).waitFor();
  expect(await page.getByLabel('API key').inputValue()).toBe('');
  await page.getByRole('button', { name: 'Test the model' }).click();
  await page.getByText('A plain answer of the simulator.').waitFor();
  await check('Settings text model');
  const read = () => person.api<object>('GET', '/workspace/text-model', { token: person.session });
  expect((await read()).data).toMatchObject({ source: 'workspace', model: 'small-model', hasKey: true });
  expect((await writeDeck(person)).writer).toMatchObject({ kind: 'model', name: 'small-model' });
  await page.getByRole('button', { name: 'Remove the model' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the model' }).click();
  await page.getByText('No text model is connected.').waitFor();
  expect((await read()).data).toMatchObject({ source: 'none', hasKey: false, learns: true });
  // The box follows the write, which may begin after the click.
  await page.getByLabel('Learn from results').click();
  await expect.poll(async () => (await read()).data).toMatchObject({ learns: false });
  await open('/audit', 'Audit');
  await page.getByText('connected a text model').first().waitFor();
  await page.getByText('removed the text model').first().waitFor();
});

/** As after a firing whose deck would have repeated another. */
async function change(sql: string, values: string[]): Promise<void> {
  const db = openAsSuperuser(databaseUrlOf(inject('product').dataDir));
  try {
    await db.query(sql, values);
  } finally {
    await db.close();
  }
}

it('an automation is planned, paused, run, ended and brought back, and its log says so', async () => {
  const { page, check, open } = await visit(browser, 'phone', { as: creator });
  await open('/automations', 'Automations');
  await page.getByRole('button', { name: 'New automation' }).click();
  await page.getByLabel('Account').selectOption({ index: 0 });
  await page.getByLabel('Time of day 1').fill('08:15');
  await page.getByLabel('Time zone').selectOption('Europe/Berlin');
  await page
    .getByLabel('Topics')
    .fill('1. What beginners ask\n2. What experts forget\n3. What beginners ask');
  await page.getByLabel('Until').fill('2020-06-01');
  await page.getByLabel('Time', { exact: true }).fill('00:01');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText(/^Until must not be before the first slot, which is .*, 08:15$/).waitFor();
  // A click outside does not close a form with unsaved input.
  await page.mouse.click(5, 5);
  await page.getByLabel('Until').fill('2099-06-01');
  await page.getByLabel('Time', { exact: true }).fill('6 pm');
  await check('Automations new');
  await page.getByRole('button', { name: 'Create' }).click();
  const row = page.getByRole('article').filter({ hasText: 'weekdays 08:15' });
  await row.getByText('Next topic: What beginners ask').waitFor();
  await row.getByText('weekdays 08:15').waitFor();
  await choose(row, 'Run now');
  await page.getByText('A deck is being made.').waitFor();
  await choose(row, 'Pause');
  await row.getByText('Paused').waitFor();
  await choose(row, 'Log');
  const log = page.getByRole('dialog', { name: 'What it did' });
  await log.getByText('Waits for approval').waitFor({ timeout: 30_000 });
  await check('Automations log');
  await log.getByRole('button', { name: 'Close' }).click();

  // Its list, and where it is in it, are kept through a change, which is also its end.
  await choose(row, 'Resume');
  await row.getByText('Next topic: What experts forget').waitFor();
  const edit = () => row.getByRole('button', { name: 'Change' }).click();
  await edit();
  const topics = page.getByLabel('Topics');
  expect(await topics.inputValue()).toBe('What beginners ask\nWhat experts forget');
  await topics.fill('What beginners ask\nWhat experts forget\nWhat nobody asks');
  await page.getByText('1 so far, those that failed included').waitFor();
  await page.getByLabel('Number of decks').fill('2');
  await page.getByRole('button', { name: 'Save' }).click();
  await row.getByText('1 deck left · Until').waitFor();
  await row.getByText('Next topic: What experts forget').waitFor();
  await change('update automation.automations set nothing_new_since = now() where app_id = $1', [
    creator.appId,
  ]);
  await open('/automations', 'Automations');
  await row.getByText('Nothing new to post since').waitFor();
  await check('Automations nothing new');
  await choose(row, 'Run now');
  await row.getByText('It fired as often as it was to.').waitFor();
  await check('Automations ended');
  expect(await row.getByRole('menuitem', { name: 'Resume', includeHidden: true }).count()).toBe(0);
  await edit();
  await page.getByLabel('Number of decks').fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await row.getByText('Next topic: What nobody asks').waitFor();
});

it('a change of an automation leaves what somebody else changed meanwhile', async () => {
  const one = await newCreator('studio.nord');
  const { api, key } = one;
  const postingTimes = [{ time: '08:30', days: ['mon'] }];
  const id = await newAutomation(one, { approvalMode: 'auto', postingTimes });
  const { page, open } = await visit(browser, 'desktop', { as: one });
  await open('/automations', 'Automations');
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  const save = page.getByRole('dialog').getByRole('button', { name: 'Save' });
  expect(await save.isDisabled()).toBe(true);
  await page.getByLabel('Time of day 1').fill('09:45');
  await api('PATCH', `/automations/${id}`, { token: key, body: { approvalMode: 'manual' } });
  await save.click();
  await page.getByRole('article').getByText('Mon 09:45').waitFor();
  expect((await api<object>('GET', `/automations/${id}`, { token: key })).data).toMatchObject({
    approvalMode: 'manual',
    postingTimes: [{ time: '09:45', days: ['mon'] }],
  });
});

it('an automation whose account was removed names no other one', async () => {
  const one = await newCreator('studio.nord');
  await connectCreator(one, 'maya.makes');
  await newAutomation(one);
  await one.api('DELETE', `/accounts/${one.accountId}`, { token: one.session });
  const { page, open } = await visit(browser, 'desktop', { as: one });
  await open('/automations', 'Automations');
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('App').getByRole('option', { name: 'Pebblo' }).waitFor({ state: 'attached' });
  expect(await dialog.getByLabel('Account').getByRole('option').count()).toBe(0);
});

it('an endpoint is created, hears of a deck, and hears it again', async () => {
  const { webhookPort } = inject('product');
  const receiver = await startWebhookReceiver(webhookPort);
  try {
    const { page, check, open } = await visit(browser, 'desktop', { as: creator });
    await open('/webhooks', 'Webhooks');
    await page.getByRole('button', { name: 'New endpoint' }).click();
    await page.getByLabel('Address').fill(`${receiver.url}/hooks`);
    await check('Webhooks new');
    await page.getByRole('button', { name: 'Create' }).click();
    const secret = page.getByRole('dialog', { name: 'Signing secret' }).locator('code');
    const first = await secret.textContent();
    expect(first).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'I have stored it' }).click();

    const deck = await writeDeck(creator);
    await eventually(() => expect(receiver.received.length).toBeGreaterThan(0), 20_000);
    const endpoint = page.getByRole('article', { name: `${receiver.url}/hooks` });
    await endpoint.getByRole('button', { name: 'Deliveries' }).click();
    const delivery = endpoint.getByRole('list', { name: 'Deliveries' }).getByRole('listitem').first();
    await delivery.getByText('Details').click();
    await delivery.getByRole('region', { name: 'Request' }).getByText(deck.id).first().waitFor();
    await check('Webhooks deliveries');
    const heard = receiver.received.length;
    await delivery.getByRole('button', { name: 'Replay' }).click();
    await eventually(() => expect(receiver.received.length).toBe(heard + 1), 20_000);

    const more = endpoint.getByRole('button', { name: /^More for/ });
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await more.press('Enter');
    await expect.poll(focused).toBe('Send a test');
    await page.keyboard.press('ArrowUp');
    expect(await focused()).toBe('Delete');
    await check('Webhooks menu');
    await page.keyboard.press('Escape');
    await expect.poll(() => more.evaluate(button => button === document.activeElement)).toBe(true);
    await more.press('Enter');
    await expect.poll(focused).toBe('Send a test');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    await secret.waitFor();
    expect(await secret.textContent()).not.toBe(first);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await change(`update automation.webhooks set status = 'disabled', disabled_reason = $2 where url = $1`, [
      `${receiver.url}/hooks`,
      'every attempt failed for 5 days, since 2026-11-21T09:00:00.000Z',
    ]);
    await page.reload();
    await endpoint.getByText('since Sat 21 Nov').waitFor();
    await choose(endpoint, 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => endpoint.count()).toBe(0);
  } finally {
    await receiver.close();
  }
});

it('an event appears while somebody looks', async () => {
  const { page, check, open } = await visit(browser, 'desktop', { as: creator });
  await open('/events', 'Events');
  const shown = page.getByRole('list', { name: 'Events' }).getByRole('listitem');
  const hook = 'What beginners forget';
  const deck = await writeDeck(creator, { hook });
  await shown.filter({ hasText: 'Deck made' }).filter({ hasText: hook }).waitFor({ timeout: 30_000 });
  await creator.api('POST', `/content/${deck.id}/approve`, { token: creator.key, body: {} });
  const approval = shown.filter({ hasText: 'content.approved' }).filter({ hasText: hook });
  await approval.waitFor({ timeout: 30_000 });
  await check('Events live');
  await page.getByLabel('Event', { exact: true }).selectOption('Few credits left');
  await page.getByText('None of these.').waitFor();
  await page.getByLabel('Event', { exact: true }).selectOption('Every event');
  const link = approval.getByRole('link', { name: 'Open the deck' });
  expect(await link.isVisible()).toBe(false);
  await approval.getByText('Approved', { exact: true }).click();
  await check('Events opened');
  await link.click();
  await page.getByRole('heading', { level: 1, name: 'Post' }).waitFor();
});

it('the end of a log that has more says so', async () => {
  const one = await newPerson();
  const { data } = await one.api<{ id: string }>('GET', '/workspace', { token: one.session });
  const accountId = data.id.replace('workspace', 'acct');
  await change(
    `insert into automation.feed_events (id, account_id, position, type, resource, sequence, data, created_at)
     select 'event_' || n || $1, $1, n, 'job.completed', 'content:' || n, 1, '{}', now() from generate_series(1, 1001) n`,
    [accountId],
  );
  await change('insert into automation.feed_heads (account_id, position) values ($1, 1001)', [accountId]);
  const { page, open } = await visit(browser, 'desktop', { as: one });
  await open('/events', 'Events');
  await page.getByLabel('Event', { exact: true }).selectOption('Few credits left');
  const more = page.getByRole('button', { name: 'More', exact: true });
  const end = page.getByText('Only the newest 1,000 are shown.');
  // Some presses read two pages.
  while (!(await end.isVisible())) await more.or(end).click();
  await page.getByText('None of these.').waitFor();
});

it('the audit log can be narrowed to each of many keys', async () => {
  const one = await newPerson();
  for (let n = 0; n < 26; n += 1)
    await one.api('POST', '/keys', { token: one.session, body: { name: `Key ${n}`, scopes: ['apps:read'] } });
  const { page, open } = await visit(browser, 'desktop', { as: one });
  await open('/audit', 'Audit');
  // The first key of the person is the oldest.
  await page.getByLabel('Who').selectOption('e2e');
  await page.waitForURL(/actorId=key_/);
});

it('the ledger has the decks of a day by app, and each by its title', async () => {
  const one = await newCreator();
  for (const hook of ['Three stones', 'Two rivers']) await writeDeck(one, { hook });
  const { page, check, open } = await visit(browser, 'phone', { as: one });
  await open('/credits', 'Credits');
  const group = page.getByText('Pebblo · 2 decks');
  await group.click();
  await check('Credits opened');
  await page.getByRole('link', { name: 'Three stones' }).click();
  await page.getByRole('heading', { name: 'Three stones' }).first().waitFor();
});

it('a day of the ledger with more decks than a page has no sum before all are read, and stays open', async () => {
  const one = await newCreator();
  await copyDeck((await writeDeck(one, { hook: 'Three stones' })).id, 119);
  await charge(one.appId);
  const { page, open } = await visit(browser, 'phone', { as: one });
  await open('/credits', 'Credits');
  await page.getByText('Pebblo · 100+ decks').click();
  const more = page.getByRole('main').getByRole('button', { name: 'More', exact: true });
  await more.scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => scrollY);
  // A deck that is made while the next page is fetched refetches the first one.
  const isReadAgain = page.waitForRequest(/\/ledger\?limit=100$/);
  const change = async () => {
    await writeDeck(one, { hook: 'Meanwhile' });
  };
  await page.route(/\/ledger\?.*cursor/, change, { times: 1 });
  await more.click();
  await isReadAgain;
  await page.getByText('Pebblo · 121 decks').waitFor();
  await page.getByText('−121').waitFor();
  await page.getByRole('link', { name: 'Deck 119' }).waitFor();
  expect(await page.evaluate(() => scrollY)).toBeGreaterThanOrEqual(before);
});

/** Charges the copies of a deck, all at the moment of the deck: a day may end between two. */
async function charge(appId: string): Promise<void> {
  await change(
    `insert into content.credit_ledger (id, account_id, amount, reason, content_id, created_at, updated_at)
     select 'credit_' || md5(copy.id), l.account_id, -1, 'generation', copy.id, l.created_at, l.created_at
     from content.credit_ledger l join content.contents deck on deck.id = l.content_id
       join content.contents copy on copy.app_id = deck.app_id and copy.id <> deck.id
     where deck.app_id = $1`,
    [appId],
  );
}

it('a person signs out without scrolling, whatever the menu shows', async () => {
  const { page, open, go, check } = await visit(browser, 'desktop', { as: creator });
  await open('/posts', 'Posts');
  const out = page.getByRole('button', { name: 'Sign out' });
  const menu = page.getByRole('navigation', { name: 'Screens' });
  const isInView = () => out.evaluate(button => button.getBoundingClientRect().bottom <= innerHeight);
  await out.waitFor();
  expect(await isInView()).toBe(true);
  expect(await menu.getByRole('link', { name: 'Webhooks' }).isVisible()).toBe(false);
  await go('Webhooks');
  expect(await menu.getByRole('link', { name: 'Usage' }).isVisible()).toBe(true);
  expect(await isInView()).toBe(true);
  await check('Menu');
});

it('a session that is revoked elsewhere leads to the sign-in, and back', async () => {
  const person = await newPerson();
  const here = await visit(browser, 'desktop', { as: person });
  const { email, password } = person;
  const there = await visit(browser, 'phone', { as: { email, password } });
  await there.open('/credits', 'Credits');
  await here.open('/settings', 'Settings');
  await here.page.getByLabel('Workspace name').fill('Nord');
  const rules = here.page.getByRole('checkbox', { name: 'Only people approve' });
  await here.page.getByRole('radio', { name: 'Custom' }).check();
  await rules.waitFor();
  await here.page.getByRole('radio', { name: 'Strict' }).check();
  await rules.waitFor({ state: 'detached' });
  const sections = here.page.getByRole('navigation', { name: 'Sections' });
  await sections.getByRole('link', { name: 'Export' }).click();
  const section = here.page.getByRole('heading', { name: 'Export', exact: true });
  await expect.poll(() => section.evaluate(heading => heading.getBoundingClientRect().top)).toBeLessThan(800);
  await sections.locator('[aria-current]', { hasText: 'Export' }).waitFor();
  await person.api('PATCH', '/workspace', {
    token: person.session,
    body: { approvalPolicy: { requireVersion: true } },
  });
  const save = (id: string) => here.page.locator(`#${id}`).getByRole('button', { name: 'Save' });
  await save('workspace').click();
  await here.page.getByText('Saved').first().waitFor();
  // Saving the name keeps what is chosen below it.
  await expect
    .poll(async () => (await person.api('GET', '/workspace', { token: person.session })).data)
    .toMatchObject({ name: 'Nord', approvalPolicy: { approvers: 'anyone_with_scope' } });
  expect(await here.page.getByRole('radio', { name: 'Strict' }).isChecked()).toBe(true);
  await save('policy').click();
  await expect
    .poll(async () => (await person.api('GET', '/workspace', { token: person.session })).data)
    .toMatchObject({ name: 'Nord', approvalPolicy: { approvers: 'people_only' } });
  await here.page.getByRole('button', { name: 'End all others' }).click();
  await here.page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await here.page.getByText(/sessions? ended/).waitFor();
  await there.page.reload();
  await there.page.getByRole('heading', { name: 'Sign in' }).waitFor({ timeout: 30_000 });
  await there.check('Session ended');
  await signIn(there.page, { email, password });
  await there.page.getByRole('heading', { level: 1 }).waitFor();
});

it('a workspace is exported, frozen by the request to delete it, and restored', async () => {
  const person = await newPerson();
  const { page, check, open } = await visit(browser, 'desktop', { as: person });
  await open('/settings', 'Settings');
  await page.getByRole('button', { name: 'Export the workspace' }).click();
  const link = page.getByRole('link', { name: 'Download' });
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect(download.suggestedFilename()).toMatch(/^export_\w+\.tar\.gz$/);
  expect(readFileSync(await download.path()).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));

  const standing = async () =>
    (await person.api<{ deletion: object | null }>('GET', '/workspace', { token: person.session })).data;
  await page.getByRole('button', { name: 'Delete the workspace' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Your password').fill('not the password');
  await dialog.getByRole('button', { name: 'Delete the workspace' }).click();
  await dialog.getByText('That password is wrong').waitFor();
  await check('Settings delete');
  await dialog.getByLabel('Your password').fill(person.password);
  await dialog.getByRole('button', { name: 'Delete the workspace' }).click();
  const banner = page.getByRole('status').filter({ hasText: 'This workspace is deleted on' });
  await banner.waitFor();
  await check('Settings frozen');
  expect((await standing()).deletion).not.toBeNull();
  // Every screen says so, and the archive can still be downloaded.
  await open('/approve', 'Approve');
  await banner.getByRole('link', { name: 'Settings' }).click();
  await link.waitFor();

  await page.getByRole('button', { name: 'Restore the workspace' }).click();
  await dialog.getByLabel('Your password').fill(person.password);
  await dialog.getByRole('button', { name: 'Restore the workspace' }).click();
  await banner.waitFor({ state: 'hidden' });
  expect((await standing()).deletion).toBeNull();

  await page.getByRole('radio', { name: 'Once a day' }).check();
  await page.getByLabel('On Mondays, what the week brought').uncheck();
  await page.getByLabel('When a post is due on the phone').uncheck();
  await page.locator('#mails').getByRole('button', { name: 'Save' }).click();
  await page.getByText('Your choice is stored.').waitFor();
  const mails = await person.api('GET', '/workspace/notifications', { token: person.session });
  expect(mails.data).toMatchObject({
    ...{ decksWaiting: 'daily', weekly: false, postDue: false, email: person.email },
  });
});

it('an owner stops every post from the navigation, sees it above each screen, and lets them go on', async () => {
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  const { contentId } = await scheduleDeck(creator, 'It waits for its time', inAnHour);
  const { page, check, open } = await visit(browser, 'desktop', { as: creator });
  const isPaused = async () => {
    const { data } = await creator.api<{ sendingPaused: boolean }>('GET', '/workspace', {
      token: creator.session,
    });
    return data.sendingPaused;
  };
  await open('/calendar', 'Calendar');
  await page.getByRole('button', { name: 'Stop all posts' }).click();
  await check('Stop all posts');
  await page.getByRole('dialog').getByRole('button', { name: 'Stop all posts' }).click();
  await page.getByText('All posts of this workspace are stopped.').waitFor();
  expect(await isPaused()).toBe(true);
  await open(`/posts/${contentId}`, 'Post');
  await page.getByText('It goes out once an owner lets them go on.').waitFor();
  await page.getByRole('button', { name: 'Let them go on' }).click();
  await page.getByText('There is nothing to do.').waitFor();
  await page.getByText('All posts of this workspace are stopped.').waitFor({ state: 'detached' });
  expect(await isPaused()).toBe(false);
});
