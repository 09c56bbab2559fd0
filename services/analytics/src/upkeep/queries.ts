import { type DeletionStep, ofAccount, where } from '@hookline/shared/leaving';
import type { Invariant } from '@hookline/shared/postgres';

const ofPosts = 'post_id in (select id from published_posts where account_id = $1)';

/** What this schema stores of a workspace. Children before parents. */
export const deletionSteps: readonly DeletionStep[] = [
  // Without it no collector writes any more numbers of a post.
  where('collections', ofPosts),
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
  where('post_days', ofPosts),
  ofAccount('published_posts'),
  // Instagram has no call that revokes a token: without it, it expires within 60 days.
  ofAccount('metric_sources'),
  ofAccount('daily_rollups'),
  ofAccount('decks'),
  ofAccount('deck_days'),
  ofAccount('lessons'),
  ofAccount('verdicts'),
  ofAccount('idempotency_keys'),
];

export const analyticsInvariants: readonly Invariant[] = [
  {
    name: 'analytics: the rollups are the sum of the posts',
    sql: `with posts as (
        select account_id, counted_day as day, platform, count(*) as posts, coalesce(sum(views), 0) as views,
          coalesce(sum(likes), 0) as likes, coalesce(sum(comments), 0) as comments
        from analytics.collections group by account_id, counted_day, platform)
      select account_id as id, platform || ' on ' || day || ': ' || coalesce(r.posts, 0) || ' posts with '
        || coalesce(r.views, 0) || ' views, counted ' || coalesce(p.posts, 0) || ' with ' || coalesce(p.views, 0) as what
      from analytics.daily_rollups r full join posts p using (account_id, day, platform)
      where (coalesce(r.posts, 0), coalesce(r.views, 0), coalesce(r.likes, 0), coalesce(r.comments, 0))
        <> (coalesce(p.posts, 0), coalesce(p.views, 0), coalesce(p.likes, 0), coalesce(p.comments, 0))`,
  },
  {
    name: 'analytics: the days of decks are the sum of the decks',
    sql: `with sums as (
        select account_id, (counted_at at time zone 'UTC')::date as day, count(*) as decks, sum(views) as total
        from analytics.decks where views is not null and counted_at is not null group by 1, 2)
      select account_id as id, day || ': ' || coalesce(d.total, 0) || ' views, counted ' || coalesce(s.total, 0) as what
      from (select * from analytics.deck_days where number = 'views') d full join sums s using (account_id, day)
      where (coalesce(d.decks, 0), coalesce(d.total, 0)) <> (coalesce(s.decks, 0), coalesce(s.total, 0))`,
  },
];
