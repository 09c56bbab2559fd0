import { timeOfId } from '@hookline/shared/kernel';

export type CreditRow = { balance: number; granted: number; spent: number };

export type LedgerRow = {
  id: string;
  amount: number;
  reason: 'grant' | 'generation';
  contentId: string | null;
  requestId: string | null;
  createdAt: Date;
  updatedAt: Date;
};

/** Credits of an account without a row: it is written with the first generation. */
export function unopenedCredits(granted: number): CreditRow {
  return { balance: granted, granted, spent: 0 };
}

/**
 * The sign-up grant of an account. Ids and time derive from the account's id, so that the row is the same
 * before and after it is written.
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

export function toLedgerEntry(row: LedgerRow) {
  return { ...row, createdAt: row.createdAt.toISOString(), updatedAt: row.updatedAt.toISOString() };
}
