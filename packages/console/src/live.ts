/** Keeps what is on screen current: one stream of the server that only says which kind of record changed. */
import type { QueryClient } from '@tanstack/react-query';

const pollMs = 20_000;
/** Changes that arrive together are one refetch. */
const gatherMs = 250;

/** Query keys begin with one of these; `content` covers decks and their counts, timelines and preflights. */
const affected: Readonly<Record<string, readonly string[]>> = {
  content: ['content', 'credits'],
  schedule: ['schedules', 'content'],
  automation: ['automations'],
  webhook: ['webhooks'],
  account: ['accounts'],
  app: ['apps'],
  credits: ['credits', 'usage'],
  member: ['members', 'workspaces', 'workspace'],
  key: ['keys'],
};

/** Opens the stream; without one (404, proxies that cut it) every active query is read again each 20 s. @returns ends it */
export function followChanges(queries: QueryClient): () => void {
  const source = new EventSource('/console/api/v1/stream');
  const waiting = new Set<string>();
  let gather: ReturnType<typeof setTimeout> | undefined;
  let poll: ReturnType<typeof setInterval> | undefined;

  const startPolling = () => {
    poll ??= setInterval(() => {
      if (document.visibilityState === 'visible') void queries.invalidateQueries();
    }, pollMs);
  };
  source.addEventListener('change', event => {
    for (const key of affected[(JSON.parse(event.data) as { kind: string }).kind] ?? []) waiting.add(key);
    waiting.add('events');
    gather ??= setTimeout(() => {
      gather = undefined;
      for (const key of waiting) void queries.invalidateQueries({ queryKey: [key] });
      waiting.clear();
    }, gatherMs);
  });
  source.addEventListener('reload', () => void queries.invalidateQueries());
  source.addEventListener('open', () => {
    clearInterval(poll);
    poll = undefined;
  });
  // The browser reconnects after a cut; a refusal closes the stream for good.
  source.addEventListener('error', startPolling);

  return () => {
    source.close();
    clearTimeout(gather);
    clearInterval(poll);
  };
}
