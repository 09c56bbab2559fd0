// Asks for what Approve shows first while the code of the page is on its way: on a slow connection each takes
// seconds. `api.ts` takes the answers.
if (!window.early && /^\/console(\/|\/approve)?$/.test(location.pathname)) {
  const read = path => {
    const signal = AbortSignal.timeout(30_000);
    return fetch(`/console/api/v1${path}`, { headers: { accept: 'application/json' }, signal }).catch(
      () => null,
    );
  };
  const queue = '/content?limit=10&approvalStatus=pending&status=ready';
  window.early = new Map(['/auth/session', queue].map(path => [path, read(path)]));
  window.early.get(queue).then(async answer => {
    if (!answer?.ok) return;
    const { data } = await answer.clone().json();
    const link = data[0]?.images[0]?.thumbnailUrl;
    if (!link) return;
    const { pathname, search } = new URL(link);
    new Image().src = pathname + search;
  });
}
