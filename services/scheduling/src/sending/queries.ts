/**
 * Due schedules are claimed in batches with a lease each, one per creator. All times are the database's
 * clock. `statement_timestamp()`, not `clock_timestamp()`: only a stable time can use an index, and a query
 * costs the same whether a thousand or a million schedules wait.
 */
import { columnsOf, type Sql, type Transaction } from '@hookline/shared/postgres';
import type { WriteContext } from '../context.ts';
import { sendingIsOn, workspaceSends } from '../pauses/queries.ts';
import { scheduleColumns } from '../schedules/queries.ts';
import type { ScheduleRow } from '../schedules/record.ts';
import { initsPerMinute } from '../timings.ts';

export type Claim = { id: string; fence: number };

export type Candidate = { id: string; openId: string; isPending: boolean };

export type ClaimedRow = ScheduleRow & { hasOpenAttempt: boolean };

// More than this are rarely due at once: blocked ones at the front are moved to their turn.
const pacedExaminedMax = 256;

const isLeased = 'lease_until >= statement_timestamp()';
const isFree = 'coalesce(lease_until < statement_timestamp(), true)';

const hasOpenCall =
  "exists (select 1 from attempts a where a.schedule_id = s.id and a.state in ('calling', 'unconfirmed'))";

/** A call that has begun is settled however its workspace is switched. */
const workspaceLetsIt = `(${workspaceSends('s.account_id')} or ${hasOpenCall})`;

/** The creator `c` of a due schedule `s` lets it be claimed now. */
const creatorIsFree = `
  not exists (
    select 1 from attempts a
    where a.open_id = c.open_id and a.state in ('calling', 'unconfirmed') and a.schedule_id <> s.id
  )
  and (
    coalesce(c.next_init_at, '-infinity') <= statement_timestamp()
    or ${hasOpenCall}
  )
  and not exists (
    select 1 from schedules o
    join platform_accounts op on op.id = o.platform_account_id
    where o.id <> s.id and o.${isLeased} and op.open_id = c.open_id
  )`;

export type Front = {
  /** So many of the longest due schedules were checked. */
  examined: number;
  candidates: Candidate[];
};

/**
 * Locks at most `countMax` of the `examineMax` schedules that have been due longest, one per creator whose
 * pace and open calls allow it, and then their creators, in one order. Skips schedules that another process
 * has locked.
 */
export async function lockDue(tx: Transaction, countMax: number, examineMax: number): Promise<Front> {
  const [row] = await tx.query<Front>(
    `with front as materialized (
       select id, account_id, due_at, platform_account_id
       from schedules
       where due_at <= statement_timestamp() and ${isFree} and ${sendingIsOn}
       order by due_at
       limit $2
     ),
     chosen as (
       select id, open_id
       from (
         select distinct on (c.open_id) s.id, s.due_at, c.open_id
         from front s
         join platform_accounts p on p.id = s.platform_account_id
         join creators c on c.open_id = p.open_id
         where ${creatorIsFree} and ${workspaceLetsIt}
         order by c.open_id, s.due_at, s.id
       ) first
       order by due_at, id
       limit $1
     ),
     locked as (
       select s.id, chosen.open_id as "openId", s.status = 'pending' as "isPending"
       from chosen join schedules s on s.id = chosen.id
       where s.due_at <= statement_timestamp() and ${isFree.replaceAll('lease_until', 's.lease_until')}
       order by s.id
       for update of s skip locked
     ),
     creators_locked as (
       select 1 from creators where open_id in (select "openId" from locked) order by open_id for update
     )
     select (select count(*) from front) as "examined",
       (select coalesce(json_agg(locked), '[]') from locked) as candidates,
       (select count(*) from creators_locked) as "creatorsLocked"`,
    [countMax, examineMax],
  );
  return row ?? { examined: 0, candidates: [] };
}

/**
 * A creator with thousands of due posts must not be scanned at every claim: its schedules move to the turns
 * that they can have at its pace, in order and after those moved before, each about once. A creator with a
 * call in flight is soon free again, so its schedules stay. Those of a stopped workspace move by a minute at least:
 * its switch makes them due.
 */
export async function parkBlocked(tx: Transaction, countMax: number): Promise<number> {
  const rows = await tx.query(
    `with front as materialized (
       select id, account_id, due_at, platform_account_id
       from schedules
       where due_at <= statement_timestamp() and ${isFree} and ${sendingIsOn}
       order by due_at
       limit $1
     ),
     blocked as (
       select s.id, c.open_id, c.next_init_at, not ${workspaceLetsIt} as is_stopped,
         row_number() over (partition by c.open_id order by s.due_at, s.id) as nth
       from front s
       join platform_accounts p on p.id = s.platform_account_id
       join creators c on c.open_id = p.open_id
       where not (${creatorIsFree} and ${workspaceLetsIt}) and (
         not ${workspaceLetsIt}
         or c.next_init_at > statement_timestamp()
         or exists (select 1 from attempts a where a.open_id = c.open_id and a.state = 'unconfirmed')
       )
     ),
     turns as (
       select b.open_id, greatest(
         max(b.next_init_at),
         statement_timestamp() + case when bool_and(b.is_stopped) then interval '1 minute' else interval '1 s' end,
         (
           select max(last.due_at) + $2 * interval '1 ms'
           from platform_accounts wp, lateral (
             select w.due_at from schedules w
             where w.platform_account_id = wp.id and w.status = 'pending' and w.due_at > statement_timestamp()
               and w.scheduled_for <= statement_timestamp()
             order by w.due_at desc limit 1
           ) last
           where wp.open_id = b.open_id
         )
       ) as first_at
       from blocked b group by b.open_id
     ),
     locked as (
       select s.id, t.first_at + (b.nth - 1) * $2 * interval '1 ms' as at
       from blocked b join turns t on t.open_id = b.open_id join schedules s on s.id = b.id
       where s.due_at <= statement_timestamp() and ${isFree.replaceAll('lease_until', 's.lease_until')}
       order by s.id
       for update of s skip locked
     )
     update schedules s set due_at = locked.at from locked where s.id = locked.id returning 1`,
    [countMax, 60_000 / initsPerMinute],
  );
  return rows.length;
}

/** One order keeps two claims from a deadlock. */
export async function lockCreators(tx: Transaction, openIds: readonly string[]): Promise<void> {
  await tx.query('select 1 from creators where open_id = any($1::text[]) order by open_id for update', [
    openIds,
  ]);
}

/**
 * The creators must be locked. Another process may have claimed for one of them before: they are checked
 * again.
 */
export function claimSchedules(
  { tx, now }: WriteContext,
  candidates: readonly Candidate[],
  leaseMs: number,
): Promise<ClaimedRow[]> {
  return tx.query<ClaimedRow>(
    `with asked as (
       select * from unnest($1::text[], $2::text[], $3::boolean[]) as asked (asked_id, open_id, begins)
     ),
     taken as (
       update schedules s
       set fence = fence + 1, lease_until = clock_timestamp() + $4 * interval '1 ms', status = 'sending',
         updated_at = case when begins then $5 else updated_at end
       from asked
       where s.id = asked_id and ${sendingIsOn} and ${workspaceLetsIt}
         and exists (select 1 from creators c where c.open_id = asked.open_id and ${creatorIsFree})
       returning s.*, begins
     ),
     timeline as (
       insert into schedule_timeline (schedule_id, at, what)
       select id, $5, 'sending' from taken where begins
     )
     select ${scheduleColumns}, exists (
       select 1 from attempts a
       where a.schedule_id = taken.id and a.state in ('calling', 'unconfirmed', 'accepted')
     ) as "hasOpenAttempt"
     from taken`,
    [...columnsOf(candidates, 'id', 'openId', 'isPending'), leaseMs, now],
  );
}

export type Outlook = {
  /** The schedule's creator may still be busy. False while sending is paused. */
  isDue: boolean;
  /** A schedule is due, a lease expires or a creator's pace allows the next; null: nothing waits. */
  nextInMs: number | null;
};

/** An empty queue is cheap to poll. */
export async function findOutlook(sql: Sql): Promise<Outlook> {
  const [row] = await sql.query<Outlook>(
    `select exists (
         select 1 from schedules
         where due_at <= statement_timestamp() and ${isFree} and ${sendingIsOn}
       ) as "isDue",
       (extract(epoch from min(at) - clock_timestamp()) * 1000)::float8 as "nextInMs"
     from (
       (select due_at as at from schedules where due_at > statement_timestamp() order by due_at limit 1)
       union all
       (select lease_until from schedules where ${isLeased} order by lease_until limit 1)
       union all
       select min(c.next_init_at)
       from (
         select platform_account_id from schedules where due_at <= statement_timestamp() order by due_at limit $1
       ) s
       join platform_accounts p on p.id = s.platform_account_id
       join creators c on c.open_id = p.open_id
       where c.next_init_at > statement_timestamp()
     ) next`,
    [pacedExaminedMax],
  );
  return row ?? { isDue: false, nextInMs: null };
}

/**
 * Locks the rows in the order of `lockClaims`: the batches of the same process lock up to 32 of them at the
 * same time, and all would fail in a deadlock.
 * @returns the claims that still hold, renewed
 */
export async function renewLeases(sql: Sql, claims: readonly Claim[], leaseMs: number): Promise<Claim[]> {
  return await sql.query<Claim>(
    `with mine as (
       select s.id
       from schedules s join unnest($1::text[], $2::integer[]) as held (id, fence) on held.id = s.id
       where s.fence = held.fence and s.lease_until is not null
       order by s.id
       for no key update of s
     )
     update schedules s
     set lease_until = clock_timestamp() + $3 * interval '1 ms'
     from mine
     where s.id = mine.id
     returning s.id, s.fence`,
    [...columnsOf(claims, 'id', 'fence'), leaseMs],
  );
}

/** Locks in one order. @returns the ids of those whose claim still holds. */
export async function lockClaims(tx: Transaction, claims: readonly Claim[]): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(
    `select s.id
     from schedules s join unnest($1::text[], $2::integer[]) as held (id, fence) on held.id = s.id
     where s.fence = held.fence and s.lease_until is not null
     order by s.id
     for update of s`,
    columnsOf(claims, 'id', 'fence'),
  );
  return new Set(rows.map(({ id }) => id));
}

/** The outcomes of their attempts are pending: there is no next due time. The rows must be locked. */
export async function parkAll(tx: Transaction, claims: readonly Claim[]): Promise<number> {
  const rows = await tx.query(
    `update schedules s set due_at = null, lease_until = null
     from unnest($1::text[], $2::integer[]) as held (id, fence)
     where s.id = held.id and s.fence = held.fence and s.lease_until is not null
     returning 1`,
    columnsOf(claims, 'id', 'fence'),
  );
  return rows.length;
}
