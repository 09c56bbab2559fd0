/** Gauges of the queue and of open calls: one index lookup each, regardless of table size. */
import type { Sql } from '@hookline/shared/postgres';

// Of the longest due schedules this many are checked; beyond them all wait for their creators.
const examinedMax = 500;

/**
 * Seconds for which the longest due schedule has not been claimed although its creator is free; 0 if there is
 * none.
 */
export async function findOverdueSeconds(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ seconds: number }>(
    `with front as (
       select due_at, platform_account_id from schedules
       where due_at <= statement_timestamp() and coalesce(lease_until < statement_timestamp(), true)
       order by due_at limit $1
     )
     select coalesce(extract(epoch from statement_timestamp() - min(f.due_at)), 0)::float8 as seconds
     from front f
     join platform_accounts p on p.id = f.platform_account_id
     join creators c on c.open_id = p.open_id
     where coalesce(c.next_init_at, '-infinity') <= statement_timestamp()
       and not exists (
         select 1 from attempts a where a.open_id = c.open_id and a.state in ('calling', 'unconfirmed')
       )`,
    [examinedMax],
  );
  return row?.seconds ?? 0;
}

export type Unsettled = { state: 'calling' | 'unconfirmed' | 'accepted'; count: number; ageSeconds: number };

/** Attempts whose outcome is open, by state. States without attempts are left out. */
export function listUnsettled(sql: Sql): Promise<Unsettled[]> {
  return sql.query<Unsettled>(
    `select state, count(*) as count,
       extract(epoch from clock_timestamp() - min(started_at))::float8 as "ageSeconds"
     from (
       select state, started_at from attempts where state in ('calling', 'unconfirmed')
       union all
       select state, started_at from attempts where next_poll_at is not null and state = 'accepted'
     ) open
     group by state`,
  );
}
