/** The obvious first version of the summary: finds the newest of all snapshots on every request. */
import { dayMs } from '@hookline/shared/kernel/durations';
import type { Database } from '@hookline/shared/postgres';

export type Totals = { views: number; likes: number; comments: number; posts: number };
export type Naive = { totals: Totals /** Snapshots that were read for it. */; snapshots: number };

/** Reads every snapshot of the account's posts in the window. */
export async function sumNaively(
  db: Database,
  accountId: string,
  windowDays: number,
  now: Date,
): Promise<Naive> {
  const from = new Date((Math.floor(now.getTime() / dayMs) - windowDays + 1) * dayMs);
  const [row] = await db.query<Totals & { snapshots: number }>(
    `select count(*) filter (where is_newest) as posts, coalesce(sum(views) filter (where is_newest), 0)::bigint as views,
            coalesce(sum(likes) filter (where is_newest), 0)::bigint as likes,
            coalesce(sum(comments) filter (where is_newest), 0)::bigint as comments, count(*) as snapshots
     from (
       select s.views, s.likes, s.comments,
              row_number() over (partition by s.post_id order by s.collected_at desc) = 1 as is_newest
       from published_posts p join metric_snapshots s on s.post_id = p.id
       where p.account_id = $1 and coalesce(p.published_at, p.created_at) >= $2
     ) ranked`,
    [accountId, from],
  );
  if (!row) throw new Error('the naive query gave no row');
  const { snapshots, ...totals } = row;
  return { totals, snapshots };
}
