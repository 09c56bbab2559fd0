/**
 * Decisions wait 5 s before they are sent, so that one can be taken back without a trace. Whatever
 * leaves the screen sends them at once. Each names the version and the status that were on screen, so
 * that the server refuses what somebody else has changed. Without an answer, without a session and while
 * the server refuses everything they are tried again with the same Idempotency-Key. A page that closes
 * leaves them in the browser's storage, and the next one finds out how they ended.
 */
import { useQuery } from '@tanstack/react-query';
import { type ApiError, api, isApiError, newKey } from './api.ts';
import { readJson, writeChoice } from './flags.ts';
import { contentQuery, countsQuery, dropFromQueue, ownerNow, queryClient, sessionQuery } from './queries.ts';
import { isUndecided, type Left, retryAfterMs, stillDue } from './rules/decision.ts';
import { createStore } from './store.ts';
import { texts } from './texts/shell.ts';
import type { Content, One } from './types.ts';
import { closeToasts, showProblem, showToast } from './ui/Toast.tsx';

export const undoMs = 5_000;
/** A decision without an answer by then is parked. */
const answerMs = 20_000;
const parkedSlot = 'parked';

export type Decision = {
  /** As it was on screen: its version is the one that is decided on. */
  content: Content;
  kind: 'approve' | 'reject' | 'request-changes';
  reason?: string | undefined;
};

type Waiting = Decision & {
  key: string;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** Person and workspace: nobody sends a decision of somebody else. Null until the session is known. */
  owner: string | null;
  /** Times that it stayed undecided. Above 0 it can no longer be taken back: it may have arrived. */
  tries: number;
  /** Taken on a page that closed. */
  isLeft?: boolean;
  /** When a page left it first, in ms. */
  at?: number | undefined;
  running?: Promise<boolean> | undefined;
};

type Listeners = {
  /** @param isLast no other decision is on its way or can still be taken back */
  onSent: (decision: Decision, isLast: boolean) => void;
  /** The deck has another version, or was decided on by somebody else. */
  onChanged: (decision: Decision, now: Content) => void;
  onFailed: (decision: Decision, error: ApiError) => void;
};

/** Where no screen listens, nothing asks for a time, and a refusal is said as one. */
const elsewhere: Listeners = {
  onSent: () => {},
  onChanged: ({ content }) => showProblem(texts.approve.notDecided(content.result?.hook ?? '')),
  onFailed: (_, error) => showProblem(error),
};

/** A screen that comes to another deck would take what is being typed for the one that it shows. */
const listening = () => (document.querySelector('dialog[open], textarea:focus') ? elsewhere : listeners);

let waiting: readonly Waiting[] = [];
/** Decided here: off the queue although the server may still list them. */
const hidden = createStore<ReadonlyMap<string, Decision['kind']>>(new Map());
export const useHidden = hidden.use;
let listeners = elsewhere;

function hide(id: string, kind: Decision['kind'] | null): void {
  const next = new Map(hidden.get());
  if (kind === null) next.delete(id);
  else next.set(id, kind);
  hidden.set(next);
}

/** Decks that wait for a decision and have none yet that is still to be sent; undefined until it is known. */
export function usePending(): number | undefined {
  const decided = useHidden().size;
  const pending = useQuery(countsQuery).data?.pending;
  return pending === undefined ? undefined : pending - decided;
}

/** @returns gives the word back to what holds on every screen */
export function listenToDecisions(given: Listeners): () => void {
  listeners = given;
  return () => {
    listeners = elsewhere;
  };
}

export function decide(decision: Decision): void {
  const entry: Waiting = { ...decision, key: newKey(), timer: undefined, owner: ownerNow(), tries: 0 };
  entry.timer = setTimeout(() => void send(entry), undoMs);
  waiting = [...waiting, entry];
  hide(decision.content.id, decision.kind);
}

/** The decisions that are not sent yet and can be taken back, the newest last. */
export function undoable(): readonly Decision[] {
  return waiting.filter(isUndoable);
}

const isUndoable = ({ tries, running }: Waiting) => tries === 0 && running === undefined;

/** Takes the newest of them back. @returns null when there is none */
export function undo(): Decision | null {
  const last = waiting.findLast(isUndoable);
  if (last === undefined) return null;
  drop(last);
  hide(last.content.id, null);
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

/** The page is going away: the answers may not be seen, so the next page asks for them. */
function sendLeaving(): void {
  if (waiting.length === 0) return;
  writeLeft(
    waiting.map(({ content, kind, reason, key, owner, at }) => ({ content, kind, reason, key, owner, at })),
  );
  for (const entry of waiting) if (!entry.running) void send(entry, false, true);
}

/**
 * Sends again what a page left: the server answers the same key as before, or refuses what has changed since.
 */
function resumeLeft(): void {
  const owner = ownerNow();
  if (owner === null) return;
  const left = readLeft().filter(({ key }) => waiting.every(entry => entry.key !== key));
  for (const given of left.filter(found => found.owner === owner)) {
    const entry: Waiting = { ...given, timer: undefined, tries: 1, isLeft: true };
    waiting = [...waiting, entry];
    hide(given.content.id, given.kind);
    void send(entry);
  }
}

const leftName = 'decisions';
const readLeft = () => stillDue(readJson<Left<Decision>[]>(leftName) ?? [], Date.now());

function writeLeft(decisions: readonly (Omit<Left<Decision>, 'at'> & Pick<Waiting, 'at'>)[]): void {
  const others = readLeft().filter(({ key }) => decisions.every(decision => decision.key !== key));
  storeLeft([...others, ...decisions.map(decision => ({ ...decision, at: decision.at ?? Date.now() }))]);
}

/** Without storage, how they ended shows in the list of posts only. */
function storeLeft(left: readonly Left<Decision>[]): void {
  writeChoice(leftName, left.length > 0 ? JSON.stringify(left) : null);
}

/** Decisions of another person or workspace are never sent. */
function dropOthers(): void {
  const owner = ownerNow();
  if (owner === null) return;
  for (const entry of waiting) {
    entry.owner ??= owner;
    if (entry.owner === owner) continue;
    drop(entry);
    hide(entry.content.id, null);
  }
}

function drop(entry: Waiting): void {
  clearTimeout(entry.timer);
  const left = readLeft();
  if (left.some(({ key }) => key === entry.key)) storeLeft(left.filter(({ key }) => key !== entry.key));
  waiting = waiting.filter(other => other !== entry);
  if (waiting.every(({ tries }) => tries === 0)) closeToasts(parkedSlot);
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
    const { version, approvalStatus } = content;
    const body = { version, approvalStatus, ...(reason ? { reason } : {}) };
    const signal = AbortSignal.timeout(answerMs);
    await api.post(`/content/${content.id}/${kind}`, body, { key, keepalive, signal });
  } catch (error) {
    const { status, retryAfterMs: waitMs } = error as ApiError;
    // After another sign-in it would be sent for whoever that is, unless it is known whose it is.
    const isOwned = status !== 401 || entry.owner !== null;
    if (isUndecided(status, waitMs, entry.tries) && isOwned) return park(entry, isAsked, waitMs ?? 0);
    const now = isApiError(error, 'not_ready') ? await readNow(content.id).catch(() => null) : null;
    if (now) changed(entry, now);
    else {
      drop(entry);
      hide(content.id, null);
      listening().onFailed(entry, error as ApiError);
      void queryClient.invalidateQueries({ queryKey: ['content'] });
    }
    return false;
  }
  drop(entry);
  dropFromQueue(content.id);
  if (!entry.isLeft)
    listeners.onSent(
      entry,
      waiting.every(({ tries }) => tries > 0),
    );
  await queryClient.invalidateQueries({ queryKey: ['content'] });
  // It may come back with its next version.
  hide(content.id, null);
  return true;
}

function changed(entry: Waiting, now: Content): void {
  drop(entry);
  hide(entry.content.id, null);
  queryClient.setQueryData(contentQuery(now.id).queryKey, now);
  listening().onChanged(entry, now);
  void queryClient.invalidateQueries({ queryKey: ['content'] });
}

function park(entry: Waiting, isAsked: boolean, atLeastMs = 0): false {
  if (!waiting.includes(entry)) return false;
  entry.tries += 1;
  entry.timer = setTimeout(() => void send(entry), Math.max(retryAfterMs(entry.tries), atLeastMs));
  if (isAsked || entry.tries === 1) {
    showToast({
      slot: parkedSlot,
      text: texts.approve.parked,
      forMs: null,
      actions: [{ label: texts.common.tryAgain, onPress: () => void sendNow() }],
    });
  }
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
  if (query.queryKey[0] !== sessionQuery.queryKey[0]) return;
  dropOthers();
  resumeLeft();
});
addEventListener('online', retryParked);
addEventListener('pagehide', sendLeaving);
addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') sendLeaving();
  else retryParked();
});
