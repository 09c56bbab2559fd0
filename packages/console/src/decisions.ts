/**
 * Decisions wait 5 s before they are sent, so that one can be taken back without a trace. Whatever leaves the screen sends
 * them at once; without a connection they wait for it.
 */
import { useSyncExternalStore } from 'react';
import { type ApiError, api, isApiError, newKey } from './api.ts';
import { dropFromQueue, queryClient } from './queries.ts';
import type { Content, One } from './types.ts';

export const undoMs = 5_000;

export type Decision = {
  /** As it was on screen: its version is the one that is decided on. */
  content: Content;
  kind: 'approve' | 'reject';
  reason?: string | undefined;
};

type Waiting = Decision & { key: string; timer: ReturnType<typeof setTimeout> | undefined };

type Listeners = {
  onSent: (decision: Decision) => void;
  /** The deck has another version, or was decided on by somebody else. */
  onChanged: (decision: Decision, now: Content) => void;
  onFailed: (decision: Decision, error: ApiError) => void;
};

let waiting: readonly Waiting[] = [];
/** Decided here: off the queue although the server may still list them. */
let hidden: ReadonlySet<string> = new Set();
let listeners: Listeners = { onSent: () => {}, onChanged: () => {}, onFailed: () => {} };
const subscribers = new Set<() => void>();

function hide(id: string, isHidden: boolean): void {
  const next = new Set(hidden);
  if (isHidden) next.add(id);
  else next.delete(id);
  hidden = next;
  for (const subscriber of subscribers) subscriber();
}

export function useHidden(): ReadonlySet<string> {
  return useSyncExternalStore(
    subscriber => {
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },
    () => hidden,
  );
}

export function listenToDecisions(given: Listeners): void {
  listeners = given;
}

export function decide(decision: Decision): void {
  const entry: Waiting = { ...decision, key: newKey(), timer: undefined };
  entry.timer = setTimeout(() => void send(entry), undoMs);
  waiting = [...waiting, entry];
  hide(decision.content.id, true);
}

/** Takes the last decision back that is not sent yet. @returns null when there is none */
export function undoLast(): Decision | null {
  const last = waiting.findLast(({ timer }) => timer !== undefined);
  if (last === undefined) return null;
  clearTimeout(last.timer);
  drop(last);
  hide(last.content.id, false);
  return last;
}

/** Sends everything now. @param keepalive the page is going away: the answer will not be seen */
export function sendNow(keepalive = false): Promise<void> {
  const due = waiting.filter(({ timer }) => timer !== undefined);
  return Promise.all(due.map(entry => send(entry, keepalive))).then(() => undefined);
}

function drop(entry: Waiting): void {
  waiting = waiting.filter(other => other !== entry);
}

async function send(entry: Waiting, keepalive = false): Promise<void> {
  clearTimeout(entry.timer);
  entry.timer = undefined;
  const { content, kind, reason, key } = entry;
  try {
    const body = { version: content.version, ...(kind === 'reject' && reason ? { reason } : {}) };
    await api.post<One<Content>>(`/content/${content.id}/${kind}`, body, { key, keepalive });
    drop(entry);
    dropFromQueue(content.id);
    listeners.onSent(entry);
    await queryClient.invalidateQueries({ queryKey: ['content'] });
    // It may come back with its next version.
    hide(content.id, false);
  } catch (error) {
    if (isApiError(error, 'offline')) {
      addEventListener('online', () => void send(entry), { once: true });
      return;
    }
    drop(entry);
    hide(content.id, false);
    const now = isApiError(error, 'not_ready') ? await readNow(content.id) : null;
    if (now) listeners.onChanged(entry, now);
    else listeners.onFailed(entry, error as ApiError);
    void queryClient.invalidateQueries({ queryKey: ['content'] });
  }
}

async function readNow(id: string): Promise<Content | null> {
  return api.get<One<Content>>(`/content/${id}`).then(
    ({ data }) => data,
    () => null,
  );
}

addEventListener('pagehide', () => void sendNow(true));
addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') void sendNow(true);
});
