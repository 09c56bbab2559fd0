/**
 * The queue: schedules whose time has come, claimed in batches with a lease each, one per creator. All times are the
 * database's clock. `statement_timestamp()`, not `clock_timestamp()`: only a stable time is looked up in an index, and
 * a look costs the same whether a thousand or a million schedules wait.
 */
import type { Sql, Transaction } from '@hookline/shared/db';
import { type ScheduleRow, scheduleColumns } from './schedules.ts';

export type Claim = { id: string; fence: number };

export type Candidate = { id: string; openId: string; isPending: boolean };

export type ClaimedRow = ScheduleRow & { hasOpenAttempt: boolean };

// Due schedules looked at per claimed one: several of one creator may stand in a row, and one of them is taken.
const lookedAtPerClaim = 4;

const inHand = 'lease_until >= statement_timestamp()';

/** What must hold of the creator `c` (with the account `p`) of a due schedule `s` for it to be claimed now. */
const creatorIsFree = `
  not exists (
    select 1 from attempts a
    where a.open_id = p.open_id and a.state in ('calling', 'unconfirmed') and a.schedule_id <> s.id
  )
  and (
    coalesce(c.next_init_at, '-infinity') <= statement_timestamp()
    or exists (select 1 from attempts a where a.schedule_id = s.id and a.state in ('calling', 'unconfirmed'))
  )
  and not exists (
    select 1 from schedules o
    join platform_accounts op on op.id = o.platform_account_id
    where o.id <> s.id and o.${inHand} and op.open_id = p.open_id
  )`;

/**
 * Locks the schedules that are due longest, one per creator whose pace and open calls allow it. Those that another
 * process has locked are passed over.
 */
export function lockDue(tx: Transaction, countMax: number): Promise<Candidate[]> {
  return tx.query<Candidate>(
    `with due as (
       select s.id, s.due_at, p.open_id
       from schedules s
       join platform_accounts p on p.id = s.platform_account_id
       join creators c on c.open_id = p.open_id
       where s.due_at <= statement_timestamp()
         and coalesce(s.lease_until < statement_timestamp(), true)
         and ${creatorIsFree}
       order by s.due_at
       limit $1 * ${lookedAtPerClaim}
     ),
     chosen as (
       select id, open_id
       from (select distinct on (open_id) id, due_at, open_id from due order by open_id, due_at, id) first
       order by due_at, id
       limit $1
     )
     select s.id, chosen.open_id as "openId", s.status = 'pending' as "isPending"
     from chosen join schedules s on s.id = chosen.id
     where s.due_at <= statement_timestamp() and coalesce(s.lease_until < statement_timestamp(), true)
     order by s.id
     for update of s skip locked`,
    [countMax],
  );
}

/** In one order, so that two claims wait for each other and never in a circle. */
export async function lockCreators(tx: Transaction, openIds: readonly string[]): Promise<void> {
  await tx.query('select 1 from creators where open_id = any($1::text[]) order by open_id for update', [
    openIds,
  ]);
}

/**
 * Takes the locked schedules into hand: lease, a raised fence, `sending`. The creators must be locked; the look is
 * taken again, since another process may have claimed for one of them before the lock was ours.
 */
export function takeInHand(
  tx: Transaction,
  ids: readonly string[],
  leaseMs: number,
  now: Date,
): Promise<ClaimedRow[]> {
  return tx.query<ClaimedRow>(
    `update schedules s
     set fence = fence + 1, lease_until = clock_timestamp() + $2 * interval '1 ms', status = 'sending',
       updated_at = case when status = 'pending' then $3 else updated_at end
     where id = any($1::text[])
       and exists (
         select 1 from platform_accounts p join creators c on c.open_id = p.open_id
         where p.id = s.platform_account_id and ${creatorIsFree}
       )
     returning ${scheduleColumns}, exists (
       select 1 from attempts a
       where a.schedule_id = s.id and a.state in ('calling', 'unconfirmed', 'accepted')
     ) as "hasOpenAttempt"`,
    [ids, leaseMs, now],
  );
}

export type Outlook = {
  /** Something is due and in nobody's hands; its creator may still be busy. */
  isDue: boolean;
  /** Until a schedule becomes due, a lease runs out or a creator's pace allows the next; null: nothing waits. */
  nextInMs: number | null;
};

/** One look at the queue, as cheap as an empty one should be. */
export async function findOutlook(sql: Sql): Promise<Outlook> {
  const [row] = await sql.query<Outlook>(
    `select exists (
         select 1 from schedules
         where due_at <= statement_timestamp() and coalesce(lease_until < statement_timestamp(), true)
       ) as "isDue",
       (extract(epoch from min(at) - clock_timestamp()) * 1000)::float8 as "nextInMs"
     from (
       (select due_at as at from schedules where due_at > statement_timestamp() order by due_at limit 1)
       union all
       (select lease_until from schedules where ${inHand} order by lease_until limit 1)
       union all
       select min(c.next_init_at)
       from schedules s
       join platform_accounts p on p.id = s.platform_account_id
       join creators c on c.open_id = p.open_id
       where s.due_at <= statement_timestamp() and c.next_init_at > statement_timestamp()
     ) next`,
  );
  return row ?? { isDue: false, nextInMs: null };
}

export async function renewLeases(sql: Sql, claims: readonly Claim[], leaseMs: number): Promise<Claim[]> {
  return await sql.query<Claim>(
    `update schedules s
     set lease_until = clock_timestamp() + $3 * interval '1 ms'
     from unnest($1::text[], $2::integer[]) as held (id, fence)
     where s.id = held.id and s.fence = held.fence and s.lease_until is not null
     returning s.id, s.fence`,
    [...columnsOf(claims), leaseMs],
  );
}

/** Locks the rows of these claims, in one order. @returns the ids of those that still belong to their claim. */
export async function lockClaims(tx: Transaction, claims: readonly Claim[]): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(
    `select s.id
     from schedules s join unnest($1::text[], $2::integer[]) as held (id, fence) on held.id = s.id
     where s.fence = held.fence and s.lease_until is not null
     order by s.id
     for update of s`,
    columnsOf(claims),
  );
  return new Set(rows.map(({ id }) => id));
}

/** Lets go of claims without a next look: the outcome of their attempts is awaited. The rows must be locked. */
export async function parkAll(tx: Transaction, claims: readonly Claim[]): Promise<number> {
  const rows = await tx.query(
    `update schedules s set due_at = null, lease_until = null
     from unnest($1::text[], $2::integer[]) as held (id, fence)
     where s.id = held.id and s.fence = held.fence and s.lease_until is not null
     returning 1`,
    columnsOf(claims),
  );
  return rows.length;
}

function columnsOf(claims: readonly Claim[]): [string[], number[]] {
  return [claims.map(claim => claim.id), claims.map(claim => claim.fence)];
}
