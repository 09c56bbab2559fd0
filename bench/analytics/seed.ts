/**
 * Accounts with posts and snapshots, generated in Postgres with `generate_series`; rollups as the collector
 * keeps them.
 */

import {
  type Claim,
  claimYoutube,
  ensureSnapshotPartition,
  type Outcome,
  settleClaims,
} from '@hookline/analytics/testing';
import type { Logger } from '@hookline/shared/kernel';
import { dayMs } from '@hookline/shared/kernel/durations';
import type { Database } from '@hookline/shared/postgres';

export type SeededAccount = { name: string; accountId: string; posts: number; snapshots: number };

export const snapshotsPerPost = 100;
const postsPerStatement = 5_000;

/**
 * Posts published over the last 364 days, every tenth on Instagram, each with 100 snapshots from its
 * publication to now; every seventh post hides its likes.
 */
export async function seedAccount(
  db: Database,
  { name, accountId, posts }: Omit<SeededAccount, 'snapshots'>,
  now: Date,
): Promise<void> {
  for (let month = 0; month <= 12; month += 1) {
    await ensureSnapshotPartition(db, new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - month, 1)));
  }
  for (let from = 0; from < posts; from += postsPerStatement) {
    const range = [accountId, from, Math.min(posts, from + postsPerStatement) - 1, now];
    await db.query(
      `insert into published_posts (id, account_id, video_id, platform, platform_post_id, published_at, created_at, updated_at)
       select 'post_' || md5($1 || i), $1, 'video_' || i / 10,
              case when i % 10 = 0 then 'instagram' else 'youtube' end, 'p' || i, at, at, at
       from generate_series($2::integer, $3::integer) i,
            lateral (select $4::timestamptz - ((i % 364) * 86400 + i % 80000 + 1000) * interval '1 s' as at) t`,
      range,
    );
    await db.query(
      `insert into metric_snapshots (post_id, collected_at, views, likes, comments)
       select p.id, p.published_at + ($3::timestamptz - p.published_at) * (n / ${snapshotsPerPost}.0),
              (hashtext(p.id) & 65535) * n, case when hashtext(p.id) % 7 = 0 then null else (hashtext(p.id) & 1023) * n end,
              (hashtext(p.id) & 127) * n
       from published_posts p, generate_series(1, ${snapshotsPerPost}) n
       where p.account_id = $1 and p.id in (
         select 'post_' || md5($1 || i) from generate_series($2::integer, $4::integer) i
       )`,
      [accountId, from, now, range[2]],
    );
    if (from % 20_000 === 0) console.log(`${name}: ${from} of ${posts} posts seeded`);
  }
}

/** Newest numbers and rollups of all seeded rows. */
export async function seedRollups(db: Database): Promise<void> {
  await db.query(
    `insert into collections (post_id, account_id, platform, counted_day, views, likes, comments, collected_at, next_at)
     select p.id, p.account_id, p.platform, (p.published_at at time zone 'UTC')::date, s.views, s.likes, s.comments,
            s.collected_at, s.collected_at
     from published_posts p
     cross join lateral (
       select * from metric_snapshots where post_id = p.id order by collected_at desc limit 1
     ) s`,
  );
  await db.query(
    `insert into daily_rollups (account_id, day, platform, posts, views, likes, comments)
     select account_id, counted_day, platform, count(*), sum(views), coalesce(sum(likes), 0), sum(comments)
     from collections group by account_id, counted_day, platform`,
  );
  for (const table of ['published_posts', 'metric_snapshots', 'collections', 'daily_rollups']) {
    await db.query(`analyze ${table}`);
  }
}

/**
 * New numbers for this many posts, through the collector's own claims and transaction. @returns the number
 * collected
 */
export async function collectMore(db: Database, log: Logger, posts: number, now: Date): Promise<number> {
  const dueBy = new Date(now.getTime() + dayMs);
  // After the last seeded snapshot.
  const at = new Date(now.getTime() + 60_000);
  let collected = 0;
  while (collected < posts) {
    const claims = await claimYoutube(db, { now: dueBy, leaseMs: 60_000, claimsMax: 50 });
    if (claims.length === 0) break;
    await settleClaims({ db, log, now: () => at }, claims.map(grown));
    collected += claims.length;
  }
  return collected;
}

function grown(claim: Claim, index: number): Outcome {
  const numbers = { views: 9_000_000 + index, likes: index % 2 ? null : 70_000, comments: 9_000 };
  const measured = { ...numbers, publishedAt: null, sourceId: null, hasInsights: true };
  return { claim, kind: 'measured', measured };
}
