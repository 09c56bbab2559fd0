import type { Sql, Transaction } from '@hookline/shared/postgres';
import type { PlatformAccount } from '../accounts/record.ts';

/** Until the transaction ends, nobody else takes a slot of the account. */
export async function lockSlots(tx: Transaction, platformAccountId: string): Promise<void> {
  await tx.query('select 1 from platform_accounts where id = $1 for no key update', [platformAccountId]);
}

/** Times of the account's waiting schedules from a time on, ascending. */
export async function listWaitingTimes(
  sql: Sql,
  { id, accountId }: Pick<PlatformAccount, 'id' | 'accountId'>,
  from: Date,
): Promise<Date[]> {
  const rows = await sql.query<{ at: Date }>(
    `select scheduled_for as at from schedules
     where platform_account_id = $1 and status = 'pending' and scheduled_for > $2
     union all
     select scheduled_for from schedules
     where account_id = $3 and platform_account_id = $1 and status = 'sending' and scheduled_for > $2
     order by at`,
    [id, from, accountId],
  );
  return rows.map(({ at }) => at);
}
