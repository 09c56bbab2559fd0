/**
 * Decisions wait 5 s before they are sent, so that one can be taken back without a trace. Whatever leaves the screen sends
 * them at once. Without an answer they are tried again, with the same Idempotency-Key, as long as the page is open.
 */
import { useSyncExternalStore } from 'react';
import { type ApiError, api, isApiError, newKey } from './api.ts';
import { contentQuery, dropFromQueue, queryClient, sessionQuery } from './queries.ts';
import { retryAfterMs, verdictOf } from './rules/decision.ts';
import type { Content, One } from './types.ts';

export const undoMs = 5_000;
/** Of one request; without an answer by then the decision is parked. */
const answerMs = 20_000;

export type Decision = {
  /** As it was on screen: its version is the one that is decided on. */
  content: Content;
  kind: 'approve' | 'reject';
  reason?: string | undefined;
};

type Waiting = Decision & {
  key: string;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** Person and workspace: nobody sends a decision of somebody else. Null until the session is known. */
  owner: string | null;
  /** Times that no answer came. Above 0 it can no longer be taken back: it may have arrived. */
  tries: number;
  running?: Promise<boolean> | undefined;
};

type Listeners = {
  onSent: (decision: Decision) => void;
  /** The deck has another version, or was decided on by somebody else. */
  onChanged: (decision: Decision, now: Content) => void;
  onFailed: (decision: Decision, error: ApiError) => void;
  /** No answer came; it is tried again. Called at the first failure, and at one that `sendNow` asked for. */
  onParked: () => void;
};

let waiting: readonly Waiting[] = [];
/** Decided here: off the queue although the server may still list them. */
let hidden: ReadonlySet<string> = new Set();
let listeners: Listeners = {
  onSent: () => {},
  onChanged: () => {},
  onFailed: () => {},
  onParked: () => {},
};
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

function ownerNow(): string | null {
  const session = queryClient.getQueryData(sessionQuery.queryKey);
  return session ? `${session.user.id} ${session.workspaceId}` : null;
}

export function decide(decision: Decision): void {
  const entry: Waiting = { ...decision, key: newKey(), timer: undefined, owner: ownerNow(), tries: 0 };
  entry.timer = setTimeout(() => void send(entry), undoMs);
  waiting = [...waiting, entry];
  hide(decision.content.id, true);
}

/** Takes the last decision back that is not sent yet. @returns null when there is none */
export function undoLast(): Decision | null {
  const last = waiting.findLast(({ tries, running }) => tries === 0 && running === undefined);
  if (last === undefined) return null;
  drop(last);
  hide(last.content.id, false);
  return last;
}

/** Sends everything now, also what waits for a connection. @returns whether nothing failed or still waits */
export async function sendNow(): Promise<boolean> {
  const due = waiting.map(entry => {
    if (entry.running === undefined) entry.tries = Math.min(entry.tries, 1);
    return send(entry, true);
  });
  return (await Promise.all(due)).every(Boolean);
}

/** The page is going away: the answers will not be seen. What got no answer before needs a look at the deck first. */
function sendLeaving(): void {
  for (const entry of waiting) if (entry.tries === 0 && !entry.running) void send(entry, false, true);
}

/** Of another person or workspace: never sent. */
function dropOthers(): void {
  const owner = ownerNow();
  if (owner === null) return;
  for (const entry of waiting) {
    entry.owner ??= owner;
    if (entry.owner === owner) continue;
    drop(entry);
    hide(entry.content.id, false);
  }
}

function drop(entry: Waiting): void {
  clearTimeout(entry.timer);
  waiting = waiting.filter(other => other !== entry);
}

/** @returns whether the decision stands */
function send(entry: Waiting, isAsked = false, keepalive = false): Promise<boolean> {
  clearTimeout(entry.timer);
  entry.running ??= sendOnce(entry, isAsked, keepalive).finally(() => {
    entry.running = undefined;
  });
  return entry.running;
}

async function sendOnce(entry: Waiting, isAsked: boolean, keepalive: boolean): Promise<boolean> {
  const { content, kind, reason, key } = entry;
  // Signed out: it waits for the same person.
  if (ownerNow() === null && entry.owner !== null) return park(entry, isAsked);
  try {
    const now = keepalive ? null : await readNow(content.id);
    const verdict = now ? verdictOf(entry, now) : 'send';
    if (!waiting.includes(entry)) return false;
    if (verdict === 'changed' && now) {
      changed(entry, now);
      return false;
    }
    if (verdict === 'send') {
      const body = { version: content.version, ...(kind === 'reject' && reason ? { reason } : {}) };
      const signal = keepalive ? undefined : AbortSignal.timeout(answerMs);
      await api.post(`/content/${content.id}/${kind}`, body, { key, keepalive, signal });
    }
  } catch (error) {
    if (isApiError(error, 'offline')) return park(entry, isAsked);
    const now = isApiError(error, 'not_ready') ? await readNow(content.id).catch(() => null) : null;
    if (now) changed(entry, now);
    else {
      drop(entry);
      hide(content.id, false);
      listeners.onFailed(entry, error as ApiError);
      void queryClient.invalidateQueries({ queryKey: ['content'] });
    }
    return false;
  }
  drop(entry);
  dropFromQueue(content.id);
  listeners.onSent(entry);
  await queryClient.invalidateQueries({ queryKey: ['content'] });
  // It may come back with its next version.
  hide(content.id, false);
  return true;
}

function changed(entry: Waiting, now: Content): void {
  drop(entry);
  hide(entry.content.id, false);
  queryClient.setQueryData(contentQuery(now.id).queryKey, now);
  listeners.onChanged(entry, now);
  void queryClient.invalidateQueries({ queryKey: ['content'] });
}

function park(entry: Waiting, isAsked: boolean): false {
  if (!waiting.includes(entry)) return false;
  entry.tries += 1;
  entry.timer = setTimeout(() => void send(entry), retryAfterMs(entry.tries));
  if (isAsked || entry.tries === 1) listeners.onParked();
  return false;
}

async function readNow(id: string): Promise<Content> {
  const signal = AbortSignal.timeout(answerMs);
  return (await api.get<One<Content>>(`/content/${id}`, undefined, signal)).data;
}

function retryParked(): void {
  for (const entry of waiting) if (entry.tries > 0) void send(entry);
}

queryClient.getQueryCache().subscribe(({ query }) => {
  if (query.queryKey[0] === sessionQuery.queryKey[0]) dropOthers();
});
addEventListener('online', retryParked);
addEventListener('pagehide', sendLeaving);
addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') sendLeaving();
  else retryParked();
});
