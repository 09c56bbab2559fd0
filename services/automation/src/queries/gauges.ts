import { oneRow, type Sql } from '@hookline/shared/postgres';

/** Seconds since the oldest due delivery was due. A claimed one is not due before its lease ends. */
export async function findOverdueSeconds(sql: Sql, now: Date): Promise<number> {
  const row = oneRow(
    await sql.query<{ seconds: number }>(
      `select coalesce(extract(epoch from $1::timestamptz - min(next_attempt_at)), 0)::float8 as seconds
       from deliveries where status = 'pending' and next_attempt_at <= $1`,
      [now],
    ),
  );
  return row.seconds;
}
