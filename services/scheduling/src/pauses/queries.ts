/** The check for pauses is part of the claim's own statement and scans an index of one row. */
import type { Sql, Transaction } from '@hookline/shared/postgres';
import type { WriteContext } from '../context.ts';

/** A pause with an end time is no longer in force once that is past. */
export const pauseIsOpen = 'resumed_at is null and coalesce(ends_at > statement_timestamp(), true)';

const isForAll = 'of_account is null';

export const sendingIsOn = `not exists (select 1 from sending_pauses where ${isForAll} and ${pauseIsOpen})`;

/** Also with a switch of its own a workspace sends nothing while sending is paused for all. */
export const workspaceSends = (accountId: string): string => `not exists (
  select 1 from sending_pauses where (${isForAll} or of_account = ${accountId}) and ${pauseIsOpen})`;

/**
 * Requests of automations wait while the database may have gone back and nobody has settled that: an
 * automation may request a slot again whose post this database lost.
 */
export const databaseIsCertain = `not exists (
  select 1 from sending_pauses where ${pauseIsOpen} and cause in ('went_back', 'failover'))`;

/** An operator's pause has no cause. */
export type PauseCause = 'went_back' | 'restored' | 'failover' | null;

export type Pause = { pausedAt: Date; isNew: boolean };

type NewPause = { reason: string | null; cause?: PauseCause; forMs?: number };

/**
 * A database that went back outweighs an operator's pause, whose end would not settle it and whose beginning
 * may have come back with the database; a pause without an end outweighs one that ends automatically.
 */
export async function openPause(
  tx: Transaction,
  { reason, cause = null, forMs }: NewPause,
  now: Date,
): Promise<Pause> {
  const [begun] = await tx.query<{ pausedAt: Date }>(
    `insert into sending_pauses as p (paused_at, reason, cause, ends_at)
     values ($1, $2, $3, statement_timestamp() + $4::float8 * interval '1 ms')
     on conflict (coalesce(of_account, '')) where resumed_at is null do update
     set paused_at = case
         when p.ends_at <= statement_timestamp() or (p.cause is null and excluded.cause = 'went_back')
         then excluded.paused_at else p.paused_at end,
       reason = excluded.reason, cause = excluded.cause, ends_at = excluded.ends_at
     where p.ends_at <= statement_timestamp()
       or (p.ends_at is not null and excluded.ends_at is null)
       or (p.cause is null and excluded.cause in ('went_back', 'restored'))
       or (p.cause = 'went_back' and excluded.cause = 'restored')
     returning paused_at as "pausedAt"`,
    [now, reason, cause, forMs ?? null],
  );
  if (begun) return { pausedAt: begun.pausedAt, isNew: true };
  const open = await findOpenPause(tx);
  // The open pause ended in between: the result is the same as if this pause had begun and ended.
  return { pausedAt: open?.pausedAt ?? now, isNew: false };
}

export type OpenPause = { pausedAt: Date; reason: string | null; cause: PauseCause };

export function findOpenPause(sql: Sql): Promise<OpenPause | null> {
  return sql.row<OpenPause>(
    `select paused_at as "pausedAt", reason, cause from sending_pauses where ${isForAll} and ${pauseIsOpen}`,
  );
}

/** @returns null if none is open. */
export function endPause(tx: Transaction, now: Date): Promise<OpenPause | null> {
  return tx.row<OpenPause>(
    `update sending_pauses set resumed_at = greatest($1, paused_at) where ${isForAll} and ${pauseIsOpen}
     returning paused_at as "pausedAt", reason, cause`,
    [now],
  );
}

/** A repeat changes nothing. */
export async function pauseWorkspace({ tx, now }: WriteContext, accountId: string): Promise<void> {
  await tx.query(
    `insert into sending_pauses (of_account, paused_at) values ($1, $2)
     on conflict (coalesce(of_account, '')) where resumed_at is null do nothing`,
    [accountId, now],
  );
}

/** Makes due again what claims postponed while the workspace was stopped, including posts approved in that time. */
export async function resumeWorkspace({ tx, now }: WriteContext, accountId: string): Promise<void> {
  await tx.query(
    `with ended as (
       update sending_pauses set resumed_at = greatest($2, paused_at)
       where of_account = $1 and resumed_at is null returning 1
     )
     update schedules set due_at = statement_timestamp()
     where account_id = $1 and status = 'pending' and scheduled_for <= statement_timestamp()
       and due_at > statement_timestamp() and exists (select 1 from ended)`,
    [accountId, now],
  );
}

/** Calls begin under these locks: those that have not yet, read the pause that was committed before. */
export async function awaitBeginnings(sql: Sql, accountId: string): Promise<void> {
  await sql.query(
    `select 1 from schedules
     where account_id = $1 and lease_until >= statement_timestamp() order by id for share`,
    [accountId],
  );
}

/** Workers still hold the leases of schedules that were claimed before the pause. */
export function countClaimed(sql: Sql): Promise<number> {
  return sql.value<number>(
    `select count(*) as count from schedules where lease_until >= statement_timestamp()`,
  );
}
