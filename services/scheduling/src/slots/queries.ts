import type { Sql } from '@hookline/shared/postgres';
import type { PlatformAccount } from '../accounts/record.ts';

/** Times of the account's waiting schedules from a time on, ascending. @param except the one that is moved */
export function listWaitingTimes(
  sql: Sql,
  { id, accountId }: Pick<PlatformAccount, 'id' | 'accountId'>,
  from: Date,
  except = '',
): Promise<Date[]> {
  return sql.column<Date>(
    `select scheduled_for as at from schedules
     where platform_account_id = $1 and status in ('pending', 'due') and scheduled_for > $2
       and id <> $4
     union all
     select scheduled_for from schedules
     where account_id = $3 and platform_account_id = $1 and status = 'sending' and scheduled_for > $2
     order by at`,
    [id, from, accountId, except],
  );
}
