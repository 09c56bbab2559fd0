// Opens the console without a connection, and shows notifications: the page, and the files of this build. `vite.config.ts` puts `version`
// and `files` before this text. Answers of the API and pictures never pass through here.
/* global version, files */
const page = '/console/';
const name = `shell-${version}`;

addEventListener('install', event => event.waitUntil(fill()));
addEventListener('activate', event => event.waitUntil(clear()));
addEventListener('fetch', event => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  const isPage = request.mode === 'navigate' && !/^\/console\/(?:api|enter|oidc)\b/.test(pathname);
  if (isPage) event.respondWith(fetch(request).catch(() => kept(page)));
  else if (files.includes(pathname)) event.respondWith(kept(pathname));
});

addEventListener('push', event => {
  const { title, body, tag, url } = event.data.json();
  event.waitUntil(
    registration.showNotification(title, {
      ...{ body, tag, data: url, icon: '/console/icon-192.png' },
      // A post that is due while an earlier one is still shown makes a sound only with this.
      renotify: tag.startsWith('post_due'),
    }),
  );
});
addEventListener('notificationclick', event => {
  event.notification.close();
  event.waitUntil(show(event.notification.data));
});

/** What is open may have something unsaved: it is shown where it is that page, and left alone otherwise. */
async function show(path) {
  const open = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const same = open.find(({ url }) => new URL(url).pathname === path);
  await (same ? same.focus() : clients.openWindow(path));
}

async function fill() {
  const cache = await caches.open(name);
  const take = async file => {
    const before = await caches.match(file, { ignoreVary: true });
    await (before ? cache.put(file, before) : cache.add(file));
  };
  await Promise.all([cache.add(new Request(page, { cache: 'no-cache' })), ...files.map(take)]);
}

/** Runs once no page of the earlier build is open. */
async function clear() {
  const others = (await caches.keys()).filter(other => other !== name);
  await Promise.all(others.map(other => caches.delete(other)));
  await clients.claim();
}

async function kept(path) {
  const cache = await caches.open(name);
  return (await cache.match(path, { ignoreVary: true })) ?? fetch(path);
}
