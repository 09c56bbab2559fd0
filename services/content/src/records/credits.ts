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
