/** SQL of the inbox: the events that each consumer has handled. */
import { pruneBatch } from '../../../kernel/index.ts';
import type { Sql, Transaction } from '../../../postgres/index.ts';

/** Marks events as handled, locking in a fixed order. @returns the ids that were new */
export function insertHandled(
  tx: Transaction,
  consumer: string,
  eventIds: readonly string[],
): Promise<string[]> {
  return tx.column<string>(
    `insert into inbox (consumer, event_id)
     select $1, event_id from unnest($2::text[]) as given (event_id) order by event_id
     on conflict do nothing returning event_id as "eventId"`,
    [consumer, eventIds],
  );
}

/** True if the consumer has handled an event within the last minute. */
export function hasJustHandled(sql: Sql, consumer: string): Promise<boolean> {
  return sql.exists(
    `select from inbox where received_at > now() - interval '1 minute' and consumer = $1 limit 1`,
    [consumer],
  );
}

/** Deletes rows older than `days`, at most 1,000 per call. @returns the number deleted */
export async function pruneInboxAfter(sql: Sql, days: number): Promise<number> {
  const rows = await sql.query(
    `delete from inbox where ctid in (
       select ctid from inbox where received_at < now() - $1 * interval '1 day' limit ${pruneBatch}) returning 1`,
    [days],
  );
  return rows.length;
}
