import { usableAccounts } from './choices.ts';

/** As many free slots as an account tells at once. */
export const planMax = 50;

type Deck = {
  id: string;
  appId: string;
  experimentId: string | null;
  result: { bodySlides: readonly unknown[] } | null;
};
type Taker = { appId: string | null; status: string; slots: readonly unknown[] };

/** The accounts that have posting slots and may take decks of an app. */
export function takersOf<A extends Taker>(accounts: readonly A[], app: string): A[] {
  return usableAccounts(accounts, app).filter(({ slots }) => slots.length > 0);
}

export const slotKey = (accountId: string, at: string): string => `${accountId} ${at}`;

/**
 * Each deck in turn gets the next free slot of that account of its app which has the fewest. Copies that are
 * compared by their hooks never share an account. Null: none is left, or chosen.
 * @param busy accounts that have a deck already, named once for each
 * @param wishes the `slotKey` that somebody chose for a deck, by its id
 */
export function planDecks<D extends Deck, A extends { id: string }>(
  decks: readonly D[],
  accountsOf: (appId: string) => readonly A[],
  freeSlots: ReadonlyMap<string, readonly string[]>,
  busy: readonly string[] = [],
  wishes: ReadonlyMap<string, string> = new Map(),
): { deck: D; to: { account: A; at: string } | null }[] {
  const given: { id: string; slides: string | null }[] = [];
  const taken = new Set(decks.map(({ id }) => wishes.get(id)));
  return decks.map(deck => {
    const slides = deck.experimentId && `${deck.experimentId} ${JSON.stringify(deck.result?.bodySlides)}`;
    const open = accountsOf(deck.appId).flatMap(account => {
      const own = given.filter(({ id }) => id === account.id);
      const free = freeSlots.get(account.id) ?? [];
      const wish = free.find(at => slotKey(account.id, at) === wishes.get(deck.id));
      const at = wish ?? free.find(at => !taken.has(slotKey(account.id, at)));
      if (at === undefined || (slides && own.some(one => one.slides === slides))) return [];
      return { account, at, load: wish ? -1 : own.length + busy.filter(id => id === account.id).length };
    });
    const [first] = open.toSorted((one, other) => one.load - other.load);
    if (!first) return { deck, to: null };
    given.push({ id: first.account.id, slides });
    taken.add(slotKey(first.account.id, first.at));
    return { deck, to: { account: first.account, at: first.at } };
  });
}
