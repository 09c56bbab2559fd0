/** Whether posts may go out. The look is part of the claim's own statement and costs a scan of an index of one row. */
import type { Sql, Transaction } from '@hookline/shared/db';

/** SQL: true while posts may go out. */
export const sendingIsOn = 'not exists (select 1 from sending_pauses where resumed_at is null)';

export type Pause = { pausedAt: Date; isNew: boolean };

/** Begins a pause, or finds the one that is open. */
export async function openPause(tx: Transaction, reason: string | null, now: Date): Promise<Pause> {
  const [begun] = await tx.query<{ pausedAt: Date }>(
    `insert into sending_pauses (paused_at, reason) values ($1, $2)
     on conflict ((true)) where resumed_at is null do nothing
     returning paused_at as "pausedAt"`,
    [now, reason],
  );
  if (begun) return { pausedAt: begun.pausedAt, isNew: true };
  const open = await findOpenPause(tx);
  // Ended in this very moment: as good as begun and ended.
  return { pausedAt: open?.pausedAt ?? now, isNew: false };
}

export async function findOpenPause(sql: Sql): Promise<{ pausedAt: Date; reason: string | null } | null> {
  const [row] = await sql.query<{ pausedAt: Date; reason: string | null }>(
    'select paused_at as "pausedAt", reason from sending_pauses where resumed_at is null',
  );
  return row ?? null;
}

export type EndedPause = { pausedAt: Date; reason: string | null };

/** Null when none is open. */
export async function endPause(tx: Transaction, now: Date): Promise<EndedPause | null> {
  const [row] = await tx.query<EndedPause>(
    `update sending_pauses set resumed_at = greatest($1, paused_at) where resumed_at is null
     returning paused_at as "pausedAt", reason`,
    [now],
  );
  return row ?? null;
}

/** Tells on the timeline of each schedule that is due why it was not sent. @returns how many they are. */
export async function tellPaused(
  tx: Transaction,
  { pausedAt, reason }: EndedPause,
  now: Date,
): Promise<number> {
  const rows = await tx.query(
    `insert into schedule_timeline (schedule_id, at, what, detail)
     select id, greatest(due_at, $1), 'paused', 'the operator let no post go out until ' || $2 || coalesce(': ' || $3::text, '')
     from schedules where due_at <= statement_timestamp()
     returning 1`,
    [pausedAt, now.toISOString(), reason],
  );
  return rows.length;
}

/** Calls of workers that still hold their lease: begun before the pause, their answers not written yet. */
export async function countCallsInHand(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `select count(*) as count from schedules where lease_until >= statement_timestamp()`,
  );
  return row?.count ?? 0;
}
