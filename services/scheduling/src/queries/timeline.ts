import type { Sql, Transaction } from '@hookline/shared/postgres';
import { pauseIsOpen } from './sending-pauses.ts';

export async function addTimeline(
  tx: Transaction,
  scheduleId: string,
  at: Date,
  what: string,
  detail: string | null = null,
): Promise<void> {
  await tx.query('insert into schedule_timeline (schedule_id, at, what, detail) values ($1, $2, $3, $4)', [
    scheduleId,
    at,
    what,
    detail,
  ]);
}

/** Oldest first. While sending is paused, the timeline of a due schedule ends with the reason. */
export async function listTimeline(
  sql: Sql,
  scheduleId: string,
): Promise<{ at: string; what: string; detail: string | null }[]> {
  const rows = await sql.query<{ at: Date; what: string; detail: string | null }>(
    `(select at, what, detail from schedule_timeline where schedule_id = $1 order by id limit 1000)
     union all
     select greatest(p.paused_at, s.due_at)::timestamptz(3), 'paused',
       case when p.cause is null then 'the operator lets no post go out' else 'no post goes out' end
         || coalesce(': ' || p.reason, '')
     from schedules s join (select * from sending_pauses where ${pauseIsOpen}) p on true
     where s.id = $1 and s.due_at <= statement_timestamp()`,
    [scheduleId],
  );
  return rows.map(row => ({ ...row, at: row.at.toISOString() }));
}
