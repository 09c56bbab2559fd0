import type { Sql, Transaction } from '@hookline/shared/postgres';

/**
 * Claims the account that waits longest for a renewal of its grant, so that no other process renews it within
 * `claimMs`: one whose refresh token expires within a week, or with a post in the next 24 hours and an
 * expired access token. An account that was kept is left alone for six hours.
 * @returns its id, or null if no account needs it
 */
export async function claimForUpkeep(sql: Sql, now: Date, claimMs: number): Promise<string | null> {
  // The claim is a `kept_at` that is over after `claimMs`.
  const [row] = await sql.query<{ id: string }>(
    `update platform_accounts
     set kept_at = $1::timestamptz - interval '6 hours' + $2 * interval '1 ms'
     where id = (
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
       order by p.kept_at nulls first, p.id limit 1 for update skip locked
     )
     returning id`,
    [now, claimMs],
  );
  return row?.id ?? null;
}

/** The account's grant was checked: it is left alone for six hours. */
export async function markKept(sql: Sql, id: string, now: Date): Promise<void> {
  await sql.query('update platform_accounts set kept_at = $2 where id = $1', [id, now]);
}

/** Adds a line to the timeline of every schedule that waits for the account, unless it ends with it. */
export async function addTimelineOfWaiting(
  tx: Transaction,
  platformAccountId: string,
  at: Date,
  what: string,
  detail: string,
): Promise<void> {
  await tx.query(
    `insert into schedule_timeline (schedule_id, at, what, detail)
     select s.id, $2, $3, $4 from schedules s
     where s.platform_account_id = $1 and s.status = 'pending' and not exists (
       select 1 from (
         select t.what, t.detail from schedule_timeline t where t.schedule_id = s.id order by t.id desc limit 1
       ) newest
       where newest.what = $3 and newest.detail = $4)`,
    [platformAccountId, at, what, detail],
  );
}
