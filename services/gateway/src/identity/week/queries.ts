import type { Transaction } from '@hookline/shared/postgres';

/** `dueAt`: null for the first week of a workspace, of which there is no mail. */
export type DueWeek = { accountId: string; timezone: string; dueAt: Date | null };

/** Locks the workspace whose week is due first. */
export function lockDueWeek(tx: Transaction, now: Date): Promise<DueWeek | null> {
  return tx.row<DueWeek>(
    `select account_id as "accountId", timezone, nullif(week_mail_at, '-infinity') as "dueAt" from workspaces
     where week_mail_at <= $1 order by week_mail_at limit 1 for no key update skip locked`,
    [now],
  );
}

export async function setNextWeek(tx: Transaction, accountId: string, at: Date): Promise<void> {
  await tx.query('update workspaces set week_mail_at = $2 where account_id = $1', [accountId, at]);
}
