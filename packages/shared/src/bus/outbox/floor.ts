/**
 * The lowest outbox id that can still matter. Rows are deleted once they are published, and their index
 * entries stay as long as any snapshot is open: a backup of an hour leaves the relay every event of that hour
 * to skip. By reading only above the floor, a query reads just the rows it returns.
 *
 * A transaction takes its ids before it commits, so a row may appear below ids that were published long ago.
 * `appendEvents` writes `event_sequences` before the event, so a transaction's id precedes its outbox ids;
 * `outbox.id` has no cache. Hence: a batch up to id B was moved by transaction X, and a later query finds
 * that no transaction up to X is in progress. Then all rows up to B are visible to that query, or will never
 * exist.
 */
export type OutboxFloor = {
  /** Every id up to this one is settled. */
  readonly value: number;
  /**
   * Takes the result of a query above the floor.
   * @param horizon the oldest transaction in progress in that query's snapshot
   * @param firstId the lowest id found
   */
  polled(horizon: bigint, firstId: number | undefined): void;
  /**
   * All rows that a query found were moved out, the last of them `lastId`, by the transaction `xid` at the
   * latest.
   */
  moved(lastId: number, xid: bigint): void;
};

export function createOutboxFloor(start: number): OutboxFloor {
  let value = start;
  // One candidate at a time. What was moved while it waited becomes the next one, so that the floor reaches
  // the last id also when nothing more is published.
  let mark: { id: number; xid: bigint } | null = null;
  let next: { id: number; xid: bigint } | null = null;
  return {
    get value() {
      return value;
    },
    polled(horizon, firstId) {
      if (mark === null || horizon <= mark.xid) return;
      value = Math.max(value, Math.min(mark.id, (firstId ?? Number.POSITIVE_INFINITY) - 1));
      mark = next;
      next = null;
    },
    moved(lastId, xid) {
      if (mark === null) mark = { id: lastId, xid };
      else next = { id: Math.max(next?.id ?? 0, lastId), xid };
    },
  };
}
