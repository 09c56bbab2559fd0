/** Events that the bus permanently refused: they wait for an operator. */
import type { Sql } from '../../../postgres/index.ts';

export type DeadRow = { id: number; eventId: string; topic: string; key: string; lastError: string | null };

/** Permanently refused rows, oldest first, at most 1,000. */
export function listDeadRows(sql: Sql): Promise<DeadRow[]> {
  return sql.query<DeadRow>(
    `select id, event_id as "eventId", topic, key, last_error as "lastError"
     from outbox_dead order by id limit 1000`,
  );
}

/**
 * Puts refused rows back into the outbox, in their old order, after the rows waiting there. @returns the
 * number moved
 */
export async function reviveDeadRows(sql: Sql, ids: readonly number[]): Promise<number> {
  const rows = await sql.query(
    `with revived as (delete from outbox_dead where id = any($1::bigint[]) returning *)
     insert into outbox (event_id, topic, key, payload, headers)
     select event_id, topic, key, payload, headers from revived order by id
     returning 1`,
    [ids],
  );
  return rows.length;
}
