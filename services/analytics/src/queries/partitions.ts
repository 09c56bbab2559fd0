/** Partitions of `metric_snapshots`, one per UTC month. */
import type { Sql } from '@hookline/shared/db';

/** Makes the partition of the month that the time lies in. @returns true when it was made now. */
export async function ensureSnapshotPartition(sql: Sql, at: Date): Promise<boolean> {
  const [row] = await sql.query<{ made: boolean }>(
    `select ensure_snapshot_partition(($1::timestamptz at time zone 'UTC')::date) as made`,
    [at],
  );
  return row?.made ?? false;
}

export type SnapshotPartition = {
  name: string;
  /** First instant after its month. */
  endsAt: Date;
  /** An earlier detach was cut off in the middle. */
  isPending: boolean;
};

/** Attached partitions, oldest first. */
export function listSnapshotPartitions(sql: Sql): Promise<SnapshotPartition[]> {
  return sql.query(
    `select c.relname as name, i.inhdetachpending as "isPending",
            (to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month') at time zone 'UTC' as "endsAt"
     from pg_inherits i
     join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'metric_snapshots'::regclass
     order by c.relname`,
  );
}

/**
 * Takes a partition off: it stays as a table of its own, to be dumped and dropped. Reads and inserts go on
 * meanwhile. Needs the owner's rights, and no open transaction. Repeatable after a cut-off.
 */
export async function detachSnapshotPartition(
  sql: Sql,
  { name, isPending }: SnapshotPartition,
): Promise<void> {
  if (!/^metric_snapshots_\d{4}_\d\d$/.test(name)) throw new Error(`${name} is no partition of a month`);
  await sql.query(
    `alter table metric_snapshots detach partition ${name} ${isPending ? 'finalize' : 'concurrently'}`,
  );
}
