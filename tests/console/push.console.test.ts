/** Notifications of a browser: the switch in the settings, and what the service worker shows. */
import { perSuite } from '@hookline/testing/per-suite';
import { expect, inject, it } from 'vitest';
import { launch, signIn, visit } from './src/browser.ts';
import { invite, join, newCreator } from './src/person.ts';

const browser = perSuite(launch);
const keys = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};

type WorkerScope = {
  shown: object[];
  opened: string[];
  clients: { openWindow(path: string): Promise<void> };
  registration: { showNotification(title: string, options: object): Promise<void> };
  dispatchEvent(event: Event): boolean;
};

it('are switched on for a browser, of chosen kinds, and off again', async () => {
  const creator = await newCreator();
  const { page, context, open, check } = await visit(browser, 'phone', { as: creator, installed: true });
  await context.grantPermissions(['notifications']);
  // The push service of the browser is outside; everything else is real.
  await page.addInitScript(given => {
    // A browser without a window calls it denied, whatever was granted.
    Object.defineProperty(Notification, 'permission', { value: 'granted' });
    let current: PushSubscription | null = null;
    PushManager.prototype.getSubscription = () => Promise.resolve(current);
    PushManager.prototype.subscribe = options => {
      current = {
        options: { userVisibleOnly: true, applicationServerKey: options?.applicationServerKey },
        toJSON: () => ({ endpoint: `https://push.example.com/${crypto.randomUUID()}`, keys: given }),
        unsubscribe: () => {
          current = null;
          return Promise.resolve(true);
        },
      } as unknown as PushSubscription;
      return Promise.resolve(current);
    };
  }, keys);
  const chosen = async () =>
    (await page.request.get('/console/api/v1/workspace/notifications')).json().then(({ data }) => data.push);
  await open('/settings#push', 'Settings');
  await page.evaluate(() => navigator.serviceWorker.ready);
  const here = page.getByRole('checkbox', { name: 'On this browser' });
  await here.click();
  await expect
    .poll(chosen)
    .toMatchObject({ subscribed: true, kinds: expect.arrayContaining(['post_failed']) });
  await page.getByRole('checkbox', { name: 'A post failed' }).click();
  await expect
    .poll(async () => (await chosen()).kinds)
    .toEqual(['decks_waiting', 'link_decided', 'post_due', 'account_reconnect']);
  await check('settings-notifications');
  await here.click();
  await expect.poll(chosen).toMatchObject({ subscribed: false });

  // The session ends, and somebody else signs in at the same page.
  await here.click();
  await expect.poll(chosen).toMatchObject({ subscribed: true });
  const { email, password } = await invite(creator, 'approver');
  await context.clearCookies();
  await page.getByRole('link', { name: 'Posts', exact: true }).click();
  await signIn(page, { email, password });
  const isForgotten = () =>
    page.evaluate(async () => (await PushManager.prototype.getSubscription()) === null);
  await expect.poll(isForgotten, { timeout: 15_000 }).toBe(true);
  expect(await chosen()).toMatchObject({ subscribed: false });
});

it('are shown by the service worker, and open their page', async () => {
  const creator = await newCreator();
  const { page, context, open } = await visit(browser, 'phone', { as: creator, installed: true });
  await context.grantPermissions(['notifications']);
  await open('/approve', 'Approve');
  const protocol = await context.newCDPSession(page);
  const registered = new Promise<string>(resolve => {
    protocol.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [found] = registrations;
      if (found) resolve(found.registrationId);
    });
  });
  await protocol.send('ServiceWorker.enable');
  await page.evaluate(() => navigator.serviceWorker.ready);
  const [worker] = context.serviceWorkers();
  if (!worker) throw new Error('no service worker runs');
  // A browser without a window shows no notification and follows no click, so both are caught at its border.
  await worker.evaluate(() => {
    const scope = globalThis as unknown as WorkerScope;
    scope.shown = [];
    scope.opened = [];
    scope.registration.showNotification = async (title, options) => {
      scope.shown.push({ title, ...options });
    };
    scope.clients.openWindow = async path => {
      scope.opened.push(path);
    };
  });
  const text = { title: 'A post is due on your phone', body: 'Maya', tag: 'post_due schedule_1' };
  const url = '/console/due/schedule_1';
  await protocol.send('ServiceWorker.deliverPushMessage', {
    origin: inject('product').url,
    registrationId: await registered,
    data: JSON.stringify({ ...text, url }),
  });
  const caught = (name: 'shown' | 'opened') =>
    worker.evaluate(of => (globalThis as unknown as WorkerScope)[of], name);
  await expect
    .poll(() => caught('shown'))
    .toEqual([expect.objectContaining({ ...text, data: url, renotify: true })]);
  await worker.evaluate(() => {
    const scope = globalThis as unknown as WorkerScope;
    const [{ data }] = scope.shown as [{ data: string }];
    const notification = { data, close() {} };
    scope.dispatchEvent(Object.assign(new Event('notificationclick'), { notification, waitUntil() {} }));
  });
  await expect.poll(() => caught('opened')).toEqual([url]);
});

it('a link of a mail opens its page in its workspace, and is refused to who is no member', async () => {
  const two = await newCreator('studio.nord');
  const { email, password } = await newCreator('maya.makes');
  const { page, context, open } = await visit(browser, 'phone', { as: { email, password } });
  const { id } = (await two.api<{ id: string }>('GET', '/workspace', { token: two.session })).data;
  const follow = (name: string) => open(`/in/${id}/accounts?deck=content_1`, name);
  await follow('Approve');
  await page.getByText('No such workspace').waitFor();
  await join(two, { email }, { password });
  await follow('Accounts');
  await page.getByText('studio.nord').first().waitFor();
  expect(page.url()).toMatch(/\/accounts\?deck=content_1$/);
  await context.clearCookies();
  await follow('Sign in');
  await signIn(page, { email, password });
  await page.getByText('studio.nord').first().waitFor();
  await follow('Accounts');
  expect(page.url()).toMatch(/\/accounts\?deck=content_1$/);
});
