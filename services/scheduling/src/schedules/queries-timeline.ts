import type { Sql } from '@hookline/shared/postgres';
import type { WriteContext } from '../context.ts';
import { pauseIsOpen, workspaceSends } from '../pauses/queries.ts';
import { initsPerMinute } from '../timings.ts';

export async function addTimeline(
  { tx, now }: WriteContext,
  scheduleId: string,
  what: string,
  detail: string | null = null,
): Promise<void> {
  await tx.query('insert into schedule_timeline (schedule_id, at, what, detail) values ($1, $2, $3, $4)', [
    scheduleId,
    now,
    what,
    detail,
  ]);
}

/** The newest line goes if it says no more than that a sender looked. */
export async function removeClaimLine({ tx }: WriteContext, scheduleId: string): Promise<void> {
  await tx.query(
    `delete from schedule_timeline
     where id = (select max(id) from schedule_timeline where schedule_id = $1) and what = 'sending'`,
    [scheduleId],
  );
}

/** Another schedule of the creator of `s` has a call whose outcome is open. */
const isBehindOpenCall = `exists (
  select 1 from attempts a where a.open_id = c.open_id and a.state = 'unconfirmed' and a.schedule_id <> s.id
)`;

// A schedule with such a newest line has been called for or has ended: a pause does not hold it back.
const underWayOrOver = `('attempt_started', 'accepted', 'unconfirmed', 'found', 'due', 'sent', 'public',
  'no_longer_public', 'posted_by_creator', 'failed')`;

const storedLines = `
  select id::float8 as place, at, what, detail from schedule_timeline where schedule_id = $1 order by id desc limit 1000`;

/**
 * A pause of all sending is stored once, so that its end costs the same however many schedules waited. It is
 * shown with those that were due meanwhile, behind the newest line that they had by its end.
 */
const pauseLines = `
  select newest.id + 0.5, greatest(p.paused_at, s.scheduled_for, newest.at), 'paused',
    case
      when p.is_open and p.of_account is not null then 'an owner has stopped every post of the workspace'
      when p.of_account is not null then 'an owner stopped every post of the workspace until '
      when p.is_open and p.cause is null then 'the operator lets no post go out'
      when p.is_open then 'no post goes out'
      when p.cause is null then 'the operator let no post go out until '
      else 'no post went out until '
    end
      || case when p.is_open then '' else to_char(p.until at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end
      || coalesce(': ' || p.reason, '')
  from schedules s
  join (
    select *, ${pauseIsOpen} as is_open, least(resumed_at, ends_at, statement_timestamp()) as until
    from sending_pauses
  ) p on (p.of_account is null or p.of_account = s.account_id)
    and greatest(s.scheduled_for, p.paused_at) <= p.until
  cross join lateral (
    select id, at, what from schedule_timeline t where t.schedule_id = s.id and t.at <= p.until
    order by id desc limit 1
  ) newest
  where s.id = $1 and newest.what not in ${underWayOrOver}`;

/**
 * A due schedule whose creator may not be called says so in its last line. Claims pass over it and park it at
 * its turn, so no sender writes the line.
 */
const turnLine = `
  select 'infinity', greatest(s.scheduled_for, s.updated_at)::timestamptz(3), 'paced',
    case when ${isBehindOpenCall} then 'the outcome of another post of the account is open'
      else ceil(extract(epoch from greatest(c.next_init_at, s.due_at) - statement_timestamp()))
        || ' s until its turn: the account has ${initsPerMinute} posts a minute' end
  from schedules s
  join platform_accounts p on p.id = s.platform_account_id
  join creators c on c.open_id = p.open_id
  where s.id = $1 and s.scheduled_for <= statement_timestamp() and s.due_at is not null
    and (s.held_since is null or s.tries + s.resends > 0) and coalesce(s.lease_until < statement_timestamp(), true) and ${workspaceSends('s.account_id')}
    and not exists (select 1 from attempts a where a.schedule_id = s.id and a.state in ('calling', 'unconfirmed'))
    and (
      c.next_init_at > statement_timestamp()
      or (s.status = 'pending' and s.due_at > statement_timestamp() and s.tries = 0 and s.resends = 0)
      or ${isBehindOpenCall}
    )`;

/** The oldest line is first. */
export async function listTimeline(
  sql: Sql,
  scheduleId: string,
): Promise<{ at: string; what: string; detail: string | null }[]> {
  const rows = await sql.query<{ at: Date; what: string; detail: string | null }>(
    `(${storedLines}) union all ${pauseLines} union all ${turnLine} order by place, at`,
    [scheduleId],
  );
  return rows.map(({ at, what, detail }) => ({ at: at.toISOString(), what, detail }));
}
