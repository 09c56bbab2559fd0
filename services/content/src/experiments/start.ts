import { appendEvent } from '@hookline/shared/bus';
import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import type * as contracts from '@hookline/shared/contracts/experiments';
import type { BodyOf } from '@hookline/shared/contracts/route';
import { experimentStarted } from '@hookline/shared/events';
import type { Caller } from '@hookline/shared/http';
import { newId } from '@hookline/shared/kernel';
import type { Transaction } from '@hookline/shared/postgres';
import { applyEdit, getEditable } from '../contents/edit.ts';
import type { ContentRow, ContentWithImages } from '../contents/record.ts';
import type { ContentDeps } from '../deps.ts';
import type { ImageRow } from '../images/record.ts';
import { insertCopy } from '../jobs/duplicate.ts';
import { lockNamed, type NamedDeck, setExperiment } from './queries.ts';

type Order = {
  caller: Caller;
  params: { id: string };
  body: BodyOf<typeof contracts.startExperiment>;
  requestId: string;
};

type DrawnCopies = { source: ContentWithImages; copies: { copy: ContentRow; images: ImageRow[] }[] };

/**
 * Draws a copy of the deck for each hook.
 * @throws ApiError `not_found`, `invalid_request`, and what an edit of the deck would be refused with
 */
export async function drawCopies(deps: ContentDeps, { caller, params, body }: Order): Promise<DrawnCopies> {
  const source = await getEditable(deps, caller.accountId, params.id);
  const { hooks = [] } = body;
  if (new Set([source.result?.hook, ...hooks]).size <= hooks.length) {
    throw invalidRequest('hooks must differ from each other and from the hook of the deck');
  }
  const copies: DrawnCopies['copies'] = [];
  for (const [i, hook] of hooks.entries()) {
    const copied = { ...source, id: newId('content', deps.now().getTime()) };
    const { images, ...edited } = await applyEdit(deps, copied, { hook }, { hookField: `hooks[${i}]` });
    copies.push({ copy: { ...copied, ...edited }, images });
  }
  return { source, copies };
}

/**
 * Names the decks, with copies, and the hours before any of them is posted.
 * @throws ApiError `already_sent`, `invalid_request`, and for copies as a duplicate
 */
export async function startExperiment(
  deps: ContentDeps,
  tx: Transaction,
  { caller, body, requestId }: Order,
  { source, copies }: DrawnCopies,
): Promise<contracts.StartedExperiment> {
  const { accountId } = caller;
  const { readAfterHours, against = [] } = body;
  const ids = [source.id, ...against];
  if (new Set(ids).size < ids.length) throw invalidRequest('against must name each deck once');
  const named = await lockNamed(tx, accountId, ids);
  requireComparable(ids, named, source);
  const made: NamedDeck[] = [];
  for (const drawn of copies) {
    const copy = await insertCopy(deps, tx, { caller, requestId, ...drawn });
    made.push({ ...copy, hook: copy.result!.hook, isSent: false });
  }
  const decks = [...ids.map(id => named.find(deck => deck.id === id)!), ...made];
  const hooks = new Set(decks.map(({ hook }) => hook)).size;
  if (hooks < 2 || hooks > 3) {
    throw invalidRequest(`hooks and against must make two or three hooks in all, not ${hooks}`);
  }
  const now = deps.now();
  const id = newId('experiment', now.getTime());
  const { appId } = source;
  await setExperiment(
    tx,
    id,
    decks.map(deck => deck.id),
  );
  const started = decks.map(deck => ({ contentId: deck.id, version: deck.version, hook: deck.hook! }));
  const data = { appId, readAfterHours, decks: started };
  await appendEvent(tx, experimentStarted, { accountId, subject: id, source: 'content', at: now, data });
  const told = started.map(({ contentId, hook }) => ({ contentId, hook }));
  return { id, appId, readAfterHours, createdAt: now.toISOString(), decks: told };
}

function requireComparable(
  ids: readonly string[],
  decks: readonly NamedDeck[],
  { appId, version, id: first }: ContentRow,
): void {
  const unknown = ids.find(id => !decks.some(deck => deck.id === id));
  if (unknown !== undefined) throw invalidRequest(`against must name decks of the app; ${unknown} is none`);
  const foreign = decks.find(deck => deck.appId !== appId);
  if (foreign) throw invalidRequest(`against must name decks of one app, and ${foreign.id} is of another`);
  const fieldOf = ({ id }: NamedDeck) => (id === first ? 'id' : 'against');
  const unready = decks.find(deck => deck.status !== 'ready' || deck.approvalStatus === 'rejected');
  if (unready) {
    throw invalidRequest(
      `${fieldOf(unready)} must name no deck that is not ready or was rejected, as ${unready.id} is`,
    );
  }
  if (decks.some(({ isSent }) => isSent)) {
    throw new ApiError('already_sent', 'An experiment is named before any of its decks is posted.');
  }
  const taken = decks.find(({ experimentId }) => experimentId !== null);
  if (taken) {
    throw invalidRequest(`${fieldOf(taken)} must name no deck of another experiment, as ${taken.id} is`);
  }
  if (decks.some(deck => deck.id === first && deck.version !== version)) {
    const message = 'The deck was edited in the meantime; send the request again.';
    throw invalidRequest(message, { status: 409, retryAfterSeconds: 1 });
  }
}
