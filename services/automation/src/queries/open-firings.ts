/** Firings without an outcome. */
import { oneRow, type Sql } from '@hookline/shared/postgres';
import type { FiringRow, OpenFiringRow } from '../records/firing.ts';
import { firingColumns } from './firings.ts';

const open = `status in ('fired', 'generated', 'awaiting_approval', 'scheduled')`;

/** Open firings last changed before the given time, oldest change first, after the given one. */
export function listOpenFirings(
  sql: Sql,
  before: Date,
  after: Pick<FiringRow, 'id' | 'updatedAt'> | null,
  limit: number,
): Promise<OpenFiringRow[]> {
  return sql.query<OpenFiringRow>(
    `select ${firingColumns}, account_id as "accountId" from firings
     where ${open} and updated_at < $1 and ($2::timestamptz is null or (updated_at, id) > ($2, $3))
     order by updated_at, id limit $4`,
    [before, after?.updatedAt ?? null, after?.id ?? null, limit],
  );
}

/**
 * Age in seconds of the oldest firing without content. By its creation, because publishing its cause again
 * changes `updated_at` every 30 minutes.
 */
export async function findStalledSeconds(sql: Sql, now: Date): Promise<number> {
  const row = oneRow(
    await sql.query<{ seconds: number }>(
      `select coalesce(extract(epoch from $1::timestamptz - min(created_at)), 0)::float8 as seconds
       from firings where status = 'fired'`,
      [now],
    ),
  );
  return row.seconds;
}
