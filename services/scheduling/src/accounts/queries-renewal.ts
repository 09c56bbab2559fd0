import type { Sql } from '@hookline/shared/postgres';
import type { WriteContext } from '../context.ts';

/**
 * Claims accounts whose grants need a renewal. Those come first whose access token ends before a post of the
 * next ten minutes: a schedule, or the firing of an automation that asked for one at this time of a day in
 * the last week. Then those whose refresh token expires within a week, or with a post in the next 24 hours
 * and an expired access token; these are checked once in six hours.
 */
export function claimForUpkeep(sql: Sql, now: Date, countMax: number): Promise<string[]> {
  return sql.column<string>(
    `with soon as materialized (
       select platform_account_id as id from schedules
       where status = 'pending' and due_at between $1::timestamptz and $1::timestamptz + interval '10 minutes'
       union
       select r.platform_account_id
       from generate_series(1, 7) days
       join schedule_requests r on r.created_at between $1::timestamptz - days * interval '1 day'
         and $1::timestamptz - days * interval '1 day' + interval '10 minutes'
     )
     update platform_accounts set kept_at = $1
     where id in (
       select p.id from platform_accounts p left join soon on soon.id = p.id
       where p.status = 'connected' and p.deleted_at is null and (
         (
           soon.id is not null and p.access_expires_at < $1::timestamptz + interval '12 minutes'
           and coalesce(p.kept_at, '-infinity') < $1::timestamptz - interval '10 minutes'
         )
         or (
           coalesce(p.kept_at, '-infinity') < $1::timestamptz - interval '6 hours'
           and (
             p.refresh_expires_at < $1::timestamptz + interval '7 days'
             or (p.access_expires_at < $1 and exists (
               select 1 from schedules s
               where s.platform_account_id = p.id and s.status = 'pending'
                 and s.scheduled_for < $1::timestamptz + interval '24 hours'))
           )
         )
       )
       order by soon.id, p.kept_at nulls first, p.id limit $2 for update of p skip locked
     )
     returning id`,
    [now, countMax],
  );
}

/** Makes the account due again after a check without an answer, behind those that wait longer. */
export async function returnForUpkeep(sql: Sql, id: string, now: Date): Promise<void> {
  await sql.query(
    `update platform_accounts set kept_at = $2::timestamptz - interval '6 hours 1 second' where id = $1`,
    [id, now],
  );
}

/** Adds a line to the timeline of every schedule that waits for the account, unless it ends with it. */
export async function addTimelineOfWaiting(
  { tx, now }: WriteContext,
  platformAccountId: string,
  { what, detail }: { what: string; detail: string },
): Promise<void> {
  await tx.query(
    `insert into schedule_timeline (schedule_id, at, what, detail)
     select s.id, $2, $3, $4 from schedules s
     where s.platform_account_id = $1 and s.status = 'pending' and not exists (
       select 1 from (
         select t.what, t.detail from schedule_timeline t where t.schedule_id = s.id order by t.id desc limit 1
       ) newest
       where newest.what = $3 and newest.detail = $4)`,
    [platformAccountId, now, what, detail],
  );
}
