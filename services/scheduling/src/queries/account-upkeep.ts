import type { Sql, Transaction } from '@hookline/shared/postgres';

/**
 * Claims accounts whose grant needs renewal, so that no other process renews it within six hours: those
 * whose refresh token expires within a week, and those with a post in the next 24 hours and an expired access
 * token.
 */
export async function claimForUpkeep(sql: Sql, now: Date, countMax: number): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `update platform_accounts set kept_at = $1
     where id in (
       select p.id from platform_accounts p
       where p.status = 'connected' and p.deleted_at is null
         and coalesce(p.kept_at, '-infinity') < $1::timestamptz - interval '6 hours'
         and (
           p.refresh_expires_at < $1::timestamptz + interval '7 days'
           or (p.access_expires_at < $1 and exists (
             select 1 from schedules s
             where s.platform_account_id = p.id and s.status = 'pending'
               and s.scheduled_for < $1::timestamptz + interval '24 hours'))
         )
       order by p.id limit $2 for update skip locked
     )
     returning id`,
    [now, countMax],
  );
  return rows.map(({ id }) => id);
}

/** Adds a line to the timeline of every schedule that waits for the account. */
export async function addTimelineOfWaiting(
  tx: Transaction,
  platformAccountId: string,
  at: Date,
  what: string,
  detail: string,
): Promise<void> {
  await tx.query(
    `insert into schedule_timeline (schedule_id, at, what, detail)
     select id, $2, $3, $4 from schedules where platform_account_id = $1 and status = 'pending'`,
    [platformAccountId, at, what, detail],
  );
}
