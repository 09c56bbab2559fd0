import type { Schedule } from '@hookline/shared/contracts/schedules';
import { type DeletionStep, ofAccount, where } from '@hookline/shared/leaving';
import type { Invariant, Sql } from '@hookline/shared/postgres';
import { workspaceSends } from '../pauses/queries.ts';

// Each part has its own index.
const ofWorkspace = "account_id = $1 and (status = 'sending' or status <> 'sending')";
const ofSchedules = `schedule_id in (select id from schedules where ${ofWorkspace})`;

/** Children come before parents. */
export const deletionSteps: readonly DeletionStep[] = [
  ofAccount('connect_states'),
  ofAccount('schedule_requests'),
  where('attempts', ofSchedules),
  // A call of a withdrawn schedule names the creator alone and goes with the last workspace that posts for it.
  where(
    'attempts',
    `schedule_id is null and open_id in (select open_id from platform_accounts where account_id = $1)
       and open_id not in (select open_id from platform_accounts where account_id <> $1)`,
  ),
  where('schedule_timeline', ofSchedules),
  where('post_readings', ofSchedules),
  where('schedules', ofWorkspace),
  {
    // A creator is deleted with the last account that was connected for them.
    table: 'platform_accounts',
    statement: `with gone as (
        delete from platform_accounts
        where ctid = any(array(select ctid from platform_accounts where account_id = $1 limit $2))
        returning id, open_id
      ),
      creators_gone as (
        delete from creators c where open_id in (select open_id from gone)
          and not exists (select 1 from platform_accounts p where p.open_id = c.open_id and p.id not in (select id from gone))
          and not exists (select 1 from attempts a where a.open_id = c.open_id)
      )
      select count(*)::int as count from gone`,
  },
  where('sending_pauses', 'of_account = $1'),
  ofAccount('idempotency_keys'),
];

/** @returns the next account after `afterId` that still has tokens. */
export function findAccountToRevoke(
  sql: Sql,
  accountId: string,
  afterId: string,
): Promise<{ id: string; openId: string } | null> {
  return sql.row<{ id: string; openId: string }>(
    `select id, open_id as "openId" from platform_accounts
     where account_id = $1 and id > $2 and (access_token_sealed is not null or refresh_token_sealed is not null)
     order by id limit 1`,
    [accountId, afterId],
  );
}

export async function countAccountsToRevoke(sql: Sql, accountId: string): Promise<number> {
  const rows = await sql.query<{ count: number }>(
    `select count(*)::int as count from platform_accounts
     where account_id = $1 and (access_token_sealed is not null or refresh_token_sealed is not null)`,
    [accountId],
  );
  return rows[0]?.count ?? 0;
}

// So many of the longest due schedules are checked; beyond them all wait for their creators.
const examinedMax = 500;

/** Only a schedule whose creator is free counts; 0: there is none. */
export async function findOverdueSeconds(sql: Sql): Promise<number> {
  const found = await sql.value<number | null>(
    `with front as (
       select due_at, platform_account_id from schedules
       where due_at <= statement_timestamp() and coalesce(lease_until < statement_timestamp(), true)
       order by due_at limit $1
     )
     select coalesce(extract(epoch from statement_timestamp() - min(f.due_at)), 0)::float8 as seconds
     from front f
     join platform_accounts p on p.id = f.platform_account_id
     join creators c on c.open_id = p.open_id
     where coalesce(c.next_init_at, '-infinity') <= statement_timestamp() and ${workspaceSends('p.account_id')}
       and not exists (
         select 1 from attempts a where a.open_id = c.open_id and a.state in ('calling', 'unconfirmed')
       )`,
    [examinedMax],
  );
  return found ?? 0;
}

export type Unsettled = { state: 'calling' | 'unconfirmed' | 'accepted'; count: number; ageSeconds: number };

/** States without attempts are left out. */
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

/** Withdrawn schedules are left out. */
export function listScheduleStates(
  sql: Sql,
  ids: readonly string[],
): Promise<{ id: string; status: Schedule['status'] }[]> {
  return sql.query<{ id: string; status: Schedule['status'] }>(
    'select id, status from schedules where id = any($1::text[])',
    [ids],
  );
}

export const schedulingInvariants: readonly Invariant[] = [
  {
    // Every other state is known to have made no post.
    name: 'scheduling: of the calls of a schedule at most one made a post, or may have',
    sql: `select schedule_id as id, string_agg(id || ' ' || state, ', ' order by started_at) as what
      from scheduling.attempts
      where schedule_id is not null and state in ('calling', 'unconfirmed', 'accepted', 'delivered', 'unknown')
      group by schedule_id having count(*) > 1`,
  },
  {
    name: 'scheduling: what is sent was delivered',
    sql: `select s.id, s.outcome as what from scheduling.schedules s
      where s.status = 'sent' and s.mode <> 'phone' and not exists (
        select 1 from scheduling.attempts a where a.schedule_id = s.id and a.state = 'delivered')`,
  },
  {
    name: 'scheduling: a firing has one schedule',
    sql: `select firing_id as id, count(*) || ' schedules' as what from scheduling.schedules
      where firing_id is not null group by firing_id having count(*) > 1`,
  },
  {
    name: 'scheduling: everything that waits has a due time or is kept back',
    sql: `select s.id, s.status || ' since ' || s.updated_at as what from scheduling.schedules s
      where s.due_at is null and ((s.status = 'pending' and s.held_since is null) or (s.status = 'sending' and not exists (
        select 1 from scheduling.attempts a
        where a.schedule_id = s.id and a.state in ('calling', 'unconfirmed', 'accepted'))))`,
  },
  {
    name: 'scheduling: calls that the platform took are asked for',
    sql: `select a.id, a.state || ' since ' || a.started_at as what
      from scheduling.attempts a join scheduling.schedules s on s.id = a.schedule_id
      where s.status = 'sending' and a.state in ('unconfirmed', 'accepted') and a.next_poll_at is null`,
  },
];
