import type { Sql, Transaction } from '@hookline/shared/postgres';
import { initsPerMinute } from '../timings.ts';
import { pauseIsOpen, sendingIsOn } from './sending-pauses.ts';

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

/** SQL: another schedule of the creator of `s` has a call whose outcome is open. */
const isBehindOpenCall = `exists (
  select 1 from attempts a where a.open_id = c.open_id and a.state = 'unconfirmed' and a.schedule_id <> s.id
)`;

/**
 * Oldest first. While a due schedule waits, its timeline ends with the reason: sending is paused, or its
 * creator may not be called. Claims pass over such schedules and park them at their turns, so no sender
 * writes it.
 */
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
     where s.id = $1 and s.due_at <= statement_timestamp()
     union all
     select greatest(s.scheduled_for, s.updated_at)::timestamptz(3), 'paced',
       case when ${isBehindOpenCall} then 'the outcome of another post of the account is open'
         else ceil(extract(epoch from greatest(c.next_init_at, s.due_at) - statement_timestamp()))
           || ' s until its turn: the account has ${initsPerMinute} posts a minute' end
     from schedules s
     join platform_accounts p on p.id = s.platform_account_id
     join creators c on c.open_id = p.open_id
     where s.id = $1 and s.scheduled_for <= statement_timestamp() and s.due_at is not null
       and s.held_since is null and coalesce(s.lease_until < statement_timestamp(), true) and ${sendingIsOn}
       and not exists (
         select 1 from attempts a where a.schedule_id = s.id and a.state in ('calling', 'unconfirmed')
       )
       and (
         c.next_init_at > statement_timestamp()
         or (s.status = 'pending' and s.due_at > statement_timestamp() and s.tries = 0 and s.resends = 0)
         or ${isBehindOpenCall}
       )`,
    [scheduleId],
  );
  return rows.map(row => ({ ...row, at: row.at.toISOString() }));
}
