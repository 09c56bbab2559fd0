import type { Sql } from '@hookline/shared/postgres';

/**
 * Moves `last_used_at` forward, never back. Several gateways write it, so rows are locked in the order of
 * their ids.
 */
export async function touchLastUsed(
  sql: Sql,
  table: 'api_keys' | 'sessions',
  ids: readonly string[],
  usedAt: readonly Date[],
): Promise<void> {
  await sql.query(
    `with locked as materialized (
       select id from ${table} where id = any($1::text[]) order by id for no key update
     )
     update ${table} set last_used_at = greatest(last_used_at, used.at)
     from locked join unnest($1::text[], $2::timestamptz[]) as used (id, at) using (id)
     where ${table}.id = locked.id`,
    [ids, usedAt],
  );
}
