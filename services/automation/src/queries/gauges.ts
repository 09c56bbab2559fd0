import { oneRow, type Sql } from '@hookline/shared/postgres';

/**
 * Seconds since the oldest due delivery was due. A claimed one is not due before its lease ends, and one that
 * waits for it not before that.
 */
export async function findOverdueSeconds(sql: Sql, now: Date): Promise<number> {
  const row = oneRow(
    await sql.query<{ seconds: number }>(
      `select coalesce(extract(epoch from $1::timestamptz - min(first.at)), 0)::float8 as seconds
       from webhook_queue q cross join lateral (
         select next_attempt_at as at from deliveries where webhook_id = q.webhook_id and status = 'pending'
         order by next_attempt_at, sequence limit 1
       ) first
       where q.next_due_at <= $1 and first.at <= $1`,
      [now],
    ),
  );
  return row.seconds;
}
