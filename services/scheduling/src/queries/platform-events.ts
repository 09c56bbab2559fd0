import type { Sql, Transaction } from '@hookline/shared/postgres';

export type PlatformEventRow = { dedupeKey: string; event: string; openId: string; publishId: string | null };

/** False if the platform sent this event before. */
export async function insertPlatformEvent(
  tx: Transaction,
  row: PlatformEventRow,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `insert into platform_events (dedupe_key, event, open_id, publish_id, received_at)
     values ($1, $2, $3, $4, $5) on conflict do nothing returning 1`,
    [row.dedupeKey, row.event, row.openId, row.publishId, now],
  );
  return rows.length > 0;
}

/**
 * The platform repeats an event for at most 72 hours; events are kept for a week.
 * @returns the number deleted.
 */
export async function prunePlatformEvents(sql: Sql, now: Date, countMax: number): Promise<number> {
  const rows = await sql.query(
    `delete from platform_events where dedupe_key in (
       select dedupe_key from platform_events where received_at < $1::timestamptz - interval '7 days'
       order by received_at limit $2)
     returning 1`,
    [now, countMax],
  );
  return rows.length;
}
