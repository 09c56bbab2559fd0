import { useQueries, useQuery } from '@tanstack/react-query';
import { accountsQuery, workspaceQuery } from '../../queries.ts';
import { slotKey } from '../../rules/plan.ts';
import { freeSlotsQuery, offeredAccounts, offerOf, type SlotOffer } from '../../slot-offer.ts';
import type { Content } from '../../types.ts';

/**
 * Each deck in turn is offered the next free slot of each account that it may go to. Null while they are read.
 * @param taken the `slotKey` of slots that are not free any more although they were read as such
 */
export function useOffers(
  decks: readonly Content[],
  taken: ReadonlySet<string>,
): ReadonlyMap<string, SlotOffer[]> | null {
  const accounts = useQuery(accountsQuery);
  const workspace = useQuery(workspaceQuery);
  const accountsOf = (appId: string) => offeredAccounts(accounts.data ?? [], appId);
  const ids = [...new Set(decks.flatMap(({ appId }) => accountsOf(appId).map(({ id }) => id)))];
  const reads = useQueries({ queries: ids.map(freeSlotsQuery) });
  if ([accounts, workspace, ...reads].some(({ isPending }) => isPending)) return null;
  const zone = workspace.data?.timezone ?? 'UTC';
  const free = new Map(
    ids.map((id, index) => [id, (reads[index]?.data ?? []).filter(at => !taken.has(slotKey(id, at)))]),
  );
  const offersOf = (appId: string) =>
    accountsOf(appId).flatMap(account => {
      const at = free.get(account.id)?.shift();
      return at === undefined ? [] : [offerOf(account, at, zone)];
    });
  return new Map(decks.map(({ id, appId }) => [id, offersOf(appId)]));
}
