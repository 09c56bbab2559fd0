/** Keeps what is on screen current: one stream of the server that only says which kind of record changed. */
import type { QueryClient } from '@tanstack/react-query';

const pollMs = 20_000;
/** First and longest wait before a stream that was refused is asked for again. */
const againMinMs = 2_000;
const againMaxMs = 60_000;
/**
 * Changes that arrive together are one refetch. While they keep coming the time between two refetches
 * doubles: most take up to six requests, and a session has 600 a minute.
 */
const gatherMinMs = 250;
const gatherMaxMs = 8_000;
/** After this long without a change, the next ones are read soon again. */
const calmMs = 30_000;

/** Query keys begin with one of these; `content` covers decks and their counts, timelines,
 * preflights and what of their app waits for a review. */
const affected: Readonly<Record<string, readonly string[]>> = {
  content: ['content', 'credits'],
  schedule: ['schedules', 'content'],
  automation: ['automations'],
  webhook: ['webhooks'],
  account: ['accounts'],
  app: ['apps', 'content'],
  credits: ['credits', 'usage'],
  member: ['members', 'workspaces', 'workspace'],
  key: ['keys'],
};

/**
 * Half to all of a wait that doubles, so that the pages a restart cut off do not all come back in one moment.
 */
export function waitBeforeMs(attempt: number, random = Math.random()): number {
  return Math.min(againMinMs * 2 ** attempt, againMaxMs) * (0.5 + random / 2);
}

/** Opens the stream; while there is none every active query is read again each 20 s. @returns ends it */
export function followChanges(queries: Pick<QueryClient, 'invalidateQueries'>): () => void {
  let source: EventSource;
  let refusals = 0;
  let again: ReturnType<typeof setTimeout> | undefined;
  const waiting = new Set<string>();
  let gather: ReturnType<typeof setTimeout> | undefined;
  let gatherMs = gatherMinMs;
  let gatheredAtMs = 0;
  let changedAtMs = 0;
  let poll: ReturnType<typeof setInterval> | undefined;

  const startPolling = () => {
    poll ??= setInterval(() => {
      if (document.visibilityState === 'visible') void queries.invalidateQueries();
    }, pollMs);
  };
  const changed = (event: MessageEvent<string>) => {
    for (const key of affected[(JSON.parse(event.data) as { kind: string }).kind] ?? []) waiting.add(key);
    waiting.add('events').add('audit');
    const nowMs = Date.now();
    if (nowMs - changedAtMs > calmMs) gatherMs = gatherMinMs;
    changedAtMs = nowMs;
    gather ??= setTimeout(
      () => {
        gather = undefined;
        gatheredAtMs = Date.now();
        gatherMs = Math.min(2 * gatherMs, gatherMaxMs);
        for (const key of waiting) void queries.invalidateQueries({ queryKey: [key] });
        waiting.clear();
      },
      Math.max(gatherMinMs, gatheredAtMs + gatherMs - nowMs),
    );
  };
  const open = () => {
    let isAnother = refusals > 0;
    source = new EventSource('/console/api/v1/stream');
    source.addEventListener('change', changed);
    source.addEventListener('reload', () => void queries.invalidateQueries());
    source.addEventListener('open', () => {
      clearInterval(poll);
      poll = undefined;
      refusals = 0;
      // A new stream does not say what changed before it was opened.
      if (isAnother) void queries.invalidateQueries();
      isAnother = false;
    });
    source.addEventListener('error', () => {
      startPolling();
      // The browser reconnects after a cut and says where it was; a refusal (503, 429, 404)
      // closes the stream for good.
      if (source.readyState !== EventSource.CLOSED) return;
      clearTimeout(again);
      again = setTimeout(open, waitBeforeMs(refusals));
      refusals += 1;
    });
  };
  open();

  return () => {
    source.close();
    clearTimeout(again);
    clearTimeout(gather);
    clearInterval(poll);
  };
}
