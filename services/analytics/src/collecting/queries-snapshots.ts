/** Snapshots of numbers. `metric_snapshots` has a partition per UTC month. */
import { columnsOf, type Sql, type Transaction } from '@hookline/shared/postgres';
import type { Numbers } from '../platforms/numbers.rules.ts';

export type Snapshot = Numbers & { postId: string };

/** Appends the snapshots as the last numbers of their UTC day. The partition of the month must exist. */
export async function insertSnapshots(
  tx: Transaction,
  snapshots: readonly Snapshot[],
  collectedAt: Date,
): Promise<void> {
  await tx.query(
    `with given as (
       select * from unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[])
         as s (post_id, views, likes, comments)
     ), appended as (
       insert into metric_snapshots (post_id, collected_at, views, likes, comments)
       select post_id, $1, views, likes, comments from given
     )
     insert into post_days as d (post_id, day, views, likes, comments, collected_at)
     select post_id, ($1::timestamptz at time zone 'UTC')::date, views, likes, comments, $1 from given
     on conflict (post_id, day) do update set
       views = excluded.views, likes = excluded.likes, comments = excluded.comments,
       collected_at = excluded.collected_at`,
    [collectedAt, ...columnsOf(snapshots, 'postId', 'views', 'likes', 'comments')],
  );
}

/** @returns true if this call created it. */
export function ensureSnapshotPartition(sql: Sql, at: Date): Promise<boolean> {
  return sql.value<boolean>(
    `select ensure_snapshot_partition(($1::timestamptz at time zone 'UTC')::date) as made`,
    [at],
  );
}

/** Names of the attached partitions whose month ended by the time, oldest first. */
export function listEndedPartitions(sql: Sql, endedBy: Date): Promise<string[]> {
  return sql.column<string>(
    `select c.relname as name
     from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'metric_snapshots'::regclass
       and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= ($1::timestamptz at time zone 'UTC')
     order by c.relname`,
    [endedBy],
  );
}

/**
 * Detaches those partitions. They remain as separate tables, to be dumped and dropped.
 * @returns their names.
 */
export function detachEndedPartitions(sql: Sql, endedBy: Date): Promise<string[]> {
  return sql.column<string>(
    `select name from detach_snapshot_partitions(($1::timestamptz at time zone 'UTC')::date) as name`,
    [endedBy],
  );
}
