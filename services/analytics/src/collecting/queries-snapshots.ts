import type { Transaction } from '@hookline/shared/postgres';
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
    [
      collectedAt,
      snapshots.map(snapshot => snapshot.postId),
      snapshots.map(snapshot => snapshot.views),
      snapshots.map(snapshot => snapshot.likes),
      snapshots.map(snapshot => snapshot.comments),
    ],
  );
}
