import type { LastChoices } from './choices.ts';

type Deck = { id: string; appId: string };
type Taker = { id: string; appId: string | null; status: string; slots: readonly unknown[] };

/** The accounts that have posting slots and may take one of the decks; the one used last comes first. */
export function takersOf<A extends Taker>(
  accounts: readonly A[],
  decks: readonly Deck[],
  last: LastChoices,
): A[] {
  return accounts
    .filter(({ status, slots }) => status === 'connected' && slots.length > 0)
    .filter(({ appId }) => appId === null || decks.some(deck => deck.appId === appId))
    .toSorted((a, b) => Number(b.id === last.accountId) - Number(a.id === last.accountId));
}

/**
 * Each deck in turn gets the next free slot of the account that was chosen, or of the first other one where that
 * account is of another app. Null: no account has a slot for it.
 */
export function planDecks<D extends Deck, A extends Taker>(
  decks: readonly D[],
  takers: readonly A[],
  freeSlots: ReadonlyMap<string, readonly string[]>,
): { deck: D; to: { account: A; at: string } | null }[] {
  const used = new Map<string, number>();
  return decks.map(deck => {
    const account = takers.find(({ appId }) => appId === null || appId === deck.appId);
    if (account === undefined) return { deck, to: null };
    const index = used.get(account.id) ?? 0;
    used.set(account.id, index + 1);
    const at = freeSlots.get(account.id)?.[index];
    return { deck, to: at === undefined ? null : { account, at } };
  });
}
