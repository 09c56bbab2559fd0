import { usableAccounts } from './choices.ts';

type Deck = { id: string; appId: string };
type Taker = { appId: string | null; status: string; slots: readonly unknown[] };

/** The accounts that have posting slots and may take decks of an app. */
export function takersOf<A extends Taker>(accounts: readonly A[], app: string): A[] {
  return usableAccounts(accounts, app).filter(({ slots }) => slots.length > 0);
}

/** Each deck in turn gets the next free slot of its app's account. Null: that has none, or is not chosen. */
export function planDecks<D extends Deck, A extends { id: string }>(
  decks: readonly D[],
  accountOf: (appId: string) => A | null,
  freeSlots: ReadonlyMap<string, readonly string[]>,
): { deck: D; to: { account: A; at: string } | null }[] {
  const used = new Map<string, number>();
  return decks.map(deck => {
    const account = accountOf(deck.appId);
    if (account === null) return { deck, to: null };
    const index = used.get(account.id) ?? 0;
    used.set(account.id, index + 1);
    const at = freeSlots.get(account.id)?.[index];
    return { deck, to: at === undefined ? null : { account, at } };
  });
}
