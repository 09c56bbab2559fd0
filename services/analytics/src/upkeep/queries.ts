/** What this schema stores of a workspace. Children before parents. */
import { type DeletionStep, ofAccount, where } from '@hookline/shared/leaving';

const ofPosts = 'post_id in (select id from published_posts where account_id = $1)';

export const deletionSteps: readonly DeletionStep[] = [
  {
    // Partitions have positions of their own, so the rows are named by their key.
    table: 'metric_snapshots',
    statement: `with gone as (
        delete from metric_snapshots where (post_id, collected_at) in (
          select post_id, collected_at from metric_snapshots where ${ofPosts} limit $2
        )
        returning 1
      )
      select count(*)::int as count from gone`,
  },
  where('collections', ofPosts),
  where('post_days', ofPosts),
  ofAccount('published_posts'),
  // Instagram has no call that revokes a token: without it, it expires within 60 days.
  ofAccount('metric_sources'),
  ofAccount('daily_rollups'),
  ofAccount('idempotency_keys'),
];
