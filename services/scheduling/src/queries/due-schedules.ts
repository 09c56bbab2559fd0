/** The queue: schedules whose time has come, claimed with a lease. All times are the database's clock. */
import type { Database, Sql, Transaction } from '@hookline/shared/db';

export type Claim = { id: string; fence: number };

/**
 * Claims the schedule that is due longest, of a creator with no call open and pace left, one per creator at a time.
 * A schedule whose worker died comes back by itself when its lease is over.
 */
export async function claimDue(db: Database, leaseMs: number): Promise<Claim | null> {
  const [row] = await db.query<Claim>(
    `with due as (
       select s.id
       from schedules s
       join platform_accounts p on p.id = s.platform_account_id
       join creators c on c.open_id = p.open_id
       where s.due_at <= clock_timestamp()
         and coalesce(s.lease_until, '-infinity') < clock_timestamp()
         and not exists (
           select 1 from attempts a
           where a.open_id = p.open_id and a.state in ('calling', 'unconfirmed') and a.schedule_id <> s.id
         )
         and (
           coalesce(c.next_init_at, '-infinity') <= clock_timestamp()
           or exists (select 1 from attempts a where a.schedule_id = s.id and a.state in ('calling', 'unconfirmed'))
         )
         and not exists (
           select 1 from schedules o
           join platform_accounts op on op.id = o.platform_account_id
           where o.id <> s.id and o.due_at is not null and o.lease_until >= clock_timestamp()
             and op.open_id = p.open_id
         )
       order by s.due_at, s.id
       limit 1
       for update of s skip locked
     )
     update schedules s
     set fence = s.fence + 1, lease_until = clock_timestamp() + $1 * interval '1 ms'
     from due where s.id = due.id
     returning s.id, s.fence`,
    [leaseMs],
  );
  return row ?? null;
}

/** Milliseconds until a schedule becomes due, a lease runs out or a creator's pace allows the next; null: nothing waits. */
export async function findNextDueMs(sql: Sql): Promise<number | null> {
  const [row] = await sql.query<{ ms: number | null }>(
    `select (extract(epoch from min(at) - clock_timestamp()) * 1000)::float8 as ms
     from (
       (select due_at as at from schedules where due_at > clock_timestamp() order by due_at limit 1)
       union all
       select min(greatest(s.lease_until, c.next_init_at))
       from schedules s
       join platform_accounts p on p.id = s.platform_account_id
       join creators c on c.open_id = p.open_id
       where s.due_at <= clock_timestamp() and greatest(s.lease_until, c.next_init_at) > clock_timestamp()
     ) next`,
  );
  return row?.ms ?? null;
}

export async function renewLeases(sql: Sql, claims: readonly Claim[], leaseMs: number): Promise<Claim[]> {
  return await sql.query<Claim>(
    `update schedules s
     set lease_until = clock_timestamp() + $3 * interval '1 ms'
     from unnest($1::text[], $2::integer[]) as held (id, fence)
     where s.id = held.id and s.fence = held.fence and s.lease_until is not null
     returning s.id, s.fence`,
    [claims.map(claim => claim.id), claims.map(claim => claim.fence), leaseMs],
  );
}

export type ClaimedState = { isMine: boolean; isDue: boolean };

/** Whether the locked row still belongs to the claim, and is still due. */
export async function checkClaim(tx: Transaction, claim: Claim): Promise<ClaimedState> {
  const [row] = await tx.query<ClaimedState>(
    `select fence = $2 and lease_until is not null as "isMine",
       coalesce(due_at <= clock_timestamp(), false) as "isDue"
     from schedules where id = $1`,
    [claim.id, claim.fence],
  );
  return row ?? { isMine: false, isDue: false };
}

export async function startSending(tx: Transaction, id: string, now: Date): Promise<void> {
  await tx.query(`update schedules set status = 'sending', updated_at = $2 where id = $1`, [id, now]);
}

/** Lets go of the claim; the schedule is looked at again after `inMs`. */
export async function defer(
  tx: Transaction,
  claim: Claim,
  inMs: number,
  countsAsTry: boolean,
): Promise<boolean> {
  const rows = await tx.query(
    `update schedules
     set due_at = clock_timestamp() + $3 * interval '1 ms', lease_until = null,
       tries = tries + case when $4 then 1 else 0 end
     where id = $1 and fence = $2 and lease_until is not null
     returning 1`,
    [claim.id, claim.fence, inMs, countsAsTry],
  );
  return rows.length > 0;
}

export async function letGo(tx: Transaction, claim: Claim): Promise<void> {
  await tx.query('update schedules set lease_until = null where id = $1 and fence = $2', [
    claim.id,
    claim.fence,
  ]);
}

export async function countTry(tx: Transaction, claim: Claim): Promise<void> {
  await tx.query('update schedules set tries = tries + 1 where id = $1 and fence = $2', [
    claim.id,
    claim.fence,
  ]);
}

/** Lets go of the claim without a next look: an attempt's outcome is awaited. */
export async function park(tx: Transaction, claim: Claim): Promise<boolean> {
  const rows = await tx.query(
    `update schedules set due_at = null, lease_until = null
     where id = $1 and fence = $2 and lease_until is not null returning 1`,
    [claim.id, claim.fence],
  );
  return rows.length > 0;
}

/** Back to waiting for an approval; `inMs` is the backstop, the decision's event comes first. */
export async function hold(tx: Transaction, claim: Claim, inMs: number, now: Date): Promise<void> {
  await tx.query(
    `update schedules
     set status = 'pending', held_since = coalesce(held_since, $4), lease_until = null,
       due_at = clock_timestamp() + $3 * interval '1 ms', updated_at = $4
     where id = $1 and fence = $2`,
    [claim.id, claim.fence, inMs, now],
  );
}

/** Texts, version and comment setting as they are sent (decision 45). */
export async function setPrepared(
  tx: Transaction,
  claim: Claim,
  post: { contentVersion: number; title: string; description: string; disableComment: boolean },
): Promise<void> {
  await tx.query(
    `update schedules
     set content_version = $3, title = $4, description = $5, disable_comment = $6, held_since = null
     where id = $1 and fence = $2`,
    [claim.id, claim.fence, post.contentVersion, post.title, post.description, post.disableComment],
  );
}

/** Wakes the workers of every process when the transaction commits. */
export async function wakeWorkers(tx: Transaction): Promise<void> {
  await tx.query(`select pg_notify('scheduling_work', '')`);
}
