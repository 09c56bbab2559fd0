-- additive
create table published_posts (
  id text primary key,
  account_id text not null,
  -- The caller's own name for the video; several posts of one video share it.
  video_id text not null,
  platform text not null,
  platform_post_id text not null,
  -- It is null until the caller or the platform says it.
  published_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint published_post_platform_known check (platform in ('instagram', 'youtube')),
  constraint published_post_video_not_blank check (video_id ~ '\S'),
  constraint published_posts_one_per_platform_post unique (account_id, platform, platform_post_id)
);

create index published_posts_of_video on published_posts (account_id, video_id);
-- The list of posts.
create index posts_newest on published_posts (account_id, created_at desc, id desc);
-- Posts of one platform: a filter that few rows pass must not read all the others.
create index posts_of_platform on published_posts (account_id, platform, created_at desc, id desc);

-- The newest numbers of each post and UTC day, which outlive detached snapshots. They are running totals of
-- the platform, never differences.
create table post_days (
  post_id text not null references published_posts(id),
  day date not null,
  -- A platform may hide a number: null, not zero.
  views bigint,
  likes bigint,
  comments bigint,
  collected_at timestamptz(3) not null,
  primary key (post_id, day),
  constraint post_day_not_negative check (((coalesce(views, (0)::bigint) >= 0) and (coalesce(likes, (0)::bigint) >= 0) and (coalesce(comments, (0)::bigint) >= 0)))
);

-- Every answer of a platform, as it came: running totals of the platform, a hidden number null. No foreign
-- key: it would be checked at each insert and hinder detaching, and posts are never deleted.
create table metric_snapshots (
  post_id text not null,
  collected_at timestamptz(3) not null,
  views bigint,
  likes bigint,
  comments bigint,
  primary key (post_id, collected_at),
  constraint metric_snapshot_not_negative check (((coalesce(views, (0)::bigint) >= 0) and (coalesce(likes, (0)::bigint) >= 0) and (coalesce(comments, (0)::bigint) >= 0)))
) partition by range (collected_at);

-- Whose token reads which Instagram account.
create table metric_sources (
  id text primary key,
  account_id text not null,
  platform text not null,
  platform_user_id text not null,
  username text not null,
  status text not null,
  token_sealed text not null,
  -- It is null until a refresh: the token that a person brings does not say it.
  token_expires_at timestamptz(3),
  refresh_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Not before this is a post of the source's account due, so that the collector looks at few of very many
  -- sources.
  look_at timestamptz(3) not null default '-infinity',
  -- Who asks the platform for a new token of the source. Null: nobody. While somebody does, refresh_at lies
  -- ahead.
  refresh_holder text,
  constraint metric_source_platform_known check (platform = 'instagram'),
  constraint metric_source_status_known check (status in ('connected', 'needs_reauth')),
  constraint metric_sources_one_per_user unique (account_id, platform, platform_user_id)
);

create index metric_sources_of_account on metric_sources (account_id, created_at, id);
create index metric_sources_due on metric_sources (refresh_at) where status = 'connected';
create index metric_sources_to_look on metric_sources (look_at) where status = 'connected';

-- Where the collecting of each post stands: its newest numbers, and when to ask again.
create table collections (
  post_id text primary key references published_posts(id),
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
-- transaction that writes the snapshot, so that they are never apart. No check that they are not negative:
-- what is added may be, and an upsert checks it before it is added.
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

-- Decks that were approved or sent, and what became of each.
create table decks (
  content_id text primary key,
  account_id text not null,
  app_id text,
  -- The version that was posted first; until then the newest that was approved or that an experiment named.
  version integer,
  -- What is known of each version: the approval of a newer one may be heard of before the post of an older.
  versions jsonb not null default '{}',
  hook text generated always as (versions -> version::text ->> 'hook') stored,
  archetype text generated always as (versions -> version::text ->> 'archetype') stored,
  template_id text generated always as (versions -> version::text ->> 'templateId') stored,
  language text generated always as (versions -> version::text ->> 'language') stored,
  -- What copies with another hook have in common.
  body_digest text generated always as (versions -> version::text ->> 'bodyDigest') stored,
  approved_at timestamptz(3),
  rejected_version integer,
  -- Where and when it was sent first; null for a deck that Hookline did not send.
  tiktok_account_id text,
  posted_at timestamptz(3),
  -- When it was published, by TikTok; null: TikTok did not say. A draft is posted later than it is sent.
  published_at timestamptz(3),
  -- The newest numbers: running totals of the platform. Null: not known.
  views bigint,
  likes bigint,
  comments bigint,
  shares bigint,
  saves bigint,
  measured_at timestamptz(3),
  -- Who entered them: { kind, id, name }. Null: TikTok told them.
  entered_by jsonb,
  -- The experiment that the deck takes part in, as it was named before the post.
  experiment_id text,
  experiment_at timestamptz(3),
  experiment_hours integer,
  experiment_version integer,
  -- Views by the first reading so many hours after the post.
  experiment_views bigint,
  counted_at timestamptz(3) generated always as (coalesce(published_at, posted_at, approved_at)) stored,
  -- A deck is compared with others once its numbers had a day to settle.
  is_settled boolean generated always as (
    versions ? version::text and measured_at - coalesce(published_at, posted_at, approved_at) >= interval '24 hours'
  ) stored,
  constraint deck_measured_with_views check ((views is null) = (measured_at is null)),
  constraint deck_numbers_not_negative check (least(views, likes, comments, shares, saves) >= 0)
);

create index decks_of_account on decks (account_id);
create index decks_posted on decks (account_id, posted_at) where posted_at is not null;
create index decks_of_experiments on decks (account_id, experiment_at desc, experiment_id) where experiment_id is not null;
create index decks_alike on decks (account_id, body_digest, tiktok_account_id, posted_at) where body_digest is not null;
create index decks_by_views on decks (account_id, views desc, content_id) include (counted_at) where views is not null;
create index decks_settled on decks (account_id, counted_at desc, content_id desc) where is_settled;
create index decks_of_app_settled on decks (account_id, app_id, counted_at desc, content_id desc) where is_settled;

-- How many decks of a UTC day have a number, and its sum: what the summary of a long window reads.
create table deck_days (
  account_id text not null,
  day date not null,
  number text not null,
  decks integer not null,
  total numeric not null,
  primary key (account_id, day, number)
);

-- Adds what an insert or update of decks changed, in one order for all, so that no two wait for each other.
create function add_to_deck_days() returns trigger language plpgsql set search_path from current as $$
begin
  execute 'insert into deck_days as d
    select account_id, (counted_at at time zone ''UTC'')::date, number, sum(sign), sum(sign * value)
    from (select 1 as sign, * from after' || case tg_op when 'UPDATE' then ' union all select -1, * from before' else '' end || ') rows
    cross join lateral (values (''views'', views), (''likes'', likes), (''comments'', comments), (''shares'', shares), (''saves'', saves))
      numbers (number, value)
    where views is not null and value is not null and counted_at is not null
    group by 1, 2, 3 having sum(sign) <> 0 or sum(sign * value) <> 0 order by 1, 2, 3
    on conflict (account_id, day, number) do update set
      decks = d.decks + excluded.decks, total = d.total + excluded.total';
  return null;
end $$;

create trigger add_new_numbers after insert on decks
  referencing new table as after for each statement execute function add_to_deck_days();
create trigger add_changed_numbers after update on decks
  referencing old table as before new table as after for each statement execute function add_to_deck_days();

-- What an experiment said once each of its posts had its views or was left out, as the API answers it.
create table verdicts (
  account_id text not null,
  experiment_id text not null,
  experiment jsonb not null,
  primary key (account_id, experiment_id)
);

-- What is known, and was published, of the hooks of each app.
create table lessons (
  app_id text primary key,
  account_id text not null,
  lesson jsonb not null default '{"best": [], "worst": [], "archetypes": [], "forms": []}',
  -- Numbers came since the lesson was drawn up; null: none did.
  due_at timestamptz(3)
);

create index lessons_of_account on lessons (account_id);
create index lessons_due on lessons (due_at) where due_at is not null;

-- What a credential has spent and until when it must rest, shared by all replicas. Never the credential
-- itself.
create table api_limits (
  credential text not null,
  bucket text not null,
  day date,
  spent bigint not null default 0,
  failures integer not null default 0,
  paused_until timestamptz(3),
  primary key (credential, bucket)
);

-- Takes off every partition whose month ended by then, for `npm run detach-snapshots`; they stay as tables of
-- their own. Collectors wait a moment, nobody else reads snapshots. Gives up rather than hold them up for
-- long.
create function detach_snapshot_partitions(ended_by date) returns setof text
language plpgsql security definer set search_path from current set lock_timeout = '5s' as $$
declare
  home text := quote_ident(current_schema);
  partition record;
begin
  for partition in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = (home || '.metric_snapshots')::regclass
      and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= ended_by
    order by c.relname
  loop
    execute format('alter table %s.metric_snapshots detach partition %s.%I', home, home, partition.relname);
    return next partition.relname;
  end loop;
end $$;
revoke execute on function detach_snapshot_partitions(date) from public;
grant execute on function detach_snapshot_partitions(date) to analytics;

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

-- Snapshots stay append-only but for a workspace that is deleted: its transaction names it.
create function refuse_snapshot_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and coalesce(current_setting('hookline.deleted_workspace', true), '') <> '' then
    return old;
  end if;
  raise exception 'metric_snapshots is append-only';
end $$;

create trigger metric_snapshots_append_only before delete or update on metric_snapshots
  for each row execute function refuse_snapshot_change();
