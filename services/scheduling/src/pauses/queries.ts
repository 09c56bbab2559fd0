/** Pauses of all sending. The check is part of the claim's own statement and scans an index of one row. */
import type { Sql, Transaction } from '@hookline/shared/postgres';

/** SQL: the pause is in force. A pause with an end time is not, once that is past. */
export const pauseIsOpen = 'resumed_at is null and coalesce(ends_at > statement_timestamp(), true)';

/** SQL: true while posts may go out. */
export const sendingIsOn = `not exists (select 1 from sending_pauses where ${pauseIsOpen})`;

/**
 * SQL: true unless the database may have gone back and nobody has settled that yet. Requests of automations
 * wait until then: an automation may request a slot again whose post this database lost.
 */
export const databaseIsCertain = `not exists (
  select 1 from sending_pauses where ${pauseIsOpen} and cause in ('went_back', 'failover'))`;

/** Null: an operator's pause. The others are explained in the migration that added the column. */
export type PauseCause = 'went_back' | 'restored' | 'failover' | null;

export type Pause = { pausedAt: Date; isNew: boolean };

type NewPause = { reason: string | null; cause?: PauseCause; forMs?: number };

/**
 * Begins a pause, or returns the open one. A database that went back outweighs an operator's pause,
 * whose end would not settle it and whose beginning may have come back with the database; a pause without an
 * end outweighs one that ends automatically.
 */
export async function openPause(
  tx: Transaction,
  { reason, cause = null, forMs }: NewPause,
  now: Date,
): Promise<Pause> {
  const [begun] = await tx.query<{ pausedAt: Date }>(
    `insert into sending_pauses as p (paused_at, reason, cause, ends_at)
     values ($1, $2, $3, statement_timestamp() + $4::float8 * interval '1 ms')
     on conflict ((true)) where resumed_at is null do update
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

export async function findOpenPause(sql: Sql): Promise<OpenPause | null> {
  const [row] = await sql.query<OpenPause>(
    `select paused_at as "pausedAt", reason, cause from sending_pauses where ${pauseIsOpen}`,
  );
  return row ?? null;
}

/** Null if none is open. */
export async function endPause(tx: Transaction, now: Date): Promise<OpenPause | null> {
  const [row] = await tx.query<OpenPause>(
    `update sending_pauses set resumed_at = greatest($1, paused_at) where ${pauseIsOpen}
     returning paused_at as "pausedAt", reason, cause`,
    [now],
  );
  return row ?? null;
}

/** Schedules whose workers still hold the lease: claimed before the pause, with answers not yet written. */
export async function countClaimed(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `select count(*) as count from schedules where lease_until >= statement_timestamp()`,
  );
  return row?.count ?? 0;
}
