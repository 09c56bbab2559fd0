// Asks for what Approve shows first while the code of the page is on its way: on a slow connection each takes
// seconds. `api.ts` takes the answers.
if (/^\/console(\/|\/approve)?$/.test(location.pathname)) {
  const read = path => {
    const signal = AbortSignal.timeout(30_000);
    return fetch(`/console/api/v1${path}`, { headers: { accept: 'application/json' }, signal }).catch(
      () => null,
    );
  };
  const queue = '/content?limit=10&approvalStatus=pending&status=ready';
  window.early = new Map(['/auth/session', queue].map(path => [path, read(path)]));
  window.early.get(queue).then(async answer => {
    const deck = answer?.ok && (await answer.clone().json()).data[0];
    if (!deck?.images[0]?.thumbnailUrl) return;
    const { pathname, search } = new URL(deck.images[0].thumbnailUrl);
    new Image().src = pathname + search;
  });
}
