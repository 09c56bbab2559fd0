import type { Database, Sql, Transaction } from '../../postgres/index.ts';
import { insertHandled, pruneInboxAfter } from './queries/inbox.ts';

export { hasJustHandled } from './queries/inbox.ts';

/**
 * Runs an effect once per (consumer, event): the inbox row and the effect commit together. A second delivery,
 * also a concurrent one, waits for the first and then does nothing. Holds as long as inbox rows are kept
 * (longer than the bus keeps messages).
 * @returns false when the event was handled before
 */
export function runOnce(
  db: Database,
  consumer: string,
  eventId: string,
  effect: (tx: Transaction) => Promise<void>,
): Promise<boolean> {
  return db.transaction(async tx => {
    const inserted = await insertHandled(tx, consumer, [eventId]);
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
 * Like `runOnce`, for several events in one transaction. Effects are started together, in the order of
 * `orderedBy`, so all of them need as many round trips as one alone. If one fails, all fail.
 * @returns for each event whether it was new, in their order
 */
export function runAllOnce(
  db: Database,
  consumer: string,
  effects: readonly OnceEffect[],
): Promise<boolean[]> {
  return db.transaction(async tx => {
    const eventIds = effects.map(({ eventId }) => eventId);
    // A message that arrives twice in one batch takes effect once.
    const isLeft = new Set(await insertHandled(tx, consumer, eventIds));
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
 * Longer than a bus can deliver a message: the Postgres log keeps 7 days; Kafka 7 days and a segment of a day
 * with our settings, and up to 29 days where an operator set more. Without its row an event takes effect a
 * second time.
 */
export const inboxKeptDays = 30;

/** Deletes expired rows, at most 1,000 per call. @returns the number deleted */
export function pruneInbox(sql: Sql): Promise<number> {
  return pruneInboxAfter(sql, inboxKeptDays);
}
