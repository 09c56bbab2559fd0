import type { Invariant } from '@hookline/shared/postgres';

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
];
