import type { Sql } from '@hookline/shared/postgres';

// Small enough not to hold locks for long.
const batchMax = 500;

/**
 * Deletes events past the cutoff with their deliveries, except events with a delivery that is replayed and
 * not over: those go with a later call.
 * @returns true if there may be more.
 */
export async function pruneEvents(sql: Sql, before: Date): Promise<boolean> {
  const rows = await sql.query(
    `with old as (
       select id from feed_events e
       where created_at < $1
         and not exists (select 1 from deliveries d where d.event_id = e.id and d.status = 'pending')
       order by created_at limit ${batchMax}
     ),
     gone as (delete from deliveries where event_id in (select id from old))
     delete from feed_events where id in (select id from old) returning id`,
    [before],
  );
  return rows.length === batchMax;
}

/**
 * Deletes ended firings past the cutoff; one that waits for approval is kept.
 * @returns true if there may be more.
 */
export async function pruneFirings(sql: Sql, before: Date): Promise<boolean> {
  const rows = await sql.query(
    `delete from firings where id in (
       select id from firings
       where status in ('done', 'failed', 'skipped') and created_at < $1 order by created_at limit ${batchMax}
     ) returning id`,
    [before],
  );
  return rows.length === batchMax;
}
