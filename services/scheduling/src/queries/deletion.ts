/** What this schema stores of a workspace. Children before parents. */
import { type DeletionStep, ofAccount, where } from '@hookline/shared/leaving';
import type { Sql } from '@hookline/shared/postgres';

const ofSchedules = 'schedule_id in (select id from schedules where account_id = $1)';

export const deletionSteps: readonly DeletionStep[] = [
  ofAccount('connect_states'),
  ofAccount('schedule_requests'),
  where('attempts', ofSchedules),
  where('schedule_timeline', ofSchedules),
  ofAccount('schedules'),
  {
    // A creator is deleted with the last account that is connected for them.
    table: 'platform_accounts',
    statement: `with gone as (
        delete from platform_accounts
        where ctid = any(array(select ctid from platform_accounts where account_id = $1 limit $2))
        returning open_id
      ),
      creators_gone as (
        delete from creators c where open_id in (select open_id from gone)
          and not exists (select 1 from platform_accounts p where p.open_id = c.open_id and p.account_id <> $1)
          and not exists (select 1 from attempts a where a.open_id = c.open_id)
      )
      select count(*)::int as count from gone`,
  },
  ofAccount('idempotency_keys'),
];

/** The next platform account of the workspace, by id, that still has tokens. Null: none after `afterId`. */
export async function findAccountToRevoke(
  sql: Sql,
  accountId: string,
  afterId: string,
): Promise<{ id: string; openId: string } | null> {
  const [row] = await sql.query<{ id: string; openId: string }>(
    `select id, open_id as "openId" from platform_accounts
     where account_id = $1 and id > $2 and (access_token_sealed is not null or refresh_token_sealed is not null)
     order by id limit 1`,
    [accountId, afterId],
  );
  return row ?? null;
}

export async function countAccountsToRevoke(sql: Sql, accountId: string): Promise<number> {
  const rows = await sql.query<{ count: number }>(
    `select count(*)::int as count from platform_accounts
     where account_id = $1 and (access_token_sealed is not null or refresh_token_sealed is not null)`,
    [accountId],
  );
  return rows[0]?.count ?? 0;
}
