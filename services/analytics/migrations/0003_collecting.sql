-- additive
-- Every answer of a platform, as it came: running totals of the platform, a hidden number null. No foreign key:
-- it would be checked at each insert and hinder detaching, and posts are never deleted.
create table metric_snapshots (
  post_id text not null,
  collected_at timestamptz(3) not null,
  views bigint,
  likes bigint,
  comments bigint,
  primary key (post_id, collected_at),
  constraint metric_snapshot_not_negative check (
    coalesce(views, 0) >= 0 and coalesce(likes, 0) >= 0 and coalesce(comments, 0) >= 0
  )
) partition by range (collected_at);

create function refuse_snapshot_change() returns trigger language plpgsql as $$
begin
  raise exception 'metric_snapshots is append-only';
end $$;

create trigger metric_snapshots_append_only before update or delete on metric_snapshots
  for each row execute function refuse_snapshot_change();

-- The service's role may not create tables: this makes the partition of a month, and nothing else, with the
-- owner's rights. True when it was made now. Made aside and attached, so that inserts go on meanwhile.
create function ensure_snapshot_partition(month date) returns boolean
language plpgsql security definer set search_path from current as $$
declare
  first date := date_trunc('month', month);
  home text := quote_ident(current_schema);
  table_name text := 'metric_snapshots_' || to_char(first, 'YYYY_MM');
  partition text := home || '.' || table_name;
begin
  if to_regclass(partition) is not null then return false; end if;
  if first < '2020-01-01' or first >= '2100-01-01' then raise exception 'no partition for %', month; end if;
  perform pg_advisory_xact_lock(hashtext(home || ' snapshot partitions'));
  -- Not by to_regclass again: its cache does not know yet what another made while this one waited.
  perform 1 from pg_tables where schemaname = current_schema and tablename = table_name;
  if found then return false; end if;
  execute format('create table %s (like %s.metric_snapshots including all)', partition, home);
  execute format(
    'alter table %s.metric_snapshots attach partition %s for values from (%L) to (%L)', home, partition,
    to_char(first, 'YYYY-MM-DD "00:00+00"'), to_char(first + interval '1 month', 'YYYY-MM-DD "00:00+00"')
  );
  return true;
end $$;

revoke execute on function ensure_snapshot_partition(date) from public;
grant execute on function ensure_snapshot_partition(date) to analytics;

-- Whose token reads which Instagram account.
create table metric_sources (
  id text primary key,
  account_id text not null,
  platform text not null,
  platform_user_id text not null,
  username text not null,
  status text not null,
  token_sealed text not null,
  -- Null until a refresh told it: the token that a person brings does not say.
  token_expires_at timestamptz(3),
  refresh_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint metric_sources_one_per_user unique (account_id, platform, platform_user_id),
  constraint metric_source_platform_known check (platform = 'instagram'),
  constraint metric_source_status_known check (status in ('connected', 'needs_reauth'))
);

create index metric_sources_of_account on metric_sources (account_id, created_at, id);
create index metric_sources_due on metric_sources (refresh_at) where status = 'connected';

-- Where the collecting of each post stands: its newest numbers, and when to ask again.
create table collections (
  post_id text primary key references published_posts (id),
  account_id text not null,
  platform text not null,
  -- Instagram: the source that could read it last, which may be gone; null until one was found.
  source_id text,
  -- The UTC day of publication, under which daily_rollups counts it; of registration where that is not known.
  counted_day date not null,
  views bigint,
  likes bigint,
  comments bigint,
  collected_at timestamptz(3),
  next_at timestamptz(3) not null,
  lease_until timestamptz,
  fence integer not null default 0,
  -- In a row: calls that failed, and answers in which the post was not there.
  failures integer not null default 0,
  misses integer not null default 0,
  -- Instagram said that this media never has insights.
  has_insights boolean not null default true
);

create index collections_due_youtube on collections (next_at) where platform = 'youtube';
create index collections_due_instagram on collections (account_id, next_at) where platform = 'instagram';

-- Newest numbers of the account's posts by UTC day of publication: what the summary adds up. Written in the
-- transaction that writes the snapshot, so that they are never apart. No check that they are not negative: what is
-- added may be, and an upsert checks it before it is added.
create table daily_rollups (
  account_id text not null,
  day date not null,
  platform text not null,
  posts bigint not null,
  views bigint not null,
  likes bigint not null,
  comments bigint not null,
  primary key (account_id, day, platform)
);

-- What a credential has spent and until when it must rest, shared by all replicas. Never the credential itself.
create table api_limits (
  credential text not null,
  bucket text not null,
  day date,
  spent bigint not null default 0,
  failures integer not null default 0,
  paused_until timestamptz(3),
  primary key (credential, bucket)
);
