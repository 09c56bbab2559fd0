/** What Approve shows, and how it comes to another deck. */
import type { Content } from '../types.ts';

/**
 * How much of the deck a person has had before the eyes: nothing yet, its first slide just now (`painted`), or
 * long enough to mean a tap (`ready`). `failed`: the first slide could not be loaded.
 */
export type Look = 'loading' | 'painted' | 'ready' | 'failed';

type OnScreen = {
  /** As it came on screen: this is what is decided on. */
  seen: Content;
  /** As it was read last. */
  now: Content;
  /** Its place in the queue, or the one it had there. */
  index: number;
  look: Look;
};

/**
 * `choosing`: it is not known yet which deck to show. `showing`: the deck waits for a decision. `gone`: it does
 * not, or no longer. `empty`: no deck waits.
 */
export type Place =
  | { is: 'choosing'; id: string | null }
  | ({ is: 'showing' | 'gone' } & OnScreen)
  | { is: 'empty' };

/** @property isWhole the queue was read to both of its ends */
export type Queue = { decks: readonly Content[]; isWhole: boolean };
export type State = Queue & { place: Place };

export type Action =
  /** @property asked the deck that `idOf` names, where it is not among `decks` and was read for itself */
  | ({ is: 'read'; asked?: Content | undefined } & Queue)
  | { is: 'show'; seen: Content; now: Content }
  | { is: 'look'; look: Look }
  | { is: 'move'; by: 1 | -1 }
  | { is: 'decided'; id: string }
  /** Looks at the newest version of the deck on screen. */
  | { is: 'accept' }
  /** Gives up the deck that is asked for. */
  | { is: 'choose' };

export function begin(id: string | null): State {
  return { place: { is: 'choosing', id }, decks: [], isWhole: false };
}

export function onScreen(place: Place): (OnScreen & { is: 'showing' | 'gone' }) | null {
  return place.is === 'showing' || place.is === 'gone' ? place : null;
}

/** The deck that is on screen or asked for. */
export function idOf(place: Place): string | null {
  return place.is === 'choosing' ? place.id : (onScreen(place)?.seen.id ?? null);
}

export function mayApprove(place: Place): boolean {
  return place.is === 'showing' && place.look === 'ready';
}

/** A deck whose picture cannot be loaded would wait for ever. */
export function mayReject(place: Place): boolean {
  return mayApprove(place) || (place.is === 'showing' && place.look === 'failed');
}

export function hasChanged(place: Place): boolean {
  return place.is === 'showing' && place.seen.version !== place.now.version;
}

/** The deck beside the one on screen. The place of a deck that is not in the queue has the one after it. */
export function neighbour({ place, decks }: State, by: 1 | -1): Content | undefined {
  const shown = onScreen(place);
  if (shown === null) return undefined;
  const isListed = decks[shown.index]?.id === shown.seen.id;
  return decks[by === 1 && !isListed ? shown.index : shown.index + by];
}

export function reduce(state: State, action: Action): State {
  const { place } = state;
  const shown = onScreen(place);
  switch (action.is) {
    case 'read':
      return { ...action, place: placeAfter(place, action, action.asked) };
    case 'show':
      return show(state, action.seen, action.now);
    case 'look':
      return shown === null ? state : { ...state, place: { ...shown, look: action.look } };
    case 'move': {
      const next = neighbour(state, action.by);
      if (next !== undefined) return show(state, next);
      return place.is === 'gone' ? { ...state, place: first(state) } : state;
    }
    case 'decided': {
      const left = { ...state, decks: state.decks.filter(({ id }) => id !== action.id) };
      if (shown?.seen.id !== action.id) return { ...left, place: placeAfter(place, left) };
      const next = neighbour(left, 1) ?? neighbour(left, -1);
      return next ? show(left, next) : { ...left, place: first(left) };
    }
    case 'accept':
      return shown === null ? state : { ...state, place: { ...shown, seen: shown.now, look: 'loading' } };
    case 'choose':
      return { ...state, place: first(state) };
  }
}

function show(state: State, seen: Content, now = seen): State {
  const found = state.decks.findIndex(({ id }) => id === seen.id);
  const index = found < 0 ? (onScreen(state.place)?.index ?? 0) : found;
  return { ...state, place: { is: 'showing', seen, now, index, look: 'loading' } };
}

function placeAfter(place: Place, queue: Queue, asked?: Content): Place {
  const id = idOf(place);
  if (id === null) return first(queue);
  const found = queue.decks.findIndex(deck => deck.id === id);
  const now = queue.decks[found] ?? (asked?.id === id ? asked : undefined);
  // What somebody looks at stays on screen until it is known what became of it.
  if (now === undefined) return place;
  const shown = onScreen(place);
  const isWaiting = now.status === 'ready' && now.approvalStatus === 'pending' && !now.changesRequested;
  return {
    is: isWaiting ? 'showing' : 'gone',
    seen: shown?.seen.result ? shown.seen : now,
    now,
    index: found < 0 ? Math.min(shown?.index ?? 0, queue.decks.length) : found,
    look: shown?.look ?? 'loading',
  };
}

function first({ decks: [deck], isWhole }: Queue): Place {
  if (deck) return { is: 'showing', seen: deck, now: deck, index: 0, look: 'loading' };
  return isWhole ? { is: 'empty' } : { is: 'choosing', id: null };
}
