import type { Decider } from '@hookline/shared/contracts/content';
import type { ContentMoment } from '@hookline/shared/contracts/content-timeline';
import type { Sql, Transaction } from '@hookline/shared/postgres';
import type { MomentRow } from './record.ts';

export type NewMoment = {
  contentId: string;
  at: Date;
  what: Extract<
    ContentMoment['what'],
    | 'edited'
    | 'changes_requested'
    | 'scheduled'
    | 'withdrawn'
    | 'postponed'
    | 'due'
    | 'delivered'
    | 'not_delivered'
  >;
  by?: Decider | null;
  version?: number;
  scheduleId?: string;
  detail?: string | null;
};

export async function addMoment(tx: Transaction, moment: NewMoment): Promise<void> {
  const { contentId, at, what, by = null, version = null, scheduleId = null, detail = null } = moment;
  await tx.query(
    `insert into content_timeline (content_id, at, what, made_by, version, schedule_id, detail)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [contentId, at, what, by, version, scheduleId, detail],
  );
}

/** Lists the newest moments of a content, oldest first. @returns null if the account has no such content */
export async function listMoments(
  sql: Sql,
  accountId: string,
  contentId: string,
  limit: number,
): Promise<MomentRow[] | null> {
  const rows = await sql.query<MomentRow>(
    `with content as materialized (
       select c.*, a.name as app_name from contents c join apps a on a.id = c.app_id
       where c.id = $1 and c.account_id = $2
     ), moments (place, at, what, made_by, version, schedule_id, detail) as (
       select 1, created_at, 'made', case when origin_automation_id is null then made_by else jsonb_build_object(
         'kind', 'automation', 'id', origin_automation_id, 'name', 'Automation of ' || app_name) end, 1, null, waits_because
       from content
       union all
       select 2, updated_at, 'failed', null, null, null, error_code || ': ' || error_message
       from content where status = 'failed'
       union all
       select 3, created_at, 'charged', null, null, null, '1 credit'
       from credit_ledger where content_id = $1 and reason = 'generation'
       union all
       select 5, decided_at, decision, decided_by, version, null, reason from approvals where content_id = $1
       union all
       select 7, granted_at, 'sent', null, version, schedule_id, null from send_permits where content_id = $1
       union all
       select case what when 'edited' then 4 when 'changes_requested' then 5 when 'scheduled' then 6 else 8 end, at, what, made_by, version,
         schedule_id, detail
       from content_timeline where content_id = $1
     )
     select at, what, made_by as by, version, schedule_id as "scheduleId", detail
     from moments where exists (select 1 from content) order by moments.at desc, place desc limit $3`,
    [contentId, accountId, limit],
  );
  return rows.length === 0 ? null : rows.reverse();
}
