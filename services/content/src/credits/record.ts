import { LedgerRow as LedgerEntry } from '@hookline/shared/contracts/credits';
import { type RowOf, recordOf } from '@hookline/shared/contracts/rows';
import { timeOfId } from '@hookline/shared/kernel';

export type CreditRow = { balance: number; granted: number; spent: number };

export type LedgerRow = RowOf<LedgerEntry>;

export function unopenedCredits(granted: number): CreditRow {
  return { balance: granted, granted, spent: 0 };
}

/**
 * Ids and time of a sign-up grant derive from the account's id, so that it reads the same before it is
 * written.
 */
export function signUpGrant(accountId: string, amount: number): LedgerRow {
  const id = accountId.replace(/^acct_/, 'credit_');
  const requestId = accountId.replace(/^acct_/, 'req_');
  const at = timeOfId(accountId);
  return { id, amount, reason: 'grant', contentId: null, requestId, createdAt: at, updatedAt: at };
}

export function toCredits(
  { balance, granted, spent }: CreditRow,
  daily: { limit: number; used: number; resetsAt: Date },
) {
  return {
    balance,
    granted,
    spent,
    dailyGeneration: { ...daily, resetsAt: daily.resetsAt.toISOString() },
  };
}

export function toLedgerEntry(row: LedgerRow): LedgerEntry {
  return recordOf(LedgerEntry, row);
}
