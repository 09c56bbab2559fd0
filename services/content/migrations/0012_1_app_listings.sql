-- additive
-- A deleted app keeps its row: its contents refer to it.
alter table apps add column deleted_at timestamptz(3);

-- Pages of the real stores, read once for all accounts. `language` is '' where the address names none.
create table store_listings (
  store text not null,
  store_id text not null,
  country text not null,
  language text not null,
  listing jsonb not null,
  fetched_at timestamptz(3) not null,
  primary key (store, store_id, country, language)
);

create index store_listings_by_age on store_listings (fetched_at);

-- When each real store may be asked next, by the database's clock.
create table store_turns (
  store text primary key,
  next_at timestamptz not null
);

-- Schedules by their last event. An app with a waiting one is not deleted.
create table known_schedules (
  schedule_id text primary key,
  content_id text not null,
  is_waiting boolean not null,
  sequence bigint not null,
  updated_at timestamptz(3) not null
);

create index known_schedules_waiting on known_schedules (content_id) where is_waiting;
create index known_schedules_over on known_schedules (updated_at) where not is_waiting;
