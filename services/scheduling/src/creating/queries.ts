import type { Sql } from '@hookline/shared/postgres';
import { workspaceSends } from '../pauses/queries.ts';

/** A schedule is `settled` once the platform answered, or it is over, held, paced, paused or put off. */
export async function findSendProgress(sql: Sql, id: string): Promise<'open' | 'settled'> {
  const [row] = await sql.query<{ open: boolean }>(
    `select status in ('pending', 'sending')
       and (lease_until is not null or (due_at <= clock_timestamp() and ${workspaceSends('s.account_id')}))
       and not exists (
         select 1 from attempts a
         where a.schedule_id = s.id and a.state in ('accepted', 'unconfirmed', 'delivered', 'failed')
       )
       and not exists (
         select 1 from platform_accounts p join creators c on c.open_id = p.open_id
         where p.id = s.platform_account_id and s.lease_until is null and c.next_init_at > clock_timestamp()
       ) as open
     from schedules s where id = $1`,
    [id],
  );
  return row?.open ? 'open' : 'settled';
}

/** @returns true if the platform accepted a call of this schedule, or may have. */
export function hasAcceptedCall(sql: Sql, id: string): Promise<boolean> {
  return sql.exists(
    `select 1 from attempts
     where schedule_id = $1 and state in ('accepted', 'unconfirmed', 'delivered', 'failed', 'unknown') limit 1`,
    [id],
  );
}
