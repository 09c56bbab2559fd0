import type { LedgerRow } from '../manage/queries.ts';

type Row = Pick<LedgerRow, 'id' | 'amount' | 'contentId'> & { deck?: { appId: string } | undefined };

/** Rows of the ledger, those of one app's decks together and each grant by itself. */
export function ledgerGroups<R extends Row>(
  rows: readonly R[],
): { key: string; rows: readonly R[]; amount: number }[] {
  const groups = Map.groupBy(rows, ({ id, contentId, deck }) => (contentId ? (deck?.appId ?? '') : id));
  return [...groups].map(([key, found]) => ({
    key,
    rows: found,
    amount: found.reduce((sum, { amount }) => sum + amount, 0),
  }));
}
