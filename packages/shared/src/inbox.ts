import type { Database, Sql, Transaction } from './db.ts';

/**
 * Runs an effect once per (consumer, event): the inbox row and the effect commit together. A second delivery,
 * also a concurrent one, waits for the first and then does nothing. Holds as long as inbox rows are kept
 * (longer than the bus keeps messages).
 * @returns false when the event had been handled before.
 */
export function runOnce(
  db: Database,
  consumer: string,
  eventId: string,
  effect: (tx: Transaction) => Promise<void>,
): Promise<boolean> {
  return db.transaction(async tx => {
    const inserted = await tx.query<{ event_id: string }>(
      'insert into inbox (consumer, event_id) values ($1, $2) on conflict do nothing returning event_id',
      [consumer, eventId],
    );
    if (inserted.length === 0) return false;
    await effect(tx);
    return true;
  });
}

/**
 * Longer than a bus can deliver a message: the Postgres log keeps 7 days; Kafka 7 days and a segment of a day by our own
 * settings, and up to 29 days where an operator set more. Without its row an event takes effect a second time.
 */
export const inboxKeptDays = 30;

/** Removes rows that are too old to matter, at most 1,000 a call. @returns how many. */
export async function pruneInbox(sql: Sql): Promise<number> {
  const rows = await sql.query(
    `delete from inbox where ctid in (
       select ctid from inbox where received_at < now() - $1 * interval '1 day' limit 1000) returning 1`,
    [inboxKeptDays],
  );
  return rows.length;
}
