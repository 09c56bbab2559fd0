/**
 * The last reads of the daily screens stay in the browser for a page that opens while the server cannot be
 * reached. They belong to a person and a workspace, and are removed when the session ends.
 */
import type { InfiniteData } from '@tanstack/react-query';
import type { ApiError } from './api.ts';
import { readJson, writeChoice } from './flags.ts';
import { ownerNow, queryClient, sessionQuery } from './queries.ts';
import { dayMs } from './rules/durations.ts';

type Read = { key: readonly unknown[]; data: unknown; at: number };
type Kept = { owner: string; reads: readonly Read[] };

const storageName = 'reads';
const maxCharacters = 1_000_000;
/** First parts of the keys of what is kept, in the order in which it has room. */
const kinds = 'session workspaces workspace accounts apps automations schedules content'.split(' ');
const cache = queryClient.getQueryCache();

const readKept = () => readJson<Kept>(storageName);
const store = (kept: Kept) => writeChoice(storageName, JSON.stringify(kept));
export const forgetReads = () => writeChoice(storageName, null);

/** Another page may have ended the session or begun another: only the owner that it left may add. */
function keepReads(): void {
  const owner = ownerNow();
  const kept = readKept();
  if (owner === null || kept?.owner !== owner) return;
  let characters = 0;
  const read = cache
    .getAll()
    .map(({ queryKey: key, state }) => ({ key, data: state.data as unknown, at: state.dataUpdatedAt }))
    .filter(({ key, data, at }) => kinds.includes(String(key[0])) && data !== undefined && isRecent(at))
    // A list that no longer begins with its first page would hide what is before it.
    .filter(({ data }) => !(data as Partial<InfiniteData<unknown>> | null)?.pageParams?.[0]);
  // Other pages read what this one did not.
  const all = [...kept.reads.filter(({ at }) => isRecent(at)), ...read];
  const reads = [...new Map(all.map(one => [JSON.stringify(one.key), one])).values()]
    .sort((one, other) => rank(one) - rank(other) || other.at - one.at)
    .filter(one => {
      characters += JSON.stringify(one).length;
      return characters <= maxCharacters;
    });
  store({ owner, reads });
}

const rank = ({ key }: Read) => kinds.indexOf(String(key[0]));
const isRecent = (at: number) => Date.now() - at < dayMs;

/** Gives every read that has nothing yet what is kept of it. Each stays due to be read again. */
function restoreReads(): void {
  const kept = readKept();
  const owner = ownerNow() ?? (queryClient.getQueryState(sessionQuery.queryKey)?.error ? kept?.owner : null);
  if (!kept || kept.owner !== owner) return;
  for (const { key, data, at } of kept.reads) {
    const query = cache.build(queryClient, { queryKey: key });
    if (query.state.data === undefined && isRecent(at))
      query.setState({ data, dataUpdatedAt: at, status: query.state.error ? 'error' : 'success' });
  }
}

cache.subscribe(event => {
  if (event.type !== 'updated') return;
  const { query, action } = event;
  const { data } = query.state;
  if (action.type === 'success' && query.queryKey[0] === 'session') {
    const owner = ownerNow();
    if (owner !== null && readKept()?.owner !== owner) store({ owner, reads: [] });
  }
  if ((action.type === 'error' || action.type === 'failed') && data === undefined) {
    const { status } = action.error as ApiError;
    if (status === 0 || status >= 500) restoreReads();
  }
});
/** The pages of a browser have one session: another may have entered another workspace, or signed in anew. */
function followSession(): void {
  const owner = ownerNow();
  if (owner !== null && (readKept()?.owner ?? owner) !== owner) location.reload();
}

addEventListener('storage', followSession);
// A page restored from the back/forward cache received no storage events while it was frozen.
addEventListener('pageshow', followSession);
addEventListener('pagehide', keepReads);
addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') keepReads();
});
