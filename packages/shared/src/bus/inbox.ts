import type { Database, Sql, Transaction } from '../postgres/index.ts';

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

export type OnceEffect = {
  eventId: string;
  /** Effects run in this order, so that transactions of several processes take their locks in one order. */
  orderedBy: string;
  effect: (tx: Transaction) => Promise<void>;
};

/**
 * As `runOnce` for several events in one transaction. Effects are asked together, in the order of `orderedBy`, so
 * that each needs as many round trips as one alone. All of it fails when one of them fails.
 * @returns for each event whether it was new, in their order.
 */
export function runAllOnce(
  db: Database,
  consumer: string,
  effects: readonly OnceEffect[],
): Promise<boolean[]> {
  return db.transaction(async tx => {
    const inserted = await tx.query<{ eventId: string }>(
      `insert into inbox (consumer, event_id)
       select $1, event_id from unnest($2::text[]) as given (event_id) order by event_id
       on conflict do nothing returning event_id as "eventId"`,
      [consumer, effects.map(({ eventId }) => eventId)],
    );
    // A message that came twice at the same time has one effect.
    const isLeft = new Set(inserted.map(({ eventId }) => eventId));
    const isNew = effects.map(({ eventId }) => isLeft.delete(eventId));
    const due = effects.filter((_, at) => isNew[at]);
    const inOrder = due.toSorted((left, right) =>
      left.orderedBy < right.orderedBy ? -1 : Number(left.orderedBy > right.orderedBy),
    );
    await Promise.all(inOrder.map(({ effect }) => effect(tx)));
    return isNew;
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
