/**
 * A statement that makes deliveries pending or due earlier also locks and writes the row of their endpoint,
 * so a claim that looked before it cannot move the time later afterwards. Rows are locked in the order of
 * their endpoints, after deliveries and feed heads. What a worker writes of many workspaces is committed
 * before it waits for these rows; a crash in between delays what it freed by the lease of a claim at most.
 */
import type { Sql } from '@hookline/shared/postgres';

/**
 * SQL makes the endpoints of a query's rows due at a time, unless they already are.
 * @param rows has the column `webhook_id`
 */
export function makesDue(rows: string, at: string): string {
  return `insert into webhook_queue as q (webhook_id, next_due_at)
    select distinct webhook_id, ${at}::timestamptz from ${rows} order by webhook_id
    on conflict (webhook_id) do update set next_due_at = excluded.next_due_at
    where excluded.next_due_at < q.next_due_at`;
}

export async function makeDue(sql: Sql, webhookIds: readonly string[], at: Date): Promise<void> {
  await sql.query(makesDue('unnest($1::text[]) as due (webhook_id)', '$2'), [webhookIds, at]);
}

export function findNextDueAt(sql: Sql, after: Date): Promise<Date | null> {
  return sql.value<Date | null>(`select min(next_due_at) as at from webhook_queue where next_due_at > $1`, [
    after,
  ]);
}

/** A claimed delivery is not due before its lease ends, nor is one that waits for it. */
export function findOverdueSeconds(sql: Sql, now: Date): Promise<number> {
  return sql.value<number>(
    `select coalesce(extract(epoch from $1::timestamptz - min(first.at)), 0)::float8 as seconds
     from webhook_queue q cross join lateral (
       select next_attempt_at as at from deliveries where webhook_id = q.webhook_id and status = 'pending'
       order by next_attempt_at, sequence limit 1
     ) first
     where q.next_due_at <= $1 and first.at <= $1`,
    [now],
  );
}
