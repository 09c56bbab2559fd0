-- additive
create table published_posts (
  id text primary key,
  account_id text not null,
  -- The caller's own name for the video; several posts of one video share it.
  video_id text not null,
  platform text not null,
  platform_post_id text not null,
  -- Null until the caller or the platform tells it.
  published_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint published_posts_one_per_platform_post unique (account_id, platform, platform_post_id),
  constraint published_post_platform_known check (platform in ('instagram', 'youtube')),
  constraint published_post_video_not_blank check (video_id ~ '\S')
);

create index published_posts_of_video on published_posts (account_id, video_id);

-- The newest numbers of each post and UTC day, which outlive detached snapshots. They are running totals of the
-- platform, never differences.
create table post_days (
  post_id text not null references published_posts (id),
  day date not null,
  -- A platform may hide a number: null, not zero.
  views bigint,
  likes bigint,
  comments bigint,
  collected_at timestamptz(3) not null,
  primary key (post_id, day),
  constraint post_day_not_negative check (
    coalesce(views, 0) >= 0 and coalesce(likes, 0) >= 0 and coalesce(comments, 0) >= 0
  )
);
