/** Partitions of `metric_snapshots`, one per UTC month. */
import type { Sql } from '@hookline/shared/postgres';

/** Creates the partition of the month that contains the time. @returns true if this call created it. */
export async function ensureSnapshotPartition(sql: Sql, at: Date): Promise<boolean> {
  const [row] = await sql.query<{ made: boolean }>(
    `select ensure_snapshot_partition(($1::timestamptz at time zone 'UTC')::date) as made`,
    [at],
  );
  return row?.made ?? false;
}

/** Names of the attached partitions whose month ended by the time, oldest first. */
export async function listEndedPartitions(sql: Sql, endedBy: Date): Promise<string[]> {
  const rows = await sql.query<{ name: string }>(
    `select c.relname as name
     from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'metric_snapshots'::regclass
       and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= ($1::timestamptz at time zone 'UTC')
     order by c.relname`,
    [endedBy],
  );
  return rows.map(row => row.name);
}

/**
 * Detaches those partitions. They remain as separate tables, to be dumped and dropped.
 * @returns their names.
 */
export async function detachEndedPartitions(sql: Sql, endedBy: Date): Promise<string[]> {
  const rows = await sql.query<{ name: string }>(
    `select name from detach_snapshot_partitions(($1::timestamptz at time zone 'UTC')::date) as name`,
    [endedBy],
  );
  return rows.map(row => row.name);
}
