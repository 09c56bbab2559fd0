/** Notifications of a browser: the switch in the settings, and what the service worker shows. */
import { perSuite } from '@hookline/testing/per-suite';
import { expect, inject, it } from 'vitest';
import { launch, visit } from './src/browser.ts';
import { newCreator } from './src/person.ts';

const browser = perSuite(launch);
const keys = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};

it('are switched on for a browser, of chosen kinds, and off again', async () => {
  const creator = await newCreator();
  const { page, context, open, check, end } = await visit(browser, 'phone', { as: creator, installed: true });
  await context.grantPermissions(['notifications']);
  // The push service of the browser is outside; everything else is real.
  await page.addInitScript(given => {
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
    .toEqual(['decks_waiting', 'post_due', 'account_reconnect']);
  await check('settings-notifications');
  await here.click();
  await expect.poll(chosen).toMatchObject({ subscribed: false });
  await end();
});

it('are shown by the service worker, and open their page', async () => {
  const creator = await newCreator();
  const { page, context, open, end } = await visit(browser, 'phone', { as: creator, installed: true });
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
  const text = {
    title: 'A post is due on your phone',
    body: 'Maya',
    url: '/console/due/schedule_1',
    tag: 'post_due schedule_1',
  };
  const push = {
    origin: inject('product').url,
    registrationId: await registered,
    data: JSON.stringify(text),
  };
  // The same again takes the place of the first.
  for (const _ of [1, 2]) await protocol.send('ServiceWorker.deliverPushMessage', push);
  const shown = () =>
    page.evaluate(async () => {
      const notifications = await (await navigator.serviceWorker.ready).getNotifications();
      return notifications.map(({ title, body, tag }) => ({ title, body, tag }));
    });
  const { url, ...rest } = text;
  await expect.poll(shown).toEqual([rest]);

  const [worker] = context.serviceWorkers();
  const opened = await worker?.evaluate(async () => {
    // Only a person's click may open a window, so what would be opened is caught.
    const scope = globalThis as unknown as {
      clients: { openWindow(path: string): Promise<null> };
      registration: ServiceWorkerRegistration;
      dispatchEvent(event: Event): boolean;
      NotificationEvent: new (type: string, init: { notification: Notification }) => Event;
    };
    const paths: string[] = [];
    scope.clients.openWindow = path => {
      paths.push(path);
      return Promise.resolve(null);
    };
    const [notification] = await scope.registration.getNotifications();
    if (!notification) throw new Error('no notification is shown');
    scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification }));
    for (let tries = 0; tries < 100 && paths.length === 0; tries += 1) {
      await new Promise(resolve => setTimeout(resolve, 100));
    }
    return paths;
  });
  expect(opened).toEqual([url]);
  await expect.poll(shown).toEqual([]);
  await end();
});
